"""Boxes of the second storytelling edition: mortals bleed, the dead do not tire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.engine.phrases import phrase
from rules.model.conditions import DEAD, Condition, declare
from rules.model.gear import Damage
from rules.model.sheet import Sheet
from rules.systems.storytelling.health import StorytellingHealth

BLEEDING = declare(Condition("bleeding", phrase("bleeding"), kills=True))

_MINUTES = {Damage.BASHING: 60, Damage.LETHAL: 24 * 60, Damage.AGGRAVATED: 7 * 24 * 60}


@dataclass(frozen=True, slots=True)
class BleedingHealth(StorytellingHealth):
    """Boxes that bleed (CD-HEALTH-1 to CD-HEALTH-5, CD-HEAL-1, CD-VAMP-1)."""

    minutes: Mapping[Damage, int] = field(default_factory=lambda: _MINUTES)

    def penalty(self, sheet: Sheet) -> int | None:
        """The wound penalty of the last boxes, ``None`` if no action is possible: the bleeding still act."""
        if self.follows(sheet) - {BLEEDING}:
            return None
        return self.hindrance(sheet)

    def follows(self, sheet: Sheet) -> frozenset[str]:
        """Conditions that follow from the boxes: bleeding, then the end when all are full."""
        felled = StorytellingHealth.follows(self, sheet)
        bleeding = self.bleeds(sheet) and DEAD not in felled
        return felled | {BLEEDING} if bleeding else felled

    def felled(self, sheet: Sheet) -> frozenset[str]:
        """As :meth:`follows`, without bleeding, in which people still act."""
        return self.follows(sheet) - {BLEEDING}

    def bleeds(self, sheet: Sheet) -> bool:
        """Whether a creature that bleeds has enough wounds to bleed: lethal damage of Size or more (CD-HEALTH-3).

        Damage upgraded to aggravated by bleeding still counts.
        """
        return self.system.kind(sheet.kind).bleeds and _grave(sheet) >= self.system.layout.dots(sheet, "size")

    def all_grave(self, sheet: Sheet) -> bool:
        """Whether every box is lethal or worse."""
        return self._full(sheet) and sheet.marks[-1] is not Damage.BASHING

    def brought(self, conditions: frozenset[str], before: Sheet, after: Sheet) -> frozenset[str]:
        """As for all boxes, except that a tended wound bleeds again only once it worsens."""
        now = StorytellingHealth.brought(self, conditions, before, after)
        tended = self.bleeds(before) and BLEEDING not in conditions
        return now - {BLEEDING} if tended and _weight(after) <= _weight(before) else now

    def rest(
        self, sheet: Sheet, hours: int, *, care: bool = False, hospital: bool = True
    ) -> tuple[Sheet, dict[str, int]]:
        """Healing of mortals over time (CD-HEAL-1): the least severe first, each type in its own time.

        Lethal damage needs medical ``care``, aggravated damage a hospital. The dead do not heal over time.
        """
        if self.system.kind(sheet.kind).undead:
            return sheet, {}
        if care and hospital:
            return StorytellingHealth.rest(self, sheet, hours)
        if care:
            grave = tuple(mark for mark in sheet.marks if mark is Damage.AGGRAVATED)
            lighter = replace(sheet, marks=sheet.marks[len(grave) :])
            rested, levels = StorytellingHealth.rest(self, lighter, hours)
            return replace(rested, marks=grave + rested.marks), levels
        mended, healed = self.remove(sheet, hours * 60 // self.minutes[Damage.BASHING], Damage.BASHING)
        return mended, {Damage.BASHING.value: healed} if healed else {}


def _grave(sheet: Sheet) -> int:
    """How much damage is lethal or worse."""
    return sum(mark is not Damage.BASHING for mark in sheet.marks)


def _weight(sheet: Sheet) -> tuple[int, int]:
    """The combined weight of lethal and aggravated damage."""
    return _grave(sheet), sheet.marks.count(Damage.AGGRAVATED)
