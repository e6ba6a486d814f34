"""How long those who are attacked have to answer: for each question when its time is up.

The rules know no clock. A question is a target of an announced attack who is asked; its time is kept beside the
fight's state, and whoever comes by when it is up settles it (:mod:`combat.commands.deadlines`).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping

from rules.model.state import Encounter as State
from rules.model.state import Status

GRACE = 1.0
"""Seconds after the time is up in which an answer that was pressed in time still arrives."""

Clocks = dict[str, float | None]
"""By question, when its time is up in seconds since the epoch; None for a clock that was stopped."""

changed = threading.Event()
"""Set when a clock of this process began or ended: see :mod:`combat.commands.deadlines`."""


def question(exchange: str, target: str) -> str:
    """The name of a question."""
    return f"{exchange} {target}"


def asked(state: State) -> list[str]:
    """The questions that are open while the fight runs."""
    return _open(state) if state.status is Status.RUNNING else []


def _open(state: State) -> list[str]:
    return [question(each.id, who) for each in state.exchanges for who in each.asked]


def kept(clocks: Mapping[str, float | None], state: State, seconds: int, now: float) -> Clocks:
    """The clocks of the open questions: those that run go on, a new question has `seconds`; none without a clock.

    While the fight does not run none does: they begin again with it, but for those that were stopped.
    """
    if not seconds:
        return {}
    if state.status is Status.RUNNING:
        return {each: clocks.get(each, now + seconds) for each in _open(state)}
    return {each: None for each in _open(state) if clocks.get(each, now) is None}


def overdue(clocks: Mapping[str, float | None], now: float) -> list[str]:
    """The questions whose time is up."""
    return [each for each, due in clocks.items() if due is not None and due + GRACE <= now]


def next_due(clocks: Mapping[str, float | None]) -> float | None:
    """When the next of them is overdue."""
    return min((due + GRACE for due in clocks.values() if due is not None), default=None)
