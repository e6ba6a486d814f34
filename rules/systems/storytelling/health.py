"""Health boxes of the storytelling family: Stamina + Size boxes, with wound penalties on the last three."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.engine.phrases import phrase
from rules.model.conditions import DEAD, DYING
from rules.model.gear import Damage
from rules.model.health import BloodHealing, HealthLevel
from rules.model.pools import HEALTH
from rules.model.sheet import Sheet
from rules.topics.health.boxes import HealthRules

USUAL = Sheet("")
"""Stand-in when no combatant is named."""

LAST_BOXES = ("third_last_box", "second_last_box", "last_box")
"""The house rules for the penalties of the last boxes."""

_MINUTES = {Damage.BASHING: 15, Damage.LETHAL: 2 * 24 * 60, Damage.AGGRAVATED: 7 * 24 * 60}


def vitae_heals(rule: str) -> BloodHealing:
    """A point of Vitae heals two points of bashing damage or one of lethal, reflexively."""
    return BloodHealing(bashing=2, willpower=0, reflexive=True, rule=rule)


@dataclass(frozen=True, slots=True)
class StorytellingHealth(HealthRules):
    """Stamina + Size boxes (WD-HEALTH-1 to WD-HEALTH-3, WD-DMG-2 to WD-DMG-5, WD-HEAL-1).

    ``penalties`` are those of the last boxes, ``minutes`` the healing time of a point by damage type.
    """

    blood: BloodHealing = field(default_factory=lambda: vitae_heals("WD-HEAL-1"))
    penalties: tuple[int, ...] = (-1, -2, -3)
    minutes: Mapping[Damage, int] = field(default_factory=lambda: _MINUTES)

    def levels(self, sheet: Sheet | None = None) -> tuple[HealthLevel, ...]:
        """A sheet's boxes, first to last, with the penalties that apply to it (WD-HEALTH-1).

        An explicit ``health`` value replaces the sum.
        """
        count = self.size(sheet or USUAL)
        free = count - len(self.penalties)
        felt = sheet is None or self.feels(sheet)
        last = [
            -self.system.settings.get(key, -penalty) if felt else 0
            for key, penalty in zip(LAST_BOXES, self.penalties, strict=True)
        ]
        penalties = [0] * max(0, free) + last[max(0, -free) :]
        return tuple(HealthLevel(phrase("box", number=number), penalty) for number, penalty in enumerate(penalties, 1))

    def size(self, sheet: Sheet) -> int:
        """A sheet's number of boxes, at least one."""
        dots = self.system.layout.dots
        usual = sheet.traits.get("health", dots(sheet, "stamina") + dots(sheet, "size"))
        count = sheet.pools.get(HEALTH, usual)
        return max(1, count + sum(more for _one, more in self.system.layout.raised(sheet, "health", count)))

    def penalty(self, sheet: Sheet) -> int | None:
        """The wound penalty of the last box filled (WD-HEALTH-2), ``None`` if no action is possible."""
        if self.follows(sheet):
            return None
        return self.hindrance(sheet)

    def hindrance(self, sheet: Sheet) -> int:
        """Like :meth:`penalty`, for somebody who acts regardless."""
        level = self.level(sheet)
        return (level.penalty or 0) if level else 0

    def feels(self, sheet: Sheet) -> bool:
        """As for all boxes, but the chronicle may spare the dead (WD-HEALTH-2)."""
        kind = self.system.kind(sheet.kind)
        return kind.feels_wounds and (not kind.undead or bool(self.system.settings.get("dead_feel_wounds", True)))

    def follows(self, sheet: Sheet) -> frozenset[str]:
        """The condition that follows from the boxes: none until all are lethal or worse (WD-HEALTH-3)."""
        if not self._full(sheet) or sheet.marks[-1] is Damage.BASHING:
            return frozenset()
        if sheet.marks[-1] is Damage.AGGRAVATED:
            return frozenset({DEAD})
        return frozenset({self.system.kind(sheet.kind).felled})

    def reels(self, sheet: Sheet) -> bool:
        """Whether somebody must roll to stay conscious: creatures that tire, with bashing in the last box
        (WD-HEALTH-3).
        """
        tires = self.system.kind(sheet.kind).tires
        return tires and self._full(sheet) and sheet.marks[-1] is Damage.BASHING

    def _time_of(self, mark: Damage) -> int:
        """The minutes a point takes to heal."""
        return int(self.system.settings.get(f"minutes_{mark}", self.minutes[mark]))

    def _full(self, sheet: Sheet) -> bool:
        return bool(sheet.marks) and len(sheet.marks) >= self.size(sheet)

    def untended(self, sheet: Sheet, conditions: frozenset[str], turns: int, every: int = 0) -> tuple[Sheet, int]:
        """The sheet after turns without care, and the boxes lost to bleeding (WD-HEALTH-3)."""
        lost = 0
        while DEAD not in self.follows(sheet) and 0 < (each := self.turns_a_box(sheet, conditions, every)) <= turns:
            sheet, turns, lost = self.inflict(sheet, 1, Damage.LETHAL), turns - each, lost + 1
        return sheet, lost

    def tended(self, sheet: Sheet, conditions: frozenset[str]) -> frozenset[str]:
        """No conditions: the dying are in one of their own until they heal."""
        return frozenset()

    def turns_a_box(self, sheet: Sheet, conditions: frozenset[str], every: int) -> int:
        """The turns in which bleeding without care costs another box: a minute for the dying, 0 for nobody else."""
        bleeds = DYING in conditions and self.system.kind(sheet.kind).bleeds
        return int(self.system.settings.get("bleeding_turns", 0)) if bleeds else 0

    def rest(
        self, sheet: Sheet, hours: int, *, care: bool = False, hospital: bool = True
    ) -> tuple[Sheet, dict[str, int]]:
        """Healing over time (WD-DMG-2, WD-DMG-3, WD-DMG-5): the sheet afterwards, and the points healed by damage
        type.

        The least severe heals first, point by point, each type in its own time. Leftover time is lost.
        """
        sheet, healed = self.regrown(sheet)
        left, marks = hours * 60, list(sheet.marks)
        while marks and left >= (needed := self._time_of(marks[-1])):
            mark = marks.pop()
            left -= needed
            healed[mark.value] = healed.get(mark.value, 0) + 1
        return replace(sheet, marks=tuple(marks)), healed
