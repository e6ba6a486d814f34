"""Reads typed values from a scenario's tables; errors name the place in the file."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, TypeVar

_Word = TypeVar("_Word", bound=StrEnum)

MOST = 1_000_000

SLIP = 0.85
"""Similarity (0 to 1) above which a name counts as misspelled: “wit” for “wits”, “dexterty”."""


class BadScenario(Exception):
    """An unreadable scenario, or dice that don't fit. ``reason`` is a sentence, ``where`` its place in the file."""

    def __init__(self, reason: str, where: str = "") -> None:
        super().__init__(f"{where}: {reason}" if where else reason)
        self.reason = reason
        self.where = where


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the file, and the place that messages name."""

    where: str
    values: Mapping[str, Any]

    @classmethod
    def of(cls, where: str, value: Any) -> Table:
        """The table at ``where``. Raises :class:`BadScenario` if the value is not a table."""
        if not isinstance(value, dict):
            raise BadScenario("this should be a table.", where)
        return cls(where, value)

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def bad(self, key: str, reason: str) -> BadScenario:
        """The error to raise about one of the keys."""
        return BadScenario(f"“{key}” {reason}", self.where)

    def only(self, known: Collection[str]) -> None:
        """Raise for the first unknown key."""
        for key in self.values:
            if key not in known:
                raise BadScenario(f"unknown key “{key}”.", self.where)

    def spelled(self, names: Iterable[str], known: Collection[str]) -> None:
        """Raise for the first name that looks like a misspelled known one. Any other may be the author's own."""
        for name in names:
            if name not in known and (meant := get_close_matches(name, known, 1, SLIP)):
                raise BadScenario(f"“{name}” is not known: write “{meant[0]}”.", self.where)

    def required(self, key: str) -> Any:
        """The value of a required key."""
        if key not in self.values:
            raise self.bad(key, "is missing.")
        return self.values[key]

    def table(self, key: str) -> Table:
        """The table under a key, empty if it is omitted."""
        where = f"{self.where}, {key}" if self.where else key
        return Table.of(where, self.values.get(key, {}))

    def tables(self, key: str) -> list[Table]:
        """The list of tables under a key, empty if it is omitted."""
        found = self.values.get(key, [])
        if not isinstance(found, list):
            raise self.bad(key, "should be a list of tables.")
        place = f"{self.where}, {key}" if self.where else key
        return [Table.of(f"{place} {number}", value) for number, value in enumerate(found, 1)]

    def text(self, key: str, default: str = "") -> str:
        """The text under a key."""
        found = self.values.get(key, default)
        if not isinstance(found, str):
            raise self.bad(key, "should be a text in quotes.")
        return found

    def number(self, key: str, *, least: int = -MOST, most: int = MOST) -> int:
        """The whole number under a required key."""
        found = self.required(key)
        if not whole(found) or not least <= found <= most:
            raise self.bad(key, f"should be a whole number from {least} to {most}.")
        return int(found)

    def number_or_none(self, key: str, *, least: int = -MOST, most: int = MOST) -> int | None:
        """The whole number under a key, ``None`` if it is omitted."""
        return self.number(key, least=least, most=most) if key in self.values else None

    def switch(self, key: str) -> bool:
        """True or false; false if it is omitted."""
        found = self.values.get(key, False)
        if not isinstance(found, bool):
            raise self.bad(key, "should be true or false.")
        return found

    def word(self, key: str, words: type[_Word], default: _Word | None = None) -> _Word:
        """A member of an enumeration."""
        found = self.required(key) if default is None else self.values.get(key, default)
        if found not in list(words):
            raise self.bad(key, f"should be one of {', '.join(words)}.")
        return words(found)

    def words(self, key: str, known: Collection[str] = ()) -> tuple[str, ...]:
        """A list of texts, empty if it is omitted. If ``known`` is not empty, only its texts are allowed."""
        found = self.values.get(key, [])
        if not isinstance(found, list) or not all(isinstance(item, str) for item in found):
            raise self.bad(key, "should be a list of texts in quotes.")
        if known and not set(found) <= set(known):
            raise self.bad(key, f"should be a list out of {', '.join(known)}.")
        return tuple(found)

    def numbers(self, key: str, *, least: int, most: int = MOST) -> dict[str, int]:
        """Whole numbers by name."""
        table = self.table(key)
        return {name: table.number(name, least=least, most=most) for name in table.values}


def whole(value: Any) -> bool:
    """Whether a value is a whole number; unlike in Python, true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)
