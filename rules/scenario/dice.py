"""A scenario's dice: the faces written in the file, in the order in which they are rolled."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.engine.dice import Faces, Purpose, Throw
from rules.scenario.fields import BadScenario, Table, whole

LISTS = ("attack", "damage", "soak", "roll", "resist", "check")
"""The keys allowed under ``dice``, each the name of a roll's purpose."""

ANYBODY = ""

Written = Mapping[tuple[str, str], Faces]
"""Faces by purpose and by the name they are listed under; :data:`ANYBODY` if a list has no name."""


def read_dice(table: Table, names: Collection[str]) -> Written:
    """A step's ``dice``: for each purpose a list, or a table of lists by name."""
    table.only(LISTS)
    written: dict[tuple[str, str], Faces] = {}
    for key, value in table.values.items():
        if isinstance(value, dict):
            written |= by_name(table.table(key), key, names)
        else:
            written[key, ANYBODY] = faces(value, f"{table.where}, {key}")
    return written


def by_name(table: Table, key: str, names: Collection[str]) -> Written:
    """A table of lists by combatant, for the purpose ``key``."""
    for name in table.values:
        if name not in names:
            raise BadScenario(f"there is no combatant “{name}”.", table.where)
    return {(key, name): faces(value, f"{table.where}, {name}") for name, value in table.values.items()}


def faces(value: Any, where: str) -> Faces:
    """A list of faces."""
    if not isinstance(value, list):
        raise BadScenario("dice are a list of faces.", where)
    for face in value:
        if not whole(face) or not 1 <= face <= 10:
            raise BadScenario(f"a die shows 1 to 10, not {face!r}.", where)
    return tuple(value)


class BadDice(BadScenario):
    """A step's dice do not match its rolls; ``what`` is the purpose of those that don't."""

    def __init__(self, reason: str, what: str) -> None:
        super().__init__(reason)
        self.what = what


@dataclass
class AnyDice:
    """Dice that reveal what a step rolls when the written ones don't fit.

    No face causes another roll, and none appears twice in a row, since ties are rolled off until they differ.
    """

    _thrown: int = 0

    def roll(self, throw: Throw) -> Faces:
        """The next faces."""
        begin, self._thrown = self._thrown, self._thrown + throw.count
        return tuple(2 + number % 6 for number in range(begin, self._thrown))

    def pick(self, options: int) -> int:
        return 0


@dataclass
class WrittenDice:
    """The dice of one step. Raises :class:`BadDice` if a roll finds too few."""

    written: Written
    _taken: dict[tuple[str, str], int] = field(default_factory=dict)

    def roll(self, throw: Throw) -> Faces:
        """The next faces written for this throw."""
        for place in self._places(throw):
            if place in self.written:
                return self._take(place, throw)
        raise BadDice(f"no dice are written for {_said(throw)}.", throw.purpose.value)

    def pick(self, options: int) -> int:
        """The Storyteller's choice: always the first. A choice uses no dice and waits for nobody."""
        return 0

    def check_used(self) -> None:
        """Raise if dice are left over."""
        for place, written in self.written.items():
            taken = self._taken.get(place, 0)
            if taken == len(written):
                continue
            where = _name(place)
            if not taken:
                raise BadScenario(f"{where}: dice are written for a roll that did not happen.")
            raise BadDice(f"{where}: too many dice: {len(written)} are written, {taken} were rolled.", place[0])

    def _places(self, throw: Throw) -> list[tuple[str, str]]:
        """Where a throw's dice may be written: an attack's under the target's name, others under the roller's."""
        names = [throw.by]
        if throw.purpose in (Purpose.ATTACK, Purpose.DAMAGE):
            names.insert(0, throw.target)
        places = [(throw.purpose.value, name) for name in names]
        return [*places, (throw.purpose.value, ANYBODY)]

    def _take(self, place: tuple[str, str], throw: Throw) -> Faces:
        begin = self._taken.get(place, 0)
        found = self.written[place][begin : begin + throw.count]
        if len(found) < throw.count:
            raise BadDice(
                f"{_name(place)}: too few dice: {_said(throw)} takes {throw.count}, "
                f"{len(found) or 'none'} {'is' if len(found) == 1 else 'are'} left.",
                place[0],
            )
        self._taken[place] = begin + throw.count
        return found


def _said(throw: Throw) -> str:
    against = f" against {throw.target}" if throw.target else ""
    return f"{throw.by}’s {throw.purpose}{against} ({throw.count} dice)"


def _name(place: tuple[str, str]) -> str:
    key, name = place
    if key == "defence":
        return f"defence.dice of {name}"
    return f"dice.{key}.{name}" if name else f"dice.{key}"
