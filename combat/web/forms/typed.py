"""Typed dice: one field per die of each throw, keeping what was already typed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from combat.commands.dice import SIDES, TypedDice, rolled_at, roller
from rules.engine.dice import Faces, Purpose, Throw
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.plan import PoolPlan

if TYPE_CHECKING:
    from combat.web.forms.base import Table

FIELD = "die"
ROLLED = "rolled"
MOST_DICE = 200


@dataclass(frozen=True, slots=True)
class ThrowRow:
    """A throw as drawn: field name, roller, purpose, typed values, whether it is still `wanted`, and how many of its
    fields were `left_out` (sent empty). A `rolled` one is rolled by Vesper."""

    field: str
    name: str
    purpose: str
    values: tuple[str, ...]
    wanted: bool
    left_out: int
    rolled: bool = False


def field_of(purpose: Purpose, who: str) -> str:
    """The field name of a throw's dice."""
    return f"{FIELD}-{purpose.value}-{who}"


def _throw_in(field: str) -> tuple[Purpose, str] | None:
    """The purpose and roller in a field name of :func:`field_of`; None for other names."""
    start, _dash, rest = field.partition("-")
    purpose, _dash, who = rest.partition("-")
    return (Purpose(purpose), who) if start == FIELD and purpose in list(Purpose) else None


class TypesDice:
    """Mixin for forms whose dice can be typed (`types_dice`). `wanted` is the throw whose dice are still missing."""

    data: Any
    initial: Any
    is_bound: bool
    wanted: Throw | None
    table: Table

    @property
    def types_dice(self) -> bool:
        """Whether dice are typed instead of rolled."""
        return bool((self.data if self.is_bound else self.initial).get("dice") == "type")

    def expected(self) -> tuple[Throw, ...]:
        """The throws that are known in advance."""
        return ()

    def _given(self) -> dict[tuple[Purpose, str], tuple[str, ...]]:
        found: dict[tuple[Purpose, str], tuple[str, ...]] = {}
        for key in list(self.data)[:MOST_DICE] if self.is_bound else ():
            if throw := _throw_in(key):
                found[throw] = tuple(each.strip()[:3] for each in self.data.getlist(key)[:MOST_DICE])
        return found

    def typed_dice(self, people: Iterable[str]) -> TypedDice:
        """The dice typed for these people. A throw with an empty field is asked for again.

        Raises `RuleViolation` ("input") for a value that isn't on the die.
        """
        given: dict[tuple[Purpose, str], Faces] = {}
        for throw, values in self._given().items():
            if all(values):
                given[throw] = tuple(_face(value) for value in values)
        chosen = set(self.data.getlist("by_hand")) if self.data.get("by_hand_asked") else set(people)
        by_hand, rolled = frozenset(people) & chosen, self._rolled()
        typed = {throw: faces for throw, faces in given.items() if roller(throw[1]) in by_hand and throw not in rolled}
        return TypedDice(typed, by_hand, rolled=rolled)

    def _rolled(self) -> frozenset[tuple[Purpose, str]]:
        """The throws that Vesper rolls although their roller's other dice are typed."""
        sent = self.data.getlist(ROLLED)[:MOST_DICE] if self.is_bound else ()
        return frozenset(throw for each in sent if (throw := _throw_in(str(each))))

    def throw_rows(self) -> list[ThrowRow]:
        """The throws already typed, and those asked for now."""
        given = self._given()
        wanted = {
            (throw.purpose, throw.by): _with_rerolls(throw, given.get((throw.purpose, throw.by), ()))
            for throw in self.expected()
        }
        if self.wanted is not None:
            place = (self.wanted.purpose, self.wanted.by)
            wanted[place] = max(self.wanted.count, wanted.get(place, 0))
        rows, rolled = [], self._rolled()
        for purpose, who in {**given, **wanted}:
            sent = given.get((purpose, who), ())
            count = wanted.get((purpose, who), len(sent))
            values = (*sent, *[""] * count)[:count]
            name, what_for = self._name(who), str(_PURPOSES[purpose])
            by_vesper = (purpose, who) in rolled
            left_out = 0 if by_vesper else values[: len(sent)].count("")
            wanted_still = not by_vesper and not all(values)
            rows.append(ThrowRow(field_of(purpose, who), name, what_for, values, wanted_still, left_out, by_vesper))
        return rows

    def _name(self, who: str) -> str:
        names = (found.sheet.name if (found := self.table.find(one)) else "" for one in (roller(who), rolled_at(who)))
        return " → ".join(name for name in names if name)


_PURPOSES = {
    Purpose.INITIATIVE: _("initiative"),
    Purpose.ATTACK: _("attack"),
    Purpose.DEFENCE: _("defence"),
    Purpose.DAMAGE: _("damage"),
    Purpose.SOAK: _("soak"),
    Purpose.ROLL: _("roll"),
    Purpose.RESIST: _("resistance"),
    Purpose.CHECK: _("check"),
    Purpose.TIE: _("tie"),
}


def _with_rerolls(throw: Throw, typed: Sequence[str]) -> int:
    """The number of dice in a throw, including the rerolls that the typed faces cause."""
    faces = [_number(value) for value in typed]
    count = throw.count + sum(face in throw.once for face in faces[: throw.count])
    done = 0
    while throw.again and done < count:
        fresh, done = faces[done:count], count
        count += sum(face >= throw.again for face in fresh)
    return count


def _number(value: str) -> int:
    """A typed face, 0 for anything else. Longer numbers than any die has may have more digits than Python reads."""
    return SIDES if value == "0" else int(value) if value.isdecimal() and len(value) < 4 else 0


def _face(value: str) -> int:
    face = _number(value)
    if not 1 <= face <= SIDES:
        raise bad_input(phrase("isnt-on-die-enter-numbers-from-1", value=value, sides=SIDES))
    return face


def throw_of(purpose: Purpose, who: str, plan: PoolPlan) -> Throw:
    """The throw of a plan's dice, or of the single die of a chance roll."""
    return Throw(purpose, who, 1 if plan.chance else plan.pool, "", plan.again, plan.once)
