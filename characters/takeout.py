"""The formats in which a character can be taken out, for those who may read the whole sheet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from characters.access import Seen


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name and help for the page, the file's ending and type, whom it is for, and what writes it.

    ``why_not`` is the sentence that says why this character can't be written, "" if it can. What is written depends on
    the reader: players don't get the Storyteller's notes.
    """

    key: str
    label: Any
    help: Any
    ending: str
    type: str
    why_not: Callable[[Seen], str]
    write: Callable[[Seen], bytes]


_formats: dict[str, Format] = {}


def register_format(one: Format) -> None:
    """Add a format, when the app is ready."""
    _formats[one.key] = one


def formats() -> tuple[Format, ...]:
    """All formats."""
    return tuple(_formats.values())


def format_of(key: str) -> Format | None:
    """The format with this key."""
    return _formats.get(key)
