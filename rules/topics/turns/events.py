"""Events in the course of a fight and its turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.model.results import Rolled
from rules.model.state import Declaration, Score, Stage, Status, TurnRecord, Visit


@event("turn", no_rule=True)
@dataclass(frozen=True, slots=True)
class StatusChanged(Event):
    """The fight began, was paused, was resumed or ended."""

    status: Status


@event("turn", topics=("initiative",), dice=True)
@dataclass(frozen=True, slots=True)
class InitiativeRolled(Event):
    """Initiative was rolled: the new scores, and the order that results from all of them.

    If everyone rolled, it is ``anew`` and the turn begins; ``None`` in old logs, which did not record it.
    """

    scores: Mapping[str, Score]
    order: tuple[tuple[str, ...], ...]
    anew: bool | None = None


@event("turn", topics=("initiative",))
@dataclass(frozen=True, slots=True)
class StandingsChanged(Event):
    """Kept initiative changed: the changed scores, and the resulting order."""

    scores: Mapping[str, Score]
    order: tuple[tuple[str, ...], ...]


@event("turn", no_rule=True)
@dataclass(frozen=True, slots=True)
class OrderSet(Event):
    """The Storyteller set the ranks."""

    order: tuple[tuple[str, ...], ...]


@event("turn", topics=("delay",))
@dataclass(frozen=True, slots=True)
class RankMoved(Event):
    """A combatant's rank changed: ``order`` is the new order, ``scores`` holds those that changed.

    ``moment`` is the place in the turn at which a delayed action was taken.
    """

    who: str
    scores: Mapping[str, Score]
    order: tuple[tuple[str, ...], ...]
    moment: str = ""


@event("turn", topics=("hold_over",))
@dataclass(frozen=True, slots=True)
class HeldOver(Event):
    """A combatant forfeits this turn's action, to act at any moment of the next turn."""

    by: str


@event("turn", topics=("fresh_start",))
@dataclass(frozen=True, slots=True)
class FreshStartTaken(Event):
    """A combatant gives up the turn for another rank, which counts from the next turn on."""

    by: str
    rank: int


@event("turn", topics=("initiative_every_turn", "initiative"))
@dataclass(frozen=True, slots=True)
class InitiativeModeSet(Event):
    """Initiative is rolled every turn from now on, or once for the whole fight."""

    every_turn: bool


@event("turn", topics=("declaration",))
@dataclass(frozen=True, slots=True)
class Declared(Event):
    """A combatant declared. ``record`` is their turn record afterwards."""

    by: str
    declaration: Declaration
    record: TurnRecord
    out_of_order: bool = False


@event("turn", topics=("turn",))
@dataclass(frozen=True, slots=True)
class TurnMoved(Event):
    """The turn moved on to its next place or, if ``visit`` is ``None``, to its end."""

    stage: Stage
    visit: Visit | None


@event("turn", topics=("turn",))
@dataclass(frozen=True, slots=True)
class TurnEnded(Event):
    """A turn ended and the one numbered ``next`` begins."""

    next: int


@event("turn")
@dataclass(frozen=True, slots=True)
class TurnRecordChanged(Event):
    """A combatant's turn record changed (an action used, a defence counted)."""

    who: str
    record: TurnRecord


@event("turn", topics=("delay",))
@dataclass(frozen=True, slots=True)
class Delayed(Event):
    """A combatant waits."""

    by: str
    text: str = ""


@event("turn", topics=("abort",), dice=True)
@dataclass(frozen=True, slots=True)
class Aborted(Event):
    """A combatant tried to give up an action for a defence. ``roll`` is ``None`` if a point was paid."""

    by: str
    succeeded: bool
    roll: Rolled | None = None


@event("turn", topics=("full_defence",))
@dataclass(frozen=True, slots=True)
class FullDefenceTaken(Event):
    """A combatant does nothing but defend this turn."""

    by: str


@event("turn", action="move")
@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A combatant moved a ``distance`` in ``unit``; ``as_action`` if that was their action."""

    by: str
    distance: int
    as_action: bool = False
    unit: str = "metres"
