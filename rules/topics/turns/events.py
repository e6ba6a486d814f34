"""The fight, its turns and what is done with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.model.results import Rolled
from rules.model.state import Declaration, Score, Stage, Status, TurnRecord, Visit


@event("turn", no_rule=True)
@dataclass(frozen=True, slots=True)
class StatusChanged(Event):
    """The fight began, was set aside, went on or ended."""

    status: Status


@event("turn", topics=("initiative",), dice=True)
@dataclass(frozen=True, slots=True)
class InitiativeRolled(Event):
    """Initiative was rolled: the scores that are new, and the order that follows from all of them.

    With everybody's it is rolled ``anew``, and the turn begins; ``None`` stands in rows of logs that did not say so.
    """

    scores: Mapping[str, Score]
    order: tuple[tuple[str, ...], ...]
    anew: bool | None = None


@event("turn", topics=("initiative",))
@dataclass(frozen=True, slots=True)
class StandingsChanged(Event):
    """Initiative that was kept is another now: the scores of those for whom it is, and the order that follows."""

    scores: Mapping[str, Score]
    order: tuple[tuple[str, ...], ...]


@event("turn", no_rule=True)
@dataclass(frozen=True, slots=True)
class OrderSet(Event):
    """The Storyteller put the ranks otherwise."""

    order: tuple[tuple[str, ...], ...]


@event("turn", topics=("delay",))
@dataclass(frozen=True, slots=True)
class RankMoved(Event):
    """Somebody has another rank: ``order`` as it is now, ``scores`` those that changed.

    ``moment`` names the place in the turn that a delayed action was taken at.
    """

    who: str
    scores: Mapping[str, Score]
    order: tuple[tuple[str, ...], ...]
    moment: str = ""


@event("turn", topics=("hold_over",))
@dataclass(frozen=True, slots=True)
class HeldOver(Event):
    """Somebody forfeits this turn's action, to act at any moment of the next turn."""

    by: str


@event("turn", topics=("fresh_start",))
@dataclass(frozen=True, slots=True)
class FreshStartTaken(Event):
    """Somebody gives the turn for another rank, which counts from the next turn on."""

    by: str
    rank: int


@event("turn", topics=("initiative_every_turn", "initiative"))
@dataclass(frozen=True, slots=True)
class InitiativeModeSet(Event):
    """Initiative is rolled every turn of this fight from now on, or once for all of it."""

    every_turn: bool


@event("turn", topics=("declaration",))
@dataclass(frozen=True, slots=True)
class Declared(Event):
    """Somebody said what they would do. ``record`` is their turn as it stands now."""

    by: str
    declaration: Declaration
    record: TurnRecord
    out_of_order: bool = False


@event("turn", topics=("turn",))
@dataclass(frozen=True, slots=True)
class TurnMoved(Event):
    """The turn came to its next place, or (``visit`` ``None``) to its end."""

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
    """Something about somebody's present turn changed (an action used, a defence counted)."""

    who: str
    record: TurnRecord


@event("turn", topics=("delay",))
@dataclass(frozen=True, slots=True)
class Delayed(Event):
    """Somebody waits."""

    by: str
    text: str = ""


@event("turn", topics=("abort",), dice=True)
@dataclass(frozen=True, slots=True)
class Aborted(Event):
    """Somebody tried to give up an action for a defence. ``roll`` is ``None`` where a point was paid."""

    by: str
    succeeded: bool
    roll: Rolled | None = None


@event("turn", topics=("full_defence",))
@dataclass(frozen=True, slots=True)
class FullDefenceTaken(Event):
    """Somebody does nothing but defend this turn."""

    by: str


@event("turn", action="move")
@dataclass(frozen=True, slots=True)
class Moved(Event):
    """Somebody went a ``distance`` in that ``unit``; ``as_action`` where that was their action."""

    by: str
    distance: int
    as_action: bool = False
    unit: str = "metres"
