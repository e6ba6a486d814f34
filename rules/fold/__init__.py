"""From an event to the next state. Nothing here rolls, refuses or decides. One module a topic."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from rules.encounter import Encounter
from rules.events import Event
from rules.fold import attacks, bodies, brawls, cast, desk, exchanges, firefights, gear, rolls, turns
from rules.fold.changes import Folds


def fold(state: Encounter, event: Event) -> Encounter:
    """The state after an event."""
    change = _FOLDS.get(type(event))
    return state if change is None else change(state, event)


def replay(state: Encounter, told: Iterable[Event]) -> Encounter:
    """The state after many events."""
    return reduce(fold, told, state)


_FOLDS: Folds = {
    **cast.FOLDS,
    **turns.FOLDS,
    **attacks.FOLDS,
    **exchanges.FOLDS,
    **gear.FOLDS,
    **firefights.FOLDS,
    **brawls.FOLDS,
    **rolls.FOLDS,
    **bodies.FOLDS,
    **desk.FOLDS,
}
