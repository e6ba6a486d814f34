"""Rows that other panes announce too, so that screen readers don't hear them twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from combat.secrecy.sight import Sight
from rules.engine.messages import Event
from rules.model.state import Step
from rules.topics.events import AttackApproved, AttackChanged, AttackProposed, TurnMoved


def told_elsewhere(events: Sequence[Event], sight: Sight) -> bool:
    """Whether the bar (whose turn it is) or a question to the reader already announces these events."""
    return _moves_on(events) or _asks(events, sight)


def _moves_on(events: Sequence[Event]) -> bool:
    return bool(events) and all(isinstance(event, TurnMoved) for event in events)


def _asks(events: Iterable[Event], sight: Sight) -> bool:
    put = (event.exchange for event in events if isinstance(event, AttackProposed | AttackApproved | AttackChanged))
    return any(
        (sight.everything and exchange.step is Step.PENDING)
        or any(sight.everything or sight.owns(who) for who in exchange.asked)
        for exchange in put
    )
