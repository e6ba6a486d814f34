"""From an event to the next state. Nothing here rolls, refuses or decides. One module a topic."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from rules.model.state import Encounter
from rules.topics.attacks import evolve as attacks
from rules.topics.cast import evolve as cast
from rules.topics.changes import Folds
from rules.topics.events import Event
from rules.topics.exchanges import evolve as exchanges
from rules.topics.firefights import evolve as firefights
from rules.topics.gear import evolve as gear
from rules.topics.grapples import evolve as brawls
from rules.topics.health import evolve as bodies
from rules.topics.rolls import evolve as rolls
from rules.topics.telling import evolve as desk
from rules.topics.turns import evolve as turns


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
