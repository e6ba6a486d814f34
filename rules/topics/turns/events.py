"""The fight, its turns and what is done with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.model.results import Rolled
from rules.model.state import Declaration, Score, Stage, Status, TurnRecord, Visit


@dataclass(frozen=True, slots=True)
class StatusChanged:
    """The fight began, was set aside, went on or ended."""

    status: Status


@dataclass(frozen=True, slots=True)
class InitiativeRolled:
    """Initiative was rolled: the scores that are new, and the order that follows from all of them.

    With everybody's it is rolled ``anew``, and the turn begins; ``None`` stands in rows of logs that did not say so.
    """

    scores: Mapping[str, Score]
    order: tuple[tuple[str, ...], ...]
    anew: bool | None = None


@dataclass(frozen=True, slots=True)
class StandingsChanged:
    """Initiative that was kept is another now: the scores of those for whom it is, and the order that follows."""

    scores: Mapping[str, Score]
    order: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class OrderSet:
    """The Storyteller put the ranks otherwise."""

    order: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class RankMoved:
    """Somebody has another rank: ``order`` as it is now, ``scores`` those that changed.

    ``moment`` names the place in the turn that a delayed action was taken at.
    """

    who: str
    scores: Mapping[str, Score]
    order: tuple[tuple[str, ...], ...]
    moment: str = ""


@dataclass(frozen=True, slots=True)
class HeldOver:
    """Somebody forfeits this turn's action, to act at any moment of the next turn."""

    by: str


@dataclass(frozen=True, slots=True)
class FreshStartTaken:
    """Somebody gives the turn for another rank, which counts from the next turn on."""

    by: str
    rank: int


@dataclass(frozen=True, slots=True)
class InitiativeModeSet:
    """Initiative is rolled every turn of this fight from now on, or once for all of it."""

    every_turn: bool


@dataclass(frozen=True, slots=True)
class Declared:
    """Somebody said what they would do. ``record`` is their turn as it stands now."""

    by: str
    declaration: Declaration
    record: TurnRecord
    out_of_order: bool = False


@dataclass(frozen=True, slots=True)
class TurnMoved:
    """The turn came to its next place, or (``visit`` ``None``) to its end."""

    stage: Stage
    visit: Visit | None


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn ended and the one numbered ``next`` begins."""

    next: int


@dataclass(frozen=True, slots=True)
class TurnRecordChanged:
    """Something about somebody's present turn changed (an action used, a defence counted)."""

    who: str
    record: TurnRecord


@dataclass(frozen=True, slots=True)
class Delayed:
    """Somebody waits."""

    by: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Aborted:
    """Somebody tried to give up an action for a defence. ``roll`` is ``None`` where a point was paid."""

    by: str
    succeeded: bool
    roll: Rolled | None = None


@dataclass(frozen=True, slots=True)
class FullDefenceTaken:
    """Somebody does nothing but defend this turn."""

    by: str


@dataclass(frozen=True, slots=True)
class Moved:
    """Somebody went a ``distance`` in that ``unit``; ``as_action`` where that was their action."""

    by: str
    distance: int
    as_action: bool = False
    unit: str = "metres"


TurnEvent = (
    StatusChanged
    | InitiativeRolled
    | StandingsChanged
    | OrderSet
    | RankMoved
    | HeldOver
    | FreshStartTaken
    | InitiativeModeSet
    | Declared
    | TurnMoved
    | TurnEnded
    | TurnRecordChanged
    | Delayed
    | Aborted
    | FullDefenceTaken
    | Moved
)
