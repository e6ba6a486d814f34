"""The formats of files that a character can be brought in from. A file’s content tells its format, never its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from characters.incoming.arrival import Arrival, Asking, BadFile


@dataclass(frozen=True, slots=True)
class Reader:
    """A format: its name and help for the page, the endings of its files, how it is told, and what reads it.

    ``read`` raises `BadFile` for a file of this format that can't be brought in here.
    """

    key: str
    label: Any
    help: Any
    accept: str
    knows: Callable[[bytes], bool]
    read: Callable[[bytes, Asking], Arrival]


_readers: dict[str, Reader] = {}


def register_reader(reader: Reader) -> None:
    """Add a format, when the app is ready."""
    _readers[reader.key] = reader


def readers() -> tuple[Reader, ...]:
    """The formats."""
    return tuple(_readers.values())


def read(content: bytes, asking: Asking) -> Arrival:
    """What a file brings. Raises `BadFile`."""
    for reader in readers():
        if reader.knows(content):
            return reader.read(content, asking)
    raise BadFile(_("This isn’t one of the formats below. Choose another file."))
