"""Pane types of the log: its newest entries, and the reader's own dice."""

from __future__ import annotations

from dataclasses import dataclass

from campaigns.marks import mark
from combat.cache import for_each
from combat.history.entries import Entry, Line, RollLine
from combat.history.filters import Choices, choices_in

MOST_LOGS = 400


@dataclass(frozen=True, slots=True)
class Dice:
    """The reader's own dice in the newest `entry` that they can see ("" if none); `held`: others don't see it yet."""

    entry: str = ""
    lines: tuple[Line, ...] = ()
    rolls: tuple[RollLine, ...] = ()
    held: bool = False


@dataclass(frozen=True, slots=True)
class Log:
    """The newest entries first. `older`: there are more, on the page of the whole log."""

    entries: tuple[Entry, ...]
    older: bool = False

    @property
    def digest(self) -> str:
        """A content hash, since logs are compared after every command and hardly change."""
        return _digest(self)

    @property
    def choices(self) -> Choices:
        """The options of the log's filter."""
        return _choices(self)


@for_each(MOST_LOGS)
def _choices(log: Log) -> Choices:
    return choices_in(log.entries)


@for_each(MOST_LOGS, worded=False)
def _digest(log: Log) -> str:
    return mark(f"{' '.join(entry.digest for entry in log.entries)} {log.older}")
