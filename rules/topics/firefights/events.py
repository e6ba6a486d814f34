"""Firefight events: aim, shelter, cover and covering fire."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.model.results import DamageDone, Outcome, Rolled
from rules.topics.firefights.stance import Cover, Stance


@event("attack")
@dataclass(frozen=True, slots=True)
class StanceChanged(Event):
    """A combatant's stance in a firefight after a change."""

    who: str
    stance: Stance


@event("attack")
@dataclass(frozen=True, slots=True)
class AimTaken(Event):
    """A combatant is aiming at another, for this many turns so far."""

    by: str
    at: str
    turns: int
    rule: str


@event("attack")
@dataclass(frozen=True, slots=True)
class AimBroken(Event):
    """A combatant lost their aim."""

    who: str
    rule: str


@event("attack")
@dataclass(frozen=True, slots=True)
class ShelterTaken(Event):
    """A combatant took shelter (behind ``cover``, "" if none is tracked) or, if ``degree`` is "", left it."""

    who: str
    degree: str
    cover: str
    rule: str


@event("attack")
@dataclass(frozen=True, slots=True)
class ShieldHeld(Event):
    """A combatant holds another as a shield against shots, or lets go of them."""

    by: str
    shield: str
    rule: str
    let_go: bool = False


@event("attack")
@dataclass(frozen=True, slots=True)
class CoverSet(Event):
    """A cover after a change."""

    cover: Cover
    rule: str


@event("attack")
@dataclass(frozen=True, slots=True)
class CoverStruck(Event):
    """Cover absorbed ``damage`` points of a shot; ``cover`` is its new state, kept only if ``lasting``.

    ``behind`` lists everyone it hid, including the target.
    """

    cover: Cover
    damage: int
    lasting: bool
    rule: str
    behind: tuple[str, ...] = ()


@event("attack", dice=True)
@dataclass(frozen=True, slots=True)
class ShieldStruck(Event):
    """A human shield was hit first by a shot of ``by`` at ``target``."""

    by: str
    target: str
    done: DamageDone
    rule: str


@event("attack", dice=True, own_roll=True)
@dataclass(frozen=True, slots=True)
class CoveringFireLaid(Event):
    """A combatant laid covering fire on everyone in an area."""

    resolution: str
    by: str
    at: tuple[str, ...]
    weapon: str
    outcome: Outcome
    roll: Rolled
    rule: str


@event("attack", dice=True)
@dataclass(frozen=True, slots=True)
class CoveringFireMet(Event):
    """How a combatant reacted to covering fire (``choice``: "acted", "prone", "cover"), and what it did to them."""

    who: str
    choice: str
    rule: str
    by: str = ""
    weapon: str = ""
    done: DamageDone | None = None
