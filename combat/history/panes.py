"""Panes made of the log: its newest entries, and the reader's own dice."""

from __future__ import annotations

from dataclasses import dataclass

from combat.history.entries import Entry, Line, RollLine
from combat.history.filters import Choices, choices_in


@dataclass(frozen=True, slots=True)
class Dice:
    """The reader's own dice of the newest `entry` that they know of, "" for none; `held`: others see nothing of it."""

    entry: str = ""
    lines: tuple[Line, ...] = ()
    rolls: tuple[RollLine, ...] = ()
    held: bool = False


@dataclass(frozen=True, slots=True)
class Log:
    """The newest first. `older`: there are more, on the page of the whole log."""

    entries: tuple[Entry, ...]
    older: bool = False

    @property
    def digest(self) -> str:
        """What stands for all that is in it: a log is compared after every command, and most of it is as it was."""
        return f"{' '.join(entry.digest for entry in self.entries)} {self.older}"

    @property
    def choices(self) -> Choices:
        """By whom, by which turn and by what these can be looked through."""
        return choices_in(self.entries)
