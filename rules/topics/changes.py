"""What several folds do to a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from rules.engine.copies import replace
from rules.engine.slots import Slot
from rules.model.conditions import condition_of
from rules.model.state import Combatant, Encounter

T = TypeVar("T")

Folds = Mapping[type, Callable[[Encounter, Any], Encounter]]
"""What each event of a topic does to a state; an event without a line changes nothing."""

MOST_UNNARRATED = 40
"""Nobody goes further back to tell what happened, and a state must not grow with its log."""


def with_combatant(state: Encounter, who: str, **changes: Any) -> Encounter:
    """Somebody of the fight changed."""
    changed = replace(state.combatants[who], **changes)
    return replace(state, combatants={**state.combatants, who: changed})


def keeping(state: Encounter, who: str, slot: Slot[Combatant, T], value: T) -> Encounter:
    """Somebody of the fight with something else kept in a slot."""
    before = state.combatants[who]
    changed = slot.put(before, value)
    return state if changed is before else replace(state, combatants={**state.combatants, who: changed})


def ending_since(combatant: Combatant, conditions: frozenset[str], turn: int) -> int:
    """The turn since which somebody of these conditions dies or bleeds, else 0: the present one if not one before."""
    ending = any(condition_of(each).kills for each in conditions)
    return combatant.dying_since or turn if ending else 0


def with_conditions(state: Encounter, who: str, conditions: frozenset[str], **changes: Any) -> Encounter:
    """Somebody of the fight changed, with all of their conditions."""
    since = ending_since(state.combatants[who], conditions, state.turn)
    return with_combatant(state, who, conditions=conditions, dying_since=since, **changes)


def with_sheet(state: Encounter, who: str, **changes: Any) -> Encounter:
    """Somebody's sheet changed."""
    return with_combatant(state, who, sheet=replace(state.combatants[who].sheet, **changes))


def with_resolution(state: Encounter, resolution: str) -> Encounter:
    """One more thing was resolved, and waits for the Storyteller's words, like the newest before it."""
    waiting = (*state.unnarrated, resolution)[-MOST_UNNARRATED:]
    return replace(state, resolutions=state.resolutions + 1, unnarrated=waiting)


def without_exchange(state: Encounter, exchange: str) -> Encounter:
    """The announced attack of that id is no longer open, if it was."""
    if all(each.id != exchange for each in state.exchanges):
        return state
    return replace(state, exchanges=tuple(x for x in state.exchanges if x.id != exchange))
