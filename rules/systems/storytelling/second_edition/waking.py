"""Waking up after a knockout (CD-KO-1)."""

from __future__ import annotations

from rules.engine.messages import Event
from rules.model.system import Game
from rules.topics.events import ConditionsChanged, InjuriesChanged
from rules.topics.health.impairments import impairments, passed


def wakes(game: Game) -> tuple[Event, ...]:
    """Those whose knockout ends with this turn; their boxes may still keep them unconscious."""
    told: list[Event] = []
    for who, combatant in game.state.combatants.items():
        over = [each for each in impairments(combatant) if each.until and each.until <= game.state.turn]
        if not over:
            continue
        left = tuple(each for each in impairments(combatant) if each not in over)
        gone = (passed(over, left) - game.system.health.follows(combatant.sheet)) & combatant.conditions
        told.append(InjuriesChanged(who, left))
        if gone:
            told.append(ConditionsChanged(who, combatant.conditions - gone, removed=gone))
    return tuple(told)
