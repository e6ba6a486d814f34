"""A numbered log with undo: which of its entries count.

Undoing appends an entry that names the one taken back, redoing one that names the one brought
back; nothing is ever removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from rules.engine.messages import Event


class Numbered(Protocol):
    """A row of a log, as it is counted: see :class:`Entry`."""

    @property
    def seq(self) -> int: ...
    @property
    def events(self) -> tuple[Event, ...]: ...
    @property
    def undoes(self) -> int | None: ...
    @property
    def redoes(self) -> int | None: ...
    @property
    def fixed(self) -> bool: ...


Row = TypeVar("Row", bound=Numbered)


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a log: the events of a command, or the undoing or redoing of another row's.

    A ``fixed`` row was nobody's action: it is never undone, and undo passes over it.
    """

    seq: int
    events: tuple[Event, ...] = ()
    undoes: int | None = None
    redoes: int | None = None
    fixed: bool = False


def undone(entries: Iterable[Numbered]) -> frozenset[int]:
    """The numbers of the entries that are taken back at the end of the log."""
    gone: set[int] = set()
    for entry in entries:
        if entry.undoes is not None:
            gone.add(entry.undoes)
        elif entry.redoes is not None:
            gone.discard(entry.redoes)
    return frozenset(gone)


def standing(entries: Sequence[Row]) -> tuple[Row, ...]:
    """The entries with events that count."""
    gone = undone(entries)
    return tuple(e for e in entries if e.undoes is None and e.redoes is None and e.seq not in gone)


def undo_target(entries: Sequence[Numbered]) -> int | None:
    """The number of the entry that an undo takes back: the last that counts."""
    return max((entry.seq for entry in standing(entries) if not entry.fixed), default=None)


def redo_target(entries: Sequence[Numbered]) -> int | None:
    """The number of the entry that a redo brings back: the last undone, unless something new was done since."""
    stack: list[int] = []
    for entry in entries:
        if entry.undoes is not None:
            stack.append(entry.undoes)
        elif entry.redoes is not None:
            stack = [seq for seq in stack if seq != entry.redoes]
        elif not entry.fixed:
            stack.clear()
    return stack[-1] if stack else None
