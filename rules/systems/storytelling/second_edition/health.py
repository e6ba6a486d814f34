"""Boxes of the second storytelling edition: mortals bleed, the dead do not tire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.engine.phrases import phrase
from rules.model.conditions import DEAD, Condition, Lasts, declare
from rules.model.gear import Damage
from rules.model.health import BloodHealing
from rules.model.sheet import Sheet, still_lasting
from rules.systems.storytelling.health import StorytellingHealth, vitae_heals

BLEEDING = declare(Condition("bleeding", phrase("bleeding"), kills=True, tended=True))
BANDAGED = declare(Condition("bandaged", phrase("bandaged"), ruled=True, lasts=Lasts.STAYS, stays_by="CD-HEALTH-3"))
"""Wounds that would bleed are tended. Without it, they bleed in the next fight."""

_MINUTES = {Damage.BASHING: 60, Damage.LETHAL: 24 * 60, Damage.AGGRAVATED: 7 * 24 * 60}


@dataclass(frozen=True, slots=True)
class BleedingHealth(StorytellingHealth):
    """Boxes that bleed (CD-HEALTH-1 to CD-HEALTH-5, CD-HEAL-1, CD-HEAL-2, CD-VAMP-1)."""

    blood: BloodHealing = field(default_factory=lambda: vitae_heals("CD-HEAL-2"))
    minutes: Mapping[Damage, int] = field(default_factory=lambda: _MINUTES)

    def penalty(self, sheet: Sheet) -> int | None:
        """The wound penalty of the last boxes, ``None`` if no action is possible: the bleeding still act."""
        if self.follows(sheet) - {BLEEDING}:
            return None
        return self.hindrance(sheet)

    def follows(self, sheet: Sheet) -> frozenset[str]:
        """Conditions that follow from the boxes: bleeding unless tended, then the end when all are full."""
        felled = StorytellingHealth.follows(self, sheet)
        bandaged = any(each.condition == BANDAGED for each in sheet.lasting)
        bleeding = self.bleeds(sheet) and not bandaged and DEAD not in felled
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

    def turns_a_box(self, sheet: Sheet, conditions: frozenset[str], every: int) -> int:
        """The turns in which bleeding without care costs another box (CD-HEALTH-3): one once all are lethal."""
        if BLEEDING not in conditions:
            return 0
        return 1 if self.all_grave(sheet) else int(self.system.settings.get("bleeding_turns", 0)) or every

    def tended(self, sheet: Sheet, conditions: frozenset[str]) -> frozenset[str]:
        """Bandages, for somebody who would bleed and doesn't (CD-HEALTH-3)."""
        bleeds = self.bleeds(sheet) and conditions.isdisjoint({BLEEDING, DEAD})
        return frozenset({BANDAGED}) if bleeds else frozenset()

    def brought(self, conditions: frozenset[str], before: Sheet, after: Sheet) -> frozenset[str]:
        """As for all boxes, except that a tended wound bleeds again only once it worsens.

        Bandages are over then, and once the wounds no longer need them.
        """
        open_wounds = still_lasting(after, {each.condition for each in after.lasting} - {BANDAGED})
        now = StorytellingHealth.brought(self, conditions - {BANDAGED}, before, open_wounds)
        tended = self.bleeds(before) and BLEEDING not in conditions
        if not tended or _weight(after) > _weight(before):
            return now
        return (now - {BLEEDING}) | (conditions & {BANDAGED} if self.bleeds(after) else frozenset())

    def rest(
        self, sheet: Sheet, hours: int, *, care: bool = False, hospital: bool = True
    ) -> tuple[Sheet, dict[str, int]]:
        """Healing of mortals over time (CD-HEAL-1): the least severe first, each type in its own time.

        Lethal damage needs medical ``care``, aggravated damage a hospital. The dead do not heal over time, not even
        those of a chronicle's own kinds without blood.
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
