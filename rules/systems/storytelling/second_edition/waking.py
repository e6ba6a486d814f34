"""Whoever was knocked out comes to (CD-KO-1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.engine.messages import Event
from rules.model.injuries import passed
from rules.model.state import Encounter
from rules.topics.events import ConditionsChanged, InjuriesChanged

if TYPE_CHECKING:
    from rules.model.system import System


def wakes(state: Encounter, ruleset: System) -> tuple[Event, ...]:
    """Those for whom the turn that ends is the last that they lie there; their boxes may keep them down."""
    told: list[Event] = []
    for who, combatant in state.combatants.items():
        over = [each for each in combatant.injuries if each.until and each.until <= state.turn]
        if not over:
            continue
        left = tuple(each for each in combatant.injuries if each not in over)
        gone = (passed(over, left) - ruleset.health.follows(combatant.sheet, ruleset)) & combatant.conditions
        told.append(InjuriesChanged(who, left))
        if gone:
            told.append(ConditionsChanged(who, combatant.conditions - gone, removed=gone))
    return tuple(told)
