"""Face statistics per character, counted from what the reader's own log shows, so that they leak nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from combat.history.fairness import SIDES, fit
from combat.history.log import told_of
from combat.log.happened import Happened
from combat.secrecy.reader import Reader
from rules.engine.dice import Faces
from rules.model.system import System
from rules.topics.events import InitiativeRolled

ENOUGH = 5 * SIDES
"""The least number of dice for the chi-square test: an expected five of each face."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """Faces rolled for the character with this id, "" for somebody without a sheet.

    ``typed``: physical dice, typed in.
    """

    character: str
    faces: Faces
    typed: bool


@dataclass(frozen=True, slots=True)
class Tally:
    """Somebody's dice. ``counts`` are the frequencies of the faces 1 to 10, without the ``typed`` dice.

    ``chance`` is the p-value of the test for fairness, ``None`` with too few dice.
    """

    name: str
    counts: tuple[int, ...]
    typed: int = 0

    @property
    def dice(self) -> int:
        """The number of dice counted."""
        return sum(self.counts)

    @property
    def bars(self) -> list[dict[str, float]]:
        """The share of each face in percent, for the bar chart; 10 is expected."""
        return [{"label": face, "percent": 100 * count / self.dice} for face, count in enumerate(self.counts, 1)]

    @property
    def average(self) -> float | None:
        """The mean face; 5.5 is expected."""
        return sum(face * count for face, count in enumerate(self.counts, 1)) / self.dice if self.dice else None

    @property
    def chance(self) -> float | None:
        """The p-value of the test for fairness."""
        return fit(self.counts).chance if self.dice >= ENOUGH else None

    @property
    def of_a_thousand(self) -> int | None:
        """The p-value per thousand, for a sentence that can be pictured."""
        return None if self.chance is None else round(1000 * self.chance)


def fallen_in(rows: Iterable[Happened], reader: Reader, ruleset: System) -> Iterator[Fallen]:
    """The dice of a log, oldest first, undone rows included: they were rolled all the same."""
    for row in rows:
        cast, typed = row.cast["who"], row.cast.get("typed", ())
        told = told_of(row, reader, ruleset)
        for roll in told.rolls:
            if roll.dice:
                yield Fallen(cast[roll.by]["character"], tuple(die.face for die in roll.dice), roll.by in typed)
        for event in row.events if told.lines else ():
            if isinstance(event, InitiativeRolled):
                for who, score in event.scores.items():
                    if told.sight.rolls_of(who) and not score.shared:
                        # Tie-break dice reveal that there was a tie, perhaps with somebody unseen.
                        ties = score.ties if reader.everything else ()
                        yield Fallen(cast[who]["character"], (*score.faces, *ties), who in typed)


def tally(name: str, fallen: Iterable[Fallen]) -> Tally:
    """Somebody's dice, counted."""
    counts, typed = [0] * SIDES, 0
    for each in fallen:
        if each.typed:
            typed += len(each.faces)
            continue
        for face in each.faces:
            counts[face - 1] += 1
    return Tally(name, tuple(counts), typed)
