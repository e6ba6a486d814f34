"""Plain values (words, numbers, switches, lists, tables) as forms, rows and files hold them, read with their errors.

An error is a :class:`rules.model.options.BadOption` whose key is the path of the faulty value: "effects.1.amount".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from rules.engine.phrases import phrase
from rules.model.options import BadOption

_Word = TypeVar("_Word", bound=StrEnum)

MOST_WORDS = 40
"""How many words a list may have."""


@dataclass(frozen=True, slots=True)
class Given:
    """A table of plain values; ``at`` is its path, with the dot that separates it from a key."""

    values: Mapping[str, Any]
    at: str = ""

    def bad(self, key: str, message: str) -> BadOption:
        """The error to raise about one of the values."""
        return BadOption(f"{self.at}{key}", message)

    def only(self, known: Collection[str], message: str) -> None:
        """Raise for the first unknown key."""
        for key in self.values:
            if key not in known:
                raise self.bad(key, message)

    def text(self, key: str, longest: int) -> str:
        """A text in one line, "" by default."""
        found = self.values.get(key, "")
        if not isinstance(found, str):
            raise self.bad(key, phrase("enter-a-word"))
        words = " ".join(found.split())
        if len(words) > longest:
            raise self.bad(key, phrase("enter-at-most-characters", most=longest))
        return words

    def choice(self, key: str, among: type[_Word], default: _Word | None = None) -> _Word:
        """One of an enumeration's words; without a ``default`` it is required."""
        found = self.values.get(key, default)
        if found is None or found not in list(among):
            raise self.bad(key, phrase("choose-one-of-options"))
        return among(found)

    def number(self, key: str, least: int, most: int, default: int) -> int:
        """A whole number within limits."""
        found = self.number_or_none(key, least, most)
        return default if found is None else found

    def number_or_none(self, key: str, least: int, most: int) -> int | None:
        """A whole number within limits, ``None`` if there is none."""
        found = self.values.get(key)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
            raise self.bad(key, phrase("whole-number-from-to", least=least, most=most))
        return found

    def switch(self, key: str) -> bool:
        """Yes or no, no by default."""
        found = self.values.get(key, False)
        if not isinstance(found, bool):
            raise self.bad(key, phrase("choose-yes-or-no"))
        return found

    def words(self, key: str) -> tuple[str, ...]:
        """A list of words, each once, empty by default."""
        found = self.values.get(key, ())
        if not isinstance(found, list | tuple) or any(not isinstance(word, str) for word in found):
            raise self.bad(key, phrase("enter-list-of-words"))
        if len(found) > MOST_WORDS:
            raise self.bad(key, phrase("choose-at-most", most=MOST_WORDS))
        return tuple(dict.fromkeys(found))

    def choices(self, key: str, among: type[_Word]) -> frozenset[_Word]:
        """Some of an enumeration's words."""
        found = self.words(key)
        if any(word not in list(among) for word in found):
            raise self.bad(key, phrase("choose-one-of-options"))
        return frozenset(map(among, found))

    def table(self, key: str) -> Given:
        """The table under a key, empty by default."""
        found = self.values.get(key, {})
        if not isinstance(found, Mapping):
            raise self.bad(key, phrase("enter-settings-as-table"))
        return Given(found, f"{self.at}{key}.")

    def tables(self, key: str, most: int) -> tuple[Given, ...]:
        """The list of tables under a key, empty by default; the path of the first is "KEY.0."."""
        found = self.values.get(key, ())
        if not isinstance(found, list | tuple) or any(not isinstance(each, Mapping) for each in found):
            raise self.bad(key, phrase("enter-list-of-tables"))
        if len(found) > most:
            raise self.bad(key, phrase("choose-at-most", most=most))
        return tuple(Given(each, f"{self.at}{key}.{number}.") for number, each in enumerate(found))
