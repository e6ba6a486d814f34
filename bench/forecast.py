"""Speed of the forecast: five against five in every ruleset, in CPU time of one process.

Run from the repository's root: ``python bench/forecast.py [FIGHTS]`` (``--profile`` shows where the time goes).
"""

# ruff: noqa: T201 (prints its results)

from __future__ import annotations

import cProfile
import pstats
import sys
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1]))

from rules.decide import decide
from rules.engine.dice import NO_DICE
from rules.engine.messages import replay
from rules.forecast.forecast import forecast
from rules.forecast.setup import Setup
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.sheet import Category, Sheet
from rules.model.state import Encounter
from rules.model.system import System
from rules.systems import BUILT_IN, RULESETS
from rules.topics.commands import Join, Newcomer

FIGHTS = 200
TARGET = 15
"""Seconds for that many fights."""

KNIFE = Weapon("knife", Mode.MELEE, 2, "strength", Damage.LETHAL)
CLUB = Weapon("club", Mode.MELEE, 2, "strength", Damage.BASHING)
PISTOL = Weapon("pistol", Mode.FIREARM, 4, type=Damage.LETHAL, range=(20, 40, 80), rate=3, clip=12, rounds=12)
VEST = Armor("vest", 2, penalty=-1)


def five_against_five(system: System) -> Setup:
    """Five player characters of the ruleset's main kind against five armed mortals: clubs, knives and pistols."""
    traits = {trait.key: 3 if trait.category is Category.ATTRIBUTE else 2 for trait in system.layout.traits()}
    arms = ((KNIFE,), (CLUB,), (PISTOL, KNIFE), (PISTOL,), (KNIFE, CLUB))
    kind = next((key for key in system.kinds if not system.kinds[key].human), "mortal")
    people = []
    for number, weapons in enumerate(arms):
        dots = {**{key: each for key, each in traits.items() if key not in ("health", "defense")}, "willpower": 5}
        people += [
            Newcomer(f"pc{number}", Sheet(f"Hero {number}", kind, dots, weapons=weapons, armor=(VEST,)), player=True),
            Newcomer(f"npc{number}", Sheet(f"Thug {number}", "mortal", dots, weapons=weapons)),
        ]
    return Setup(replay(Encounter(), decide(Encounter(), Join(tuple(people)), system, NO_DICE)), system)


def main() -> None:
    fights = next((int(each) for each in sys.argv[1:] if each.isdigit()), FIGHTS)
    for system in (RULESETS[each.name] for each in BUILT_IN):
        setup, profile = five_against_five(system), cProfile.Profile()
        if "--profile" in sys.argv:
            profile.enable()
        start = process_time()
        *_, tally = forecast(setup, seed=1, fights=fights)
        taken = process_time() - start
        profile.disable()
        target = TARGET * fights / FIGHTS
        turns = tally.turns.mean
        print(
            f"{system.name:<20}{taken:>7.2f} s   {1000 * taken / fights:>5.1f} ms a fight   {turns:>4.1f} turns   "
            f"(target {target:.0f} s)  {'ok' if taken < target else 'SLOW'}"
        )
        if "--profile" in sys.argv:
            pstats.Stats(profile).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
