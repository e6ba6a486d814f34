"""Health boxes of the storytelling family: as many as Stamina and Size, the last three of them a hindrance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.engine.phrases import phrase
from rules.model.conditions import DEAD
from rules.model.gear import Damage
from rules.model.health import HealthLevel
from rules.model.sheet import Sheet
from rules.topics.health.boxes import HealthRules

USUAL = Sheet("")
"""Whose boxes are meant where nobody is named."""

LAST_BOXES = ("third_last_box", "second_last_box", "last_box")
"""The house rules that say what the last boxes take."""

_MINUTES = {Damage.BASHING: 15, Damage.LETHAL: 2 * 24 * 60, Damage.AGGRAVATED: 7 * 24 * 60}


@dataclass(frozen=True, slots=True)
class StorytellingHealth(HealthRules):
    """Stamina + Size boxes (WD-HEALTH-1 to WD-HEALTH-3, WD-DMG-2 to WD-DMG-5).

    ``penalties`` are those of the last boxes, ``minutes`` how long a point of each kind takes to heal.
    """

    blood_heals: bool = False
    penalties: tuple[int, ...] = (-1, -2, -3)
    minutes: Mapping[Damage, int] = field(default_factory=lambda: _MINUTES)

    def levels(self, sheet: Sheet | None = None) -> tuple[HealthLevel, ...]:
        """The boxes of a sheet, first to last (WD-HEALTH-1); a sheet's own figure ``health`` comes before the sum."""
        count = self.size(sheet or USUAL)
        free = count - len(self.penalties)
        last = [
            -self.system.settings.get(key, -penalty) for key, penalty in zip(LAST_BOXES, self.penalties, strict=True)
        ]
        penalties = [0] * max(0, free) + last[max(0, -free) :]
        return tuple(
            HealthLevel(phrase("Box {number}", number=number), penalty) for number, penalty in enumerate(penalties, 1)
        )

    def size(self, sheet: Sheet) -> int:
        """How many boxes a sheet has; nobody has none."""
        dots = self.system.layout.dots
        return max(1, sheet.traits.get("health", dots(sheet, "stamina") + dots(sheet, "size")))

    def penalty(self, sheet: Sheet) -> int | None:
        """Dice taken from every action by the last box filled (WD-HEALTH-2), ``None`` for no action."""
        if self.follows(sheet):
            return None
        return self.hindrance(sheet)

    def hindrance(self, sheet: Sheet) -> int:
        """As :meth:`penalty`, for one who acts all the same."""
        level, kind = self.level(sheet), self.system.kind(sheet.kind)
        spared = kind.undead and not self.system.settings.get("dead_feel_wounds", True)
        return (level.penalty or 0) if level and kind.feels_wounds and not spared else 0

    def follows(self, sheet: Sheet) -> frozenset[str]:
        """The condition that the boxes bring: none before all of them are lethal or worse (WD-HEALTH-3)."""
        if not self._full(sheet) or sheet.marks[-1] is Damage.BASHING:
            return frozenset()
        if sheet.marks[-1] is Damage.AGGRAVATED:
            return frozenset({DEAD})
        return frozenset({self.system.kind(sheet.kind).felled})

    def reels(self, sheet: Sheet) -> bool:
        """Whether somebody has to roll to stay conscious: whoever tires, with bashing in the last box (WD-HEALTH-3)."""
        tires = self.system.kind(sheet.kind).tires
        return tires and self._full(sheet) and sheet.marks[-1] is Damage.BASHING

    def _time_of(self, mark: Damage) -> int:
        """The minutes that a point takes to heal."""
        return int(self.system.settings.get(f"minutes_{mark}", self.minutes[mark]))

    def _full(self, sheet: Sheet) -> bool:
        return bool(sheet.marks) and len(sheet.marks) >= self.size(sheet)

    def rest(self, sheet: Sheet, hours: int, *, care: bool = False) -> tuple[Sheet, dict[str, int]]:
        """What time does (WD-DMG-2, WD-DMG-3, WD-DMG-5): the sheet afterwards, and the points healed by kind.

        The least severe heals first, one point after another, each kind in its own time. Time left
        over is lost.
        """
        sheet, healed = self.regrown(sheet)
        left, marks = hours * 60, list(sheet.marks)
        while marks and left >= (needed := self._time_of(marks[-1])):
            mark = marks.pop()
            left -= needed
            healed[mark.value] = healed.get(mark.value, 0) + 1
        return replace(sheet, marks=tuple(marks)), healed
