"""Knockdowns."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.messages import Event
from rules.model.conditions import KNOCKED_DOWN, PRONE
from rules.model.system import Game
from rules.topics import effects
from rules.topics.events import Followed, TurnRecordChanged


def knocked_down(game: Game, who: str, rule: str) -> tuple[Event, ...]:
    """Knocked down by a rule: prone, and any unused action is lost (CD-AIM-8)."""
    record = game.combatant(who).turn
    told = (Followed(who, KNOCKED_DOWN, rule), *effects.marked(game, who, frozenset({PRONE})))
    if not game.state.ordered or record.acted or not record.actions:
        return told
    return (*told, TurnRecordChanged(who, replace(record, actions=(), delaying=False)))
