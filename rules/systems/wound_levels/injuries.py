"""Separate injuries, the wound level they add up to, and permanent scars."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from rules.engine.copies import replace
from rules.engine.messages import Event
from rules.engine.phrases import Phrase, phrase
from rules.engine.violations import bad_input
from rules.model.conditions import DEAD, INCAPACITATED, STUNNED
from rules.model.gear import Damage
from rules.model.health import UNTOLD, Blow, HealthLevel
from rules.model.sheet import LONGEST_CAUSE, Injury, Scar, Sheet, gravest_first
from rules.model.system import Game, SystemPart
from rules.topics.commands import Heal, SetHealth
from rules.topics.events import InjuriesMarked

SCARRING = 4
"""The lowest injury level that leaves a scar (WL-SCAR-1)."""

MOST_LEVEL = 100
MOST_INJURIES = 100

ON_THEIR_FEET = ""

BY_THE_BOOK: tuple[tuple[int, int, str], ...] = (
    (3, -1, ON_THEIR_FEET),
    (5, -2, ON_THEIR_FEET),
    (7, -3, INCAPACITATED),
    (10, -3, DEAD),
)
"""Rows of lowest wound level, dice lost, and resulting condition (WL-DMG-5)."""


def wound_level(sheet: Sheet) -> int:
    """The highest injury's level plus one for each of the others (WL-DMG-3); 0 for the unhurt."""
    if not sheet.injuries:
        return 0
    return max(injury.level for injury in sheet.injuries) + len(sheet.injuries) - 1


def results(game: Game, _told: tuple[Event, ...]) -> dict[str, Any]:
    """Wound level, number of severe injuries, and scars, for scenarios."""
    people, kept = game.state.combatants, game.system.health.one_by_one
    assert kept, "the ruleset keeps injuries"
    return {
        "wound_level": {who: wound_level(one.sheet) for who, one in people.items()},
        "severe": {who: sum(kept.severe(each) for each in one.sheet.injuries) for who, one in people.items()},
        "scars": {who: len(one.sheet.scars) for who, one in people.items()},
    }


