"""Speed of the rules: deciding an ordinary attack, and the exact odds of a large one.

Run from the repository's root: ``python bench/rules.py`` (``--profile`` shows where the time goes).
"""

# ruff: noqa: T201 (prints its results)

from __future__ import annotations

import cProfile
import pstats
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time
from timeit import Timer
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from rules.decide import decide
from rules.engine.dice import Faces, Throw
from rules.engine.messages import replay
from rules.forecast.suggestions import MOST, suggestions
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.sheet import Category, Sheet
from rules.model.state import Encounter
from rules.model.system import Game, System
from rules.odds.attacks import _fate, odds
from rules.odds.target_number import _outcomes
from rules.strike.attack import plan_attack
from rules.systems import RULESETS
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.topics.commands import Begin, Join, Newcomer, RollInitiative

KNIFE = Weapon("knife", Mode.MELEE, 1, "strength", Damage.LETHAL)
AXE = Weapon("axe", Mode.MELEE, 6, "strength", Damage.LETHAL)
PISTOL = Weapon("pistol", Mode.FIREARM, 4, "", Damage.LETHAL, range=(20,), rate=3, clip=7, rounds=7)
RIFLE = Weapon("rifle", Mode.FIREARM, 5, "", Damage.LETHAL, range=(100,), clip=20, rounds=20, automatic=True)
VEST = Armor("vest", 3, penalty=-1)


class Hits:
    """Dice that always succeed, so that every step of an attack is reached."""

    def roll(self, throw: Throw) -> Faces:
        return (8,) * throw.count

    def pick(self, options: int) -> int:
        return 0


def fight(size: int, ruleset: System = MASQUERADE) -> Encounter:
    """A running fight with this many people. Masquerade has initiative rolled; elsewhere these dice would all tie."""
    traits = {"strength": 3, "dexterity": 3, "stamina": 3, "melee": 3, "dodge": 2, "wits": 2, "weaponry": 3}
    sheet = Sheet("Somebody", "vampire", traits, weapons=(KNIFE, AXE), armor=(VEST,))
    state = Encounter()
    order = (RollInitiative(),) if ruleset is MASQUERADE else ()
    for command in (Join(tuple(Newcomer(f"c{n}", sheet) for n in range(size))), Begin(), *order):
        state = replay(state, decide(state, command, ruleset, Hits()))
    return state


def elsewhere(ruleset: System) -> Callable[[], Any]:
    """The same attack in another ruleset."""
    state, command = fight(8, ruleset), Attack("c0", ("c1",), "knife")
    return lambda: decide(state, command, ruleset, Hits())


def suggesting(ruleset: System) -> Callable[[], Any]:
    """Suggestions for an NPC with a knife, a pistol and a rifle against six players, no two alike, without caches."""
    everything = [
        trait.key for trait in ruleset.layout.traits() if trait.category in (Category.ATTRIBUTE, Category.ABILITY)
    ]
    sheets = [Sheet(f"Player {n}", "mortal", dict.fromkeys(everything, 1 + n % 4), weapons=(KNIFE,)) for n in range(6)]
    sheets[4:] = [replace(each, armor=(VEST,)) for each in sheets[4:]]
    npc = Sheet("Thug", "mortal", dict.fromkeys(everything, 3), weapons=(KNIFE, PISTOL, RIFLE))
    players = [Newcomer(f"p{n}", sheet, player=True) for n, sheet in enumerate(sheets)]
    state = Encounter()
    for command in (Join((Newcomer("npc", npc), *players)), Begin()):
        state = replay(state, decide(state, command, ruleset, Hits()))
    game = Game(state, ruleset)

    def found() -> Any:
        _outcomes.cache_clear()
        _fate.cache_clear()
        return suggestions(game, "npc")

    assert len(found()) == MOST, ruleset.key
    return found


def microseconds(work: Callable[[], Any], times: int) -> float:
    """CPU time of one call, the minimum of many short runs, so that other load on the machine hardly counts."""
    return 1e6 * min(Timer(work, timer=process_time).repeat(50, times)) / times


def main() -> None:
    state = fight(8)
    game = Game(state, MASQUERADE)
    plain = Attack("c0", ("c1",), "knife")
    defended = Attack("c0", ("c1",), "knife", defences={"c1": Defence("dodge")})
    large = Attack("c0", ("c1",), "axe", (Modifier("circumstance", {"dice": 10}),), defences={"c1": Defence("dodge")})
    (against,) = plan_attack(game, large).against
    assert against.attack.pool == 15, against.attack.pool

    def fresh_odds() -> Any:
        _outcomes.cache_clear()
        return odds(against, game)

    events = decide(state, defended, MASQUERADE, Hits())
    jobs: dict[str, tuple[Callable[[], Any], int, float]] = {
        "decide an attack": (lambda: decide(state, plain, MASQUERADE, Hits()), 20, 200),
        "decide an attack with a dodge": (lambda: decide(state, defended, MASQUERADE, Hits()), 20, 200),
        "plan it": (lambda: plan_attack(game, defended), 20, 200),
        **{
            f"decide an attack in {other.name}": (elsewhere(other), 20, 200)
            for other in RULESETS.values()
            if other is not MASQUERADE
        },
        "fold it": (lambda: replay(state, events), 20, 200),
        "odds of 15 dice, defence, damage, soak, cold": (fresh_odds, 2, 10_000),
        "the same, warm": (lambda: odds(against, game), 2, 10_000),
        **{f"suggest moves in {each.name}": (suggesting(each), 1, 100_000) for each in RULESETS.values()},
    }
    for name, (work, times, target) in jobs.items():
        taken = microseconds(work, times)
        print(f"{name:<46}{taken:>10.0f} us   (target {target:>6.0f})  {'ok' if taken < target else 'SLOW'}")
        if "--profile" in sys.argv:
            profile = cProfile.Profile()
            profile.runcall(lambda work=work, times=times: [work() for _ in range(times)])
            pstats.Stats(profile).sort_stats("tottime").print_stats(12)


if __name__ == "__main__":
    main()
