"""Health boxes: marking, penalties, healing.

Only filled boxes are recorded, as ``Sheet.marks``, most severe first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from rules.engine.copies import replace
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.conditions import DEAD, INCAPACITATED
from rules.model.gear import Damage
from rules.model.health import UNTOLD, BloodHealing, Blow, HealthLevel
from rules.model.pools import HEALTH
from rules.model.sheet import Sheet
from rules.model.system import SystemPart
from rules.topics.commands import Heal, SetHealth
from rules.topics.events import BoxesMarked

CLASSIC_LEVELS: tuple[tuple[str, int | None], ...] = (
    (phrase("bruised"), 0),
    (phrase("hurt-label"), -1),
    (phrase("injured"), -1),
    (phrase("wounded"), -2),
    (phrase("mauled"), -2),
    (phrase("crippled"), -5),
    (phrase("incapacitated-label"), None),
)

REGENERATES = "regenerates"
NO_REGENERATION = "no_regeneration"
"""Entries among a sheet's Merits that decide whether it heals as turns end, regardless of kind."""

MOST_LEVELS = 100

BOXES = {"/": Damage.BASHING, "X": Damage.LETHAL, "*": Damage.AGGRAVATED}
SIGNS = {damage: sign for sign, damage in BOXES.items()}
EMPTY_BOX = "."
"""How scenarios write boxes."""


def sort_marks(marks: Iterable[Damage]) -> tuple[Damage, ...]:
    """The marks, most severe first."""
    return tuple(sorted(marks, key=lambda mark: -mark.severity))


BLOOD = BloodHealing()
"""The classic price: a point a level."""


