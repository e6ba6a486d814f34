"""An attack as a conversation: announced, approved, answered by its targets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.engine.messages import Event, event
from rules.model.state import Exchange


class Aspect(StrEnum):
    """An aspect of an announced attack that can change."""

    TARGET = "target"
    NEAR = "near"
    WEAPON = "weapon"
    DISTANCE = "distance"
    CIRCUMSTANCE = "circumstance"
    STRUCK = "struck"
    STRUCK_OF_TARGET = "struck_of_target"


@dataclass(frozen=True, slots=True)
class Change:
    """One change to an announced attack: what was removed (``was``) and what replaced it (``now``).

    Targets and those near them are ids, the rest are words. Struck parts of a pool that reveal something about the
    target have their own aspect.
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
    """The Storyteller approved an announced attack unchanged."""

    exchange: Exchange


@event(topics=("defence_out_of_order", "turn"))
@dataclass(frozen=True, slots=True)
class AttackChanged(Event):
    """The Storyteller approved an announced attack with these changes."""

    exchange: Exchange
    changes: tuple[Change, ...]


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class AttackSentBack(Event):
    """An announced attack was sent back to its player."""

    exchange: Exchange


@event(topics=("defence_out_of_order", "turn"))
@dataclass(frozen=True, slots=True)
class AttackAnswered(Event):
    """A target answered an announced attack, ``by_default`` if they weren't asked or didn't answer.

    If the default (``instead_of``, its key) wasn't possible, ``rule`` and ``why`` say what forbade it.
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
    """These combatants automatically answer attacks with ``defence``."""

    who: tuple[str, ...]
    defence: str


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class AttackWithdrawn(Event):
    """An announced attack was withdrawn."""

    exchange: str
