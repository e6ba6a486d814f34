"""Deeds: a row's events as numbers, for the report.

They are made only from what the log tells its reader, so a report leaks nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.model.results import Rolled


@dataclass(frozen=True, slots=True)
class Struck:
    """Somebody attacked, and `hit` or not."""

    by: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Suffered:
    """Damage of so many `levels` was marked, also given in `words`. `by` is who did it, "" if the reader can't know."""

    who: str
    levels: int
    words: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Became:
    """Somebody gained a condition."""

    who: str
    condition: str


@dataclass(frozen=True, slots=True)
class Scarred:
    """Somebody was left with a scar."""

    who: str


@dataclass(frozen=True, slots=True)
class Threw:
    """A roll whose odds and purpose the reader knows."""

    label: str
    rolled: Rolled


Deed = Struck | Suffered | Became | Scarred | Threw
