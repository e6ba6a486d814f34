"""Texts for readers: English, with all that is needed to say the same in another language.

Labels, refusals and whatever else of the rules people read is a :class:`Phrase`. It is its English text, to be compared
and kept like any other, and remembers the template and the values that it was made of; whoever shows it to a reader
looks the template up in that reader's language and puts the values in again. Templates are found in the source by the
names of the functions here: they must be written out where they are called, never put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import SupportsIndex

Value = str | int
"""What stands in a template's braces: a name, a figure, or a phrase of its own."""


class Phrase(str):
    """A text in English that remembers what it was made of.

    ``template`` holds ``values`` in braces; with ``plural``, the template for all but one, ``number`` says of how
    many it speaks. Equal to any text that reads the same.
    """

    __slots__ = ("number", "plural", "template", "values")

    template: str
    values: dict[str, Value]
    plural: str
    number: int


class Typed(str):
    """Words as a player typed them: in no language of ours, and in which no name is masked.

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
"""Marks the fields of commands, and of what commands hold, in which a player's words may stand."""


def phrase(template: str, /, **values: Value) -> Phrase:
    """A label or a sentence: ``phrase("{weapon} is not jammed.", weapon=weapon.name)``."""
    return _made(template, "", 1, values) if values else _plain(template)


def phrases(singular: str, plural: str, count: int, /, **values: Value) -> Phrase:
    """One that speaks of so many: ``phrases("{count} round", "{count} rounds", rounds)``."""
    return _made(singular, plural, count, {"count": count, **values})


def made_of(template: str, values: dict[str, Value], plural: str = "", count: int = 1) -> Phrase:
    """The phrase of these parts, as they were kept of another."""
    return _made(template, plural, count, values)


@cache
def _plain(template: str) -> Phrase:
    return _made(template, "", 1, {})


def _made(template: str, plural: str, count: int, values: dict[str, Value]) -> Phrase:
    said = plural if plural and count != 1 else template
    made = Phrase(said.format_map(values) if values else said)
    made.template, made.values, made.plural, made.number = template, values, plural, count
    return made


def names(labels: str) -> tuple[Phrase, ...]:
    """Labels, given one after the other: ``names("Strength, Dexterity")``. Each is translated by itself."""
    return tuple(_plain(label) for label in labels.split(", "))


def separated(items: Sequence[str], by: str) -> str:
    """Several things with the same between them."""
    said = items[0]
    for item in items[1:]:
        said = made_of("{first}" + by + "{then}", {"first": said, "then": item})
    return said


def listed(items: Sequence[str]) -> str:
    """Several things as a sentence has them: "Ann, Bob and Cid"."""
    if len(items) < 2:
        return items[0] if items else ""
    first = separated(items[:-1], ", ")
    return phrase("{first} and {last}", first=first, last=items[-1])
