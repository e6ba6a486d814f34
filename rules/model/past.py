"""A past row of the log, as a command re-examines it."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Command, Event
from rules.model.attack import Attack
from rules.model.state import Encounter


@dataclass(frozen=True, slots=True)
class Past:
    """A row of the log: the state before it, its command and its events; and the later rows that still count.

    If one row holds several attacks, this is one of them, and those after it count as rows of their own. For what it
    says about that attack see :mod:`rules.topics.attacks.past`.
    """

    before: Encounter
    command: Command
    events: tuple[Event, ...]
    since: tuple[tuple[Event, ...], ...] = ()
    attack: Attack | None = None
