"""Boxes of the second storytelling edition: mortals bleed, the dead do not tire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
        """Dice taken from every action by the last boxes, ``None`` for no action: who bleeds acts all the same."""
        if self.follows(sheet) - {BLEEDING}:
            return None
        return self.hindrance(sheet)

    def follows(self, sheet: Sheet) -> frozenset[str]:
        """The conditions that the boxes bring: the end of all boxes, and the bleeding before it."""
        felled = StorytellingHealth.follows(self, sheet)
        bleeding = self.bleeds(sheet) and DEAD not in felled
        return felled | {BLEEDING} if bleeding else felled

    def bleeds(self, sheet: Sheet) -> bool:
        """Whether wounds are grave enough to bleed out, in one who bleeds: lethal damage of Size or more (CD-HEALTH-3).

        What has turned into aggravated damage by bleeding goes on counting.
        """
        return self.system.kind(sheet.kind).bleeds and _grave(sheet) >= self.system.layout.dots(sheet, "size")

    def all_grave(self, sheet: Sheet) -> bool:
        """Whether every box is lethal or worse."""
        return self._full(sheet) and sheet.marks[-1] is not Damage.BASHING

    def brought(self, conditions: frozenset[str], before: Sheet, after: Sheet) -> frozenset[str]:
        """As for all boxes; but a wound that was tended bleeds again only when it gets worse."""
        now = StorytellingHealth.brought(self, conditions, before, after)
        tended = self.bleeds(before) and BLEEDING not in conditions
        return now - {BLEEDING} if tended and _weight(after) <= _weight(before) else now

    def rest(self, sheet: Sheet, hours: int, *, care: bool = False) -> tuple[Sheet, dict[str, int]]:
        """What time does to mortals (CD-HEAL-1): the least severe first, each kind in its own time.

        Lethal damage takes medical ``care``, aggravated damage a hospital. The dead do not heal by time.
        """
        if self.system.kind(sheet.kind).undead:
            return sheet, {}
        if care:
            return StorytellingHealth.rest(self, sheet, hours)
        mended, healed = self.remove(sheet, hours * 60 // self.minutes[Damage.BASHING], Damage.BASHING)
        return mended, {Damage.BASHING.value: healed} if healed else {}


def _grave(sheet: Sheet) -> int:
    """How much of the damage is lethal or worse."""
    return sum(mark is not Damage.BASHING for mark in sheet.marks)


def _weight(sheet: Sheet) -> tuple[int, int]:
    """How bad lethal and aggravated damage are together."""
    return _grave(sheet), sheet.marks.count(Damage.AGGRAVATED)
