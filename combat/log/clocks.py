"""Deadlines for answers to attacks: when the time of each open question is up.

The rules have no clock. A question is a target of an announced attack who is asked; its deadline is stored beside the
fight's state, and the next request after it settles the question (:mod:`combat.commands.deadlines`).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

from rules.model.state import Encounter as State
from rules.model.state import Status

GRACE = 1.0
"""Seconds of grace after the deadline, for answers sent in time."""

Clocks = dict[str, float | None]
"""Deadlines by question, in seconds since the epoch; None for a stopped clock."""

changed = threading.Event()
"""Set when a clock in this process starts or ends: see :mod:`combat.commands.deadlines`."""


def question(exchange: str, target: str) -> str:
    """The key of a question."""
    return f"{exchange} {target}"


def asked(state: State) -> list[str]:
    """The open questions; none while the fight is not running."""
    return open_questions(state) if state.status is Status.RUNNING else []


def open_questions(state: State) -> list[str]:
    """The open questions, even while the fight is paused."""
    return [question(each.id, who) for each in state.exchanges for who in each.asked]


def kept(clocks: Mapping[str, float | None], state: State, seconds: int, now: float) -> Clocks:
    """The clocks of the open questions: existing ones go on, new questions get `seconds`; none if that is 0.

    While the fight is not running, no clock is; all but the stopped ones restart with it.
    """
    if not seconds:
        return {}
    if state.status is Status.RUNNING:
        return {each: clocks.get(each, now + seconds) for each in open_questions(state)}
    return {each: None for each in open_questions(state) if clocks.get(each, now) is None}


def overdue(clocks: Mapping[str, float | None], now: float) -> list[str]:
    """The questions past their deadline and grace period."""
    return [each for each, due in clocks.items() if due is not None and due + GRACE <= now]


def next_due(clocks: Mapping[str, float | None]) -> float | None:
    """The time at which the next question is overdue."""
    return min((due + GRACE for due in clocks.values() if due is not None), default=None)
