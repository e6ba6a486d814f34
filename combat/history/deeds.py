"""What a row of the log told its reader, as figures: a report counts these, and so nothing that was not told."""

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
    """So many `levels` were marked, in `words` too. `by` is whoever did it, "" for nobody that the reader knows of."""

    who: str
    levels: int
    words: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Became:
    """A condition came over somebody."""

    who: str
    condition: str


@dataclass(frozen=True, slots=True)
class Threw:
    """A roll of which the reader knows how likely it was, and what it was for."""

    label: str
    rolled: Rolled


Deed = Struck | Suffered | Became | Threw
