"""A row of the log that a command looks at again."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Command, Event
from rules.model.attack import Attack
from rules.model.state import Encounter


@dataclass(frozen=True, slots=True)
class Past:
    """A row of the log: the state that it met, what was wanted and what came of it; and the rows that count since.

    Of several attacks in one row it is what came of one of them, and those after it count as rows of their own.
    What it says of that attack: :mod:`rules.topics.attacks.past`.
    """

    before: Encounter
    command: Command
    events: tuple[Event, ...]
    since: tuple[tuple[Event, ...], ...] = ()
    attack: Attack | None = None
