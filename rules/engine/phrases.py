"""Texts for readers: an id and values, whose sentence is in the message catalogues.

Labels, refusals and other texts of the rules are :class:`Phrase` objects: the English text, which compares and prints
like any string, together with the message id and the values that it was made from. Screens look up the id in the
reader's language and fill in the values again; logs keep the id and never the sentence. `script/translate` finds ids
by the names of the functions here, so write them out where the functions are called.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import SupportsIndex

from rules.engine.catalogues import ENGLISH, former_sentences, template

Value = str | int
"""The value of a placeholder: a name, a number, or another phrase."""


class Phrase(str):
    """An English text that knows its message id and its values.

    ``number`` selects the plural form; None for messages without one.
    """

    __slots__ = ("id", "number", "values")

    id: str
    values: dict[str, Value]
    number: int | None


class Typed(str):
    """Text typed by a player: never translated, and no name in it is masked.

    ``of`` is the character whom they name, "" where they are no character's name. They stay marked while the rules trim
    them.
    """

    __slots__ = ("of",)

    of: str

    def __new__(cls, words: str, of: str = "") -> Typed:
        made = super().__new__(cls, words)
        made.of = of
        return made

    def __str__(self) -> str:
        return self

    def __getitem__(self, key: SupportsIndex | slice) -> Typed:
        return Typed(super().__getitem__(key))

    def strip(self, characters: str | None = None, /) -> Typed:
        return Typed(super().strip(characters))


PLAYERS_WORDS = {"words": True}
"""Field metadata of commands and their parts: the field may hold a player's words."""


def phrase(key: str, /, **values: Value) -> Phrase:
    """A label or a sentence by its message id: ``phrase("isnt-jammed", weapon=weapon.name)``."""
    return made_of(key, values) if values else _plain(key)


def phrases(key: str, count: int, /, **values: Value) -> Phrase:
    """A message with plural forms, of which `count` selects one: ``phrases("rounds", rounds)``."""
    return made_of(key, {"count": count, **values}, count)


def made_of(key: str, values: dict[str, Value], number: int | None = None) -> Phrase:
    """The phrase with these parts, such as a log keeps."""
    sentence = template(ENGLISH, key, number)
    made = Phrase(sentence.format_map(values) if values else sentence)
    made.id, made.values, made.number = key, values, number
    return made


def formerly(text: str) -> str:
    """The wording of a phrase from before there were ids, in English; of any other text, the text."""
    if not isinstance(text, Phrase):
        return text
    values = {name: formerly(value) if isinstance(value, str) else value for name, value in text.values.items()}
    return former_sentences().get(text.id, text.id).format_map(values)


@cache
def _plain(key: str) -> Phrase:
    return made_of(key, {})


def names(keys: str) -> tuple[Phrase, ...]:
    """Several labels by their ids: ``names("strength, dexterity")``."""
    return tuple(_plain(key) for key in keys.split(", "))


def separated(items: Sequence[str], by: str) -> str:
    """The items with a separator between them, the same in every language."""
    said = items[0]
    for item in items[1:]:
        said = made_of("{first}" + by + "{then}", {"first": said, "then": item})
    return said


def listed(items: Sequence[str]) -> str:
    """The items as a sentence lists them: "Ann, Bob and Cid"."""
    if len(items) < 2:
        return items[0] if items else ""
    first = separated(items[:-1], ", ")
    return phrase("and", first=first, last=items[-1])
