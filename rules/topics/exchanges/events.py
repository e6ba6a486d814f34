"""An attack as a conversation: announced, approved, answered by its targets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.engine.messages import Event, event
from rules.model.state import Exchange


class Aspect(StrEnum):
    """What of an announced attack was changed."""

    TARGET = "target"
    NEAR = "near"
    WEAPON = "weapon"
    DISTANCE = "distance"
    CIRCUMSTANCE = "circumstance"
    STRUCK = "struck"
    STRUCK_OF_TARGET = "struck_of_target"


@dataclass(frozen=True, slots=True)
class Change:
    """What of an announced attack is otherwise: what is gone of it (``was``), and what it has instead (``now``).

    Ids for the targets and for those near them, words for the rest. What is struck of pools is apart where it tells
    what a target is and has.
    """

    aspect: Aspect
    was: tuple[str, ...] = ()
    now: tuple[str, ...] = ()


@event(topics=("defence_out_of_order", "turn"))
@dataclass(frozen=True, slots=True)
class AttackProposed(Event):
    """An attack was announced."""

    exchange: Exchange


@event(topics=("defence_out_of_order", "turn"))
@dataclass(frozen=True, slots=True)
class AttackApproved(Event):
    """The Storyteller lets an announced attack go ahead as it is."""

    exchange: Exchange


@event(topics=("defence_out_of_order", "turn"))
@dataclass(frozen=True, slots=True)
class AttackChanged(Event):
    """The Storyteller lets an announced attack go ahead, after these changes."""

    exchange: Exchange
    changes: tuple[Change, ...]


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class AttackSentBack(Event):
    """An announced attack went back to whoever announced it."""

    exchange: Exchange


@event(topics=("defence_out_of_order", "turn"))
@dataclass(frozen=True, slots=True)
class AttackAnswered(Event):
    """A target of an announced attack has answered, ``by_default`` without being asked or for want of an answer.

    Where the default (``instead_of``, its kind) could not be, ``rule`` and ``why`` say what forbade it.
    """

    exchange: Exchange
    target: str
    by_default: bool = False
    instead_of: str = ""
    rule: str = ""
    why: str = ""


@event(topics=("defence_out_of_order", "turn"))
@dataclass(frozen=True, slots=True)
class DefaultDefenceSet(Event):
    """These answer attacks with ``defence`` by themselves."""

    who: tuple[str, ...]
    defence: str


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class AttackWithdrawn(Event):
    """An announced attack was taken back."""

    exchange: str
