"""Cover of the classic family: raises the difficulty of shots; picked for the attack or derived from the target's
position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.choices import Figure
from rules.model.gear import Mode
from rules.model.modifiers import Circumstances, ModifierRule, Use
from rules.model.plan import Part
from rules.model.system import Game
from rules.strike.conditions import of_target
from rules.strike.facets import Facet, Strike

COVER = "cover"
SHOTS = frozenset({Mode.FIREARM, Mode.ARCHERY})
COVER_OF = {
    "light": phrase("light-cover-label"),
    "good": phrase("good-cover-label"),
    "superior": phrase("superior-cover-label"),
}
DEGREES = ("light", "good", "superior")


@dataclass(frozen=True, slots=True)
class BehindCover(Facet):
    """The best cover from the target's conditions; picked cover takes precedence (AP-DEF-1)."""

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        covers = [each for each in of_target(strike).values() if each.cover]
        if not covers or strike.weapon.mode not in SHOTS or COVER in strike.picked:
            return ()
        steps = {each: steps_of(each.cover, strike.system.settings) for each in covers}
        best = max(covers, key=lambda each: steps[each])
        return (Part(COVER, best.label, best.rule, difficulty=steps[best]),)


def covers_of(game: Game) -> Mapping[str, str]:
    """The conditions that provide cover, with its degree."""
    conditions = game.system.conditions
    return {each.key: each.pools.cover for each in conditions if each.pools and each.pools.cover}


def steps_of(degree: Figure | None, settings: Mapping[str, Figure]) -> int:
    """By how much a degree of cover raises a shot's difficulty; raises "input" for an unknown one."""
    if degree not in DEGREES:
        raise bad_input(phrase("choose-light-good-or-superior-cover"))
    return int(settings[f"cover_{degree}"])


def cover(rule: ModifierRule, figures: Mapping[str, Figure], seen: Circumstances) -> tuple[Part, ...]:
    """The effect of cover: raises the difficulty of shots at it, but not of a dodge."""
    degree = figures.get("degree", DEGREES[0])
    steps = steps_of(degree, seen.settings)
    if seen.use is not Use.ATTACK:
        return ()
    return (Part(rule.key, COVER_OF[str(degree)], rule.rule, difficulty=steps),)
