"""What is told of a row of the log, while it is being put together."""

from __future__ import annotations

from dataclasses import dataclass, field

from combat.perspectives.panes import Die, Line, PartLine, RollLine, Span
from combat.perspectives.sight import Sight
from rules.events import Rolled


@dataclass(slots=True)
class Told:
    """What is told of one row, while it is being put together."""

    sight: Sight
    command: str
    lines: list[Line] = field(default_factory=list)
    rolls: list[RollLine] = field(default_factory=list)

    def say(self, *spans: Span | str) -> None:
        """Add a sentence."""
        self.lines.append(tuple(Span(part) if isinstance(part, str) else part for part in spans))

    def name(self, who: str) -> Span:
        """Somebody, by the name the reader knows."""
        return Span(self.sight.name(who), "name")

    def roll(self, rolled: Rolled | None, purpose: str, label: str = "") -> None:
        """Add a roll, if its dice may be seen."""
        if rolled is not None and self.sight.rolls_of(rolled.by):
            self.rolls.append(_roll_line(self.sight, rolled, purpose, label or purpose.capitalize()))


def _roll_line(sight: Sight, rolled: Rolled, purpose: str, label: str) -> RollLine:
    parts = tuple(
        PartLine(sight.clean(part.label), part.rule, part.dice, part.difficulty, part.struck)
        for part in rolled.plan.parts
    )
    return RollLine(
        sight.name(rolled.by),
        purpose,
        label,
        parts,
        rolled.plan.pool,
        rolled.plan.difficulty,
        tuple(Die(face, _tone(face, rolled.roll.difficulty)) for face in rolled.roll.faces),
        rolled.roll.successes,
        rolled.roll.botch,
    )


def _tone(face: int, difficulty: int) -> str:
    if face == 1:
        return "one"
    return "hit" if face >= difficulty else ""


def quiet(text: str) -> Span:
    return Span(text, "quiet")


def harm(text: str) -> Span:
    return Span(text, "harm")