@dataclass(frozen=True, slots=True)
class HealthRules(SystemPart):
    """The health track (MQ-HEALTH-1, MQ-HEALTH-2). Its boxes are the setting ``health_levels``.

    ``blood``: what the undead, who heal by blood alone, pay for it. ``regeneration``: a sheet's own Merits decide who
    heals as turns end, and a mortal dies of one level beyond their last box (AP-HEALTH-1, AP-HEAL-1, AP-HEAL-2).
    """

    blood: BloodHealing = BLOOD
    regeneration: bool = False

    def levels(self, sheet: Sheet | None = None) -> tuple[HealthLevel, ...]:
        """The boxes, first to last: those of a sheet, with the penalties that apply to it."""
        rows = self.system.settings["health_levels"]
        if sheet is not None and HEALTH in sheet.pools:
            rows = _resized(rows, max(1, sheet.pools[HEALTH]))
        return _levels(rows) if sheet is None or self.feels(sheet) else _without_penalties(rows)

    def feels(self, sheet: Sheet) -> bool:
        """Whether wound penalties apply to a creature of this kind."""
        return self.system.kind(sheet.kind).feels_wounds

    def size(self, sheet: Sheet) -> int:
        """A sheet's number of boxes."""
        return len(self.levels(sheet))

    one_by_one: ClassVar[None] = None

    def inflict(self, sheet: Sheet, amount: int, damage: Damage, blow: Blow = UNTOLD) -> Sheet:
        """The sheet with ``amount`` levels (zero or more) marked, one at a time (MQ-HEALTH-2)."""
        size = self.size(sheet)
        marks = sheet.marks
        for _ in range(min(amount, 3 * size)):
            marks = _mark(marks, damage, size)
        return replace(sheet, marks=marks)

    def by_blood(self, sheet: Sheet) -> BloodHealing | None:
        """The price of healing for those who heal by blood alone: the undead with blood on their sheet (MQ-HEAL-1)."""
        blood = self.system.layout.resource("blood")
        has_blood = blood is not None and self.system.layout.has(sheet.kind, blood)
        return self.blood if has_blood and self.system.kind(sheet.kind).undead else None

    def penalty(self, sheet: Sheet) -> int | None:
        """The worst filled box's penalty to every action, in dice: zero or below, ``None`` if it allows no action."""
        level = self.level(sheet)
        return level.penalty if level else 0

    def hindrance(self, sheet: Sheet) -> int:
        """As :meth:`penalty`, for a combatant who acts regardless: if no action is allowed, the last numeric one."""
        penalty = self.penalty(sheet)
        if penalty is not None:
            return penalty
        return min((level.penalty for level in self.levels(sheet) if level.penalty is not None), default=0)

    def level(self, sheet: Sheet) -> HealthLevel | None:
        """The worst filled box, ``None`` if all are empty. Marks beyond the last box count as in it."""
        return self.levels(sheet)[: len(sheet.marks)][-1] if sheet.marks else None

    def follows(self, sheet: Sheet) -> frozenset[str]:
        """The condition that the boxes cause, the gravest only (MQ-HEALTH-2)."""
        if len(sheet.marks) < self.size(sheet):
            return frozenset({INCAPACITATED}) if self.penalty(sheet) is None else frozenset()
        least = sheet.marks[-1]
        kind = self.system.kind(sheet.kind)
        # In a body immune to aggravated damage, such a mark means a level that found no free box.
        beyond = self.regeneration and kind.mortal and least is Damage.LETHAL and Damage.AGGRAVATED in sheet.marks
        if least is Damage.AGGRAVATED or beyond:
            return frozenset({DEAD})
        return frozenset({kind.felled if least is Damage.LETHAL else INCAPACITATED})

    def felled(self, sheet: Sheet) -> frozenset[str]:
        """Those of the conditions that the boxes cause in which nobody acts."""
        return self.follows(sheet)

    def brought(self, conditions: frozenset[str], before: Sheet, after: Sheet) -> frozenset[str]:
        """A combatant's conditions once their boxes are those of ``after``: those caused by boxes are replaced."""
        return (conditions - self.follows(before)) | self.follows(after)

    def word(self, sheet: Sheet) -> str:
        """A combatant's apparent health, for those who may not see the boxes."""
        felled = self.felled(sheet)
        if felled:
            return DEAD if DEAD in felled else "down"
        if not sheet.marks:
            return "unhurt"
        return "hurt" if 2 * len(sheet.marks) < self.size(sheet) else "badly hurt"

    def fitted(self, sheet: Sheet) -> Sheet:
        """The sheet with its marks fitted to its boxes: marks beyond the last are inflicted again as further damage."""
        size = self.size(sheet)
        beyond, sheet = sheet.marks[size:], replace(sheet, marks=sheet.marks[:size])
        for mark in beyond:
            sheet = self.inflict(sheet, 1, mark)
        return sheet

    def remove(self, sheet: Sheet, amount: int, damage: Damage) -> tuple[Sheet, int]:
        """The sheet with up to ``amount`` marks of one type removed, and how many were."""
        healed = min(amount, sheet.marks.count(damage))
        kept = list(sheet.marks)
        for _ in range(healed):
            kept.remove(damage)
        return replace(sheet, marks=tuple(kept)), healed

    def cure(self, sheet: Sheet, command: Heal) -> tuple[Sheet, dict[str, int]]:
        """The sheet with levels of one type healed, and how many by type. Raises "input" if nothing heals."""
        if command.amount is None or command.type is None or not 1 <= command.amount <= MOST_LEVELS:
            raise bad_input(phrase("enter-number-of-levels-to-heal"))
        sheet, healed = self.remove(sheet, command.amount, command.type)
        if not healed:
            raise bad_input(phrase("has-no-damage", name=sheet.name, type=command.type))
        return sheet, {command.type.value: healed}

    def put(self, sheet: Sheet, command: SetHealth) -> Sheet:
        """The sheet with the boxes that the Storyteller set."""
        if command.injuries or len(command.marks) > self.size(sheet):
            raise bad_input(phrase("there-is-more-damage-than-health-boxes"))
        return replace(sheet, marks=sort_marks(command.marks))

    def sound(self, sheet: Sheet) -> Sheet:
        """The sheet with its marks sorted, worst first. Raises "input" if there are more marks than boxes."""
        if sheet.injuries or sheet.scars or len(sheet.marks) > self.size(sheet):
            raise bad_input(phrase("has-more-damage-than-boxes", name=sheet.name))
        return replace(sheet, marks=sort_marks(sheet.marks))

    def told(self, who: str, sheet: Sheet, conditions: frozenset[str]) -> Event:
        """The event that records the boxes on ``sheet``, with all of the combatant's conditions."""
        return BoxesMarked(who, sheet.marks, conditions)

    def read(self, sheet: Sheet, harm: object) -> Sheet:
        """The sheet with the boxes that a scenario writes."""
        if not isinstance(harm, str):
            raise ValueError("should be a text in quotes.")
        if any(box != EMPTY_BOX and box not in BOXES for box in harm):
            raise ValueError("is written with / for bashing, X for lethal, * for aggravated and . for empty.")
        if len(harm) > self.size(sheet):
            raise ValueError(f"has {len(harm)} boxes, and there are {self.size(sheet)}.")
        return replace(sheet, marks=sort_marks(BOXES[box] for box in harm if box != EMPTY_BOX))

    def written(self, sheet: Sheet) -> str:
        """The boxes as a scenario writes them, worst first."""
        return "".join(SIGNS[mark] for mark in sheet.marks).ljust(self.size(sheet), EMPTY_BOX)

    def brings(self, hurt: Sheet, amount: int) -> frozenset[str]:
        """The conditions that a blow of this many levels causes, beyond those that follow from ``hurt``'s boxes."""
        return frozenset()

    def fates(self, sheet: Sheet, counts: int, damage: Damage) -> Iterator[frozenset[str]]:
        """The conditions that follow from 0, 1, 2, … further levels, ``counts`` values in all."""
        for _ in range(counts):
            yield self.follows(sheet)
            sheet = self.inflict(sheet, 1, damage)

    def regenerates(self, sheet: Sheet) -> bool:
        """Whether a combatant regenerates (AP-HEAL-1): by kind or, with ``regeneration``, by the sheet's Merits."""
        marks = sheet.merits if self.regeneration else frozenset()
        born = self.system.kind(sheet.kind).regenerates or REGENERATES in marks
        alive = DEAD not in self.follows(sheet)
        return born and NO_REGENERATION not in marks and alive

    def turn_end(self, sheet: Sheet) -> tuple[Sheet, dict[str, int]]:
        """What heals at the end of a turn (AP-HEAL-1): one level, by default of bashing damage, else of lethal."""
        if self.regenerates(sheet):
            first = self.system.settings.get("bashing_heals_first", True)
            for damage in (Damage.BASHING, Damage.LETHAL) if first else (Damage.LETHAL, Damage.BASHING):
                mended, healed = self.remove(sheet, 1, damage)
                if healed:
                    return mended, {damage.value: healed}
        return sheet, {}

    def regrown(self, sheet: Sheet) -> tuple[Sheet, dict[str, int]]:
        """The effect of minutes of rest on those who regenerate: all bashing and lethal damage heals."""
        if not self.regenerates(sheet):
            return sheet, {}
        healed = Counter(mark.value for mark in sheet.marks if mark is not Damage.AGGRAVATED)
        return replace(sheet, marks=tuple(mark for mark in sheet.marks if mark is Damage.AGGRAVATED)), dict(healed)

    def rest(
        self, sheet: Sheet, hours: int, *, care: bool = False, hospital: bool = True
    ) -> tuple[Sheet, dict[str, int]]:
        """The effect of time on the living, including fast healers (AP-HEAL-2).

        Those who regenerate lose their bashing and lethal damage within minutes. ``care`` matters only in some
        rulesets. The caller must exclude the dead, who do not heal.
        """
        sheet, mended = self.regrown(sheet)
        counts = Counter(mended)
        spared: frozenset[Damage] = frozenset()
        if self.system.kind(sheet.kind).rests_well:
            spared = frozenset({Damage.AGGRAVATED})
            sheet, days = self.remove(sheet, hours // self.system.settings["hours_per_aggravated"], Damage.AGGRAVATED)
            counts[Damage.AGGRAVATED.value] += days
        sheet, healed = self._mended(sheet, hours, spared)
        counts.update(healed)
        return sheet, dict(counts)

    def _mended(self, sheet: Sheet, hours: int, spared: frozenset[Damage]) -> tuple[Sheet, dict[str, int]]:
        """The effect of time on the living (MQ-HEAL-1): the sheet afterwards, and the levels healed by type.

        Bashing damage heals one level an hour, by default. In parallel, the other marks heal one at a time, least
        severe first, each taking the time of its box. Time left over is lost; ``spared`` types don't heal this way.
        """
        sheet, bashing = self.remove(sheet, hours // self.system.settings.get("hours_bashing", 1), Damage.BASHING)
        healed = {Damage.BASHING.value: bashing}
        levels = self.levels(Sheet("", pools=sheet.pools))  # how long a box takes depends on its penalty, felt or not
        grave = [mark for mark in sheet.marks if mark is not Damage.BASHING]
        while (
            grave
            and grave[-1] not in spared
            and hours >= (needed := levels[: len(grave)][-1].hours(self.system.settings))
        ):
            hours -= needed
            mark = grave.pop()
            healed[mark.value] = healed.get(mark.value, 0) + 1
        light = sheet.marks.count(Damage.BASHING)
        return replace(sheet, marks=(*grave, *[Damage.BASHING] * light)), healed


def _resized(rows: tuple[tuple[str, int | None], ...], count: int) -> tuple[tuple[str, int | None], ...]:
    """A track of ``count`` boxes: the last ones, or more of the first."""
    return (rows[0],) * (count - len(rows)) + rows[-count:]


@lru_cache(maxsize=256)
def _levels(rows: tuple[tuple[str, int | None], ...]) -> tuple[HealthLevel, ...]:
    return tuple(HealthLevel(name, penalty) for name, penalty in rows)


@lru_cache(maxsize=256)
def _without_penalties(rows: tuple[tuple[str, int | None], ...]) -> tuple[HealthLevel, ...]:
    """The same boxes for those whom wounds don't hinder, up to the boxes that allow no action."""
    return tuple(HealthLevel(name, None if penalty is None else 0) for name, penalty in rows)


def _mark(marks: tuple[Damage, ...], damage: Damage, size: int) -> tuple[Damage, ...]:
    if len(marks) < size:
        return sort_marks((*marks, damage))
    least = marks[-1].severity
    worse = max(damage.severity, min(least + 1, Damage.AGGRAVATED.severity))
    return sort_marks((*marks[:-1], list(Damage)[worse]))
