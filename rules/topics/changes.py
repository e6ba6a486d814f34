"""State updates shared by several evolvers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from rules.engine.copies import replace
from rules.engine.slots import Slot
from rules.model.conditions import condition_of
from rules.model.sheet import still_lasting
from rules.model.state import Combatant, Encounter

T = TypeVar("T")

Folds = Mapping[type, Callable[[Encounter, Any], Encounter]]
"""A topic's evolvers by event type; an event without an entry changes nothing."""

MOST_UNNARRATED = 40
"""Limit on resolutions awaiting narration: nobody goes further back, and a state must not grow with its log."""


def with_combatant(state: Encounter, who: str, **changes: Any) -> Encounter:
    """The state with fields of one combatant replaced."""
    changed = replace(state.combatants[who], **changes)
    return replace(state, combatants={**state.combatants, who: changed})


def keeping(state: Encounter, who: str, slot: Slot[Combatant, T], value: T) -> Encounter:
    """The state with another value in one combatant's slot; the same state if it is unchanged."""
    before = state.combatants[who]
    changed = slot.put(before, value)
    return state if changed is before else replace(state, combatants={**state.combatants, who: changed})


def ending_since(combatant: Combatant, conditions: frozenset[str], turn: int) -> int:
    """The turn since which a combatant with these conditions has been dying or bleeding, else 0.

    It is the current one if they were not before.
    """
    ending = any(condition_of(each).kills for each in conditions)
    return combatant.dying_since or turn if ending else 0


def with_conditions(state: Encounter, who: str, conditions: frozenset[str], **changes: Any) -> Encounter:
    """The state with all of one combatant's conditions replaced, and optionally other fields.

    A lasting condition that is over leaves the sheet.
    """
    combatant = state.combatants[who]
    since = ending_since(combatant, conditions, state.turn)
    changes["sheet"] = still_lasting(changes.get("sheet", combatant.sheet), conditions)
    return with_combatant(state, who, conditions=conditions, dying_since=since, **changes)


def with_sheet(state: Encounter, who: str, **changes: Any) -> Encounter:
    """The state with fields of one combatant's sheet replaced."""
    return with_combatant(state, who, sheet=replace(state.combatants[who].sheet, **changes))


def with_resolution(state: Encounter, resolution: str) -> Encounter:
    """The state with one more resolution, queued for the Storyteller's narration."""
    waiting = (*state.unnarrated, resolution)[-MOST_UNNARRATED:]
    return replace(state, resolutions=state.resolutions + 1, unnarrated=waiting)


def without_exchange(state: Encounter, exchange: str) -> Encounter:
    """The state without the announced attack of that id, if there is one."""
    if all(each.id != exchange for each in state.exchanges):
        return state
    return replace(state, exchanges=tuple(x for x in state.exchanges if x.id != exchange))