@dataclass(frozen=True, slots=True)
class InjuryRules(SystemPart):
    """Injuries instead of boxes (WL-DMG-2 to WL-DMG-5, WL-STUN-1, WL-SCAR-1).

    The setting ``wound_levels`` defines the effects of each wound level.
    """

    most_level: ClassVar[int] = MOST_LEVEL
    scarring: ClassVar[int] = SCARRING

    @property
    def one_by_one(self) -> InjuryRules:
        """The interface to injuries for pages and forms."""
        return self

    def harm(self, amount: int) -> Phrase:
        """A description of that much harm: one injury of that level."""
        return phrase("a-level-injury", level=amount)

    def severe(self, injury: Injury) -> bool:
        """Whether an injury counts as severe (WL-DMG-4)."""
        return injury.level >= int(self.system.settings["severe_from"])

    def come_to(self, sheet: Sheet) -> int:
        """The wound level."""
        return wound_level(sheet)

    def levels(self, sheet: Sheet | None = None) -> tuple[HealthLevel, ...]:
        """No boxes."""
        return ()

    def inflict(self, sheet: Sheet, amount: int, damage: Damage, blow: Blow = UNTOLD) -> Sheet:
        """The sheet with one more injury of that level (0: none), and a scar if it is bad enough."""
        if amount < 1:
            return sheet
        injuries = gravest_first((*sheet.injuries, Injury(amount, blow.cause)))
        scar = Scar(amount, blow.cause, blow.turn, blow.resolution)
        return replace(sheet, injuries=injuries, scars=(*sheet.scars, scar) if amount >= SCARRING else sheet.scars)

    def penalty(self, sheet: Sheet) -> int | None:
        """The wound penalty in dice: zero or negative, ``None`` if no action is possible (WL-DMG-5)."""
        return None if self.follows(sheet) else self.hindrance(sheet)

    def hindrance(self, sheet: Sheet) -> int:
        """Like :meth:`penalty`, for somebody who acts regardless."""
        row = self._row(sheet)
        return row[1] if row and self.system.kind(sheet.kind).feels_wounds else 0

    def level(self, sheet: Sheet) -> HealthLevel | None:
        """The wound level by its name, ``None`` for the unhurt."""
        level = wound_level(sheet)
        return HealthLevel(phrase("wound-level", level=level), self.penalty(sheet)) if level else None

    def follows(self, sheet: Sheet) -> frozenset[str]:
        """The condition that follows from the wound level, if any."""
        row = self._row(sheet)
        return frozenset({row[2]}) if row and row[2] else frozenset()

    def brought(self, conditions: frozenset[str], before: Sheet, after: Sheet) -> frozenset[str]:
        """Somebody's conditions once their injuries are those of ``after``."""
        return (conditions - self.follows(before)) | self.follows(after)

    def _row(self, sheet: Sheet) -> tuple[int, int, str] | None:
        """The row of the chronicle's table for the wound level."""
        level = wound_level(sheet)
        rows: tuple[tuple[int, int, str], ...] = self.system.settings["wound_levels"]
        return next((row for row in reversed(rows) if row[0] <= level), None)

    def word(self, sheet: Sheet) -> str:
        """A combatant's visible state for those who may not see the injuries: based on the wound level, never on the
        cause.
        """
        gravest = next(iter(self.follows(sheet)), "")
        if gravest:
            return DEAD if gravest == DEAD else "down"
        level = wound_level(sheet)
        if not level:
            return "unhurt"
        felled = next((row[0] for row in self.system.settings["wound_levels"] if row[2]), MOST_LEVEL)
        return "hurt" if 2 * level < felled else "badly hurt"

    # -------------------------------------------------------------- by the Storyteller's word

    def cure(self, sheet: Sheet, command: Heal) -> tuple[Sheet, dict[str, int]]:
        """The sheet with one injury healed, or reduced by ``amount`` levels; and the number of levels healed."""
        if not 1 <= command.injury <= len(sheet.injuries):
            raise bad_input(phrase("has-no-such-injury", name=sheet.name))
        kept = list(sheet.injuries)
        injury = kept.pop(command.injury - 1)
        amount = injury.level if command.amount is None else command.amount
        if amount < 1:
            raise bad_input(phrase("enter-by-how-many-levels-injury-improves"))
        if amount < injury.level:
            kept.append(replace(injury, level=injury.level - amount))
        return replace(sheet, injuries=gravest_first(kept)), {"levels": min(amount, injury.level)}

    def put(self, sheet: Sheet, command: SetHealth) -> Sheet:
        """The sheet with the injuries set by the Storyteller."""
        if command.marks:
            raise bad_input(phrase("this-ruleset-has-no-health-boxes-each"))
        return self.sound(replace(sheet, injuries=command.injuries))

    def sound(self, sheet: Sheet) -> Sheet:
        """The sheet with its injuries sorted, worst first; raises "input" for invalid ones."""
        if sheet.marks:
            raise bad_input(phrase("has-damage-in-health-boxes-this-ruleset", name=sheet.name))
        harm: tuple[Injury | Scar, ...] = (*sheet.injuries, *sheet.scars)
        if len(sheet.injuries) > MOST_INJURIES or any(not 1 <= each.level <= MOST_LEVEL for each in harm):
            raise bad_input(
                phrase(
                    "injuries-have-level-from-1-to-character",
                    most_level=MOST_LEVEL,
                    most_injuries=MOST_INJURIES,
                )
            )
        if any(len(each.cause) > LONGEST_CAUSE for each in harm):
            raise bad_input(phrase("say-in-at-most-characters-what-caused", longest_cause=LONGEST_CAUSE))
        return replace(sheet, injuries=gravest_first(sheet.injuries))

    def fitted(self, sheet: Sheet) -> Sheet:
        """The sheet in another shape: injuries do not change."""
        return sheet

    def told(self, who: str, sheet: Sheet, conditions: frozenset[str]) -> Event:
        """The report that somebody's injuries are now as on ``sheet``."""
        return InjuriesMarked(who, sheet.injuries, sheet.scars, conditions)

    def read(self, sheet: Sheet, harm: object) -> Sheet:
        """The sheet with injuries of the levels given in a scenario."""
        if not isinstance(harm, list) or not all(type(level) is int and level >= 1 for level in harm):
            raise ValueError("is a list of injury levels, each 1 or more.")
        return replace(sheet, injuries=gravest_first(Injury(level) for level in harm))

    def written(self, sheet: Sheet) -> list[int]:
        """The levels, highest first."""
        return [injury.level for injury in sheet.injuries]

    def brings(self, hurt: Sheet, amount: int) -> frozenset[str]:
        """Stun, for damage above Stamina in a single injury (WL-STUN-1); the dead are immune."""
        alive = DEAD not in self.follows(hurt)
        stunned = alive and amount > self.system.layout.dots(hurt, "stamina")
        return frozenset({STUNNED}) if stunned else frozenset()

    def fates(self, sheet: Sheet, counts: int, damage: Damage) -> Iterator[frozenset[str]]:
        """The results of no further injury, one of level 1, and so on: ``counts`` entries."""
        return (self.follows(self.inflict(sheet, level, damage)) for level in range(counts))

    # -------------------------------------------------------------- time, and blood

    def by_blood(self, sheet: Sheet) -> None:
        """The price of healing by blood: nobody heals by it."""

    def remove(self, sheet: Sheet, amount: int, damage: Damage) -> tuple[Sheet, int]:
        """Not applicable: damage has no types here."""
        return sheet, 0

    def turn_end(self, sheet: Sheet) -> tuple[Sheet, dict[str, int]]:
        """What the end of a turn heals: nothing."""
        return sheet, {}

    def rest(
        self, sheet: Sheet, hours: int, *, care: bool = False, hospital: bool = True
    ) -> tuple[Sheet, dict[str, int]]:
        """Not applicable: the Storyteller decides how fast injuries heal (WL-DMG-4); raises "input"."""
        raise bad_input(phrase("no-rule-says-how-long-injury-takes"))
