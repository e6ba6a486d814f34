"""Where people stand while there is shooting: aim, shelter, cover and covering fire."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.model.results import DamageDone, Outcome, Rolled
from rules.topics.firefights.stance import Cover, Stance


@event("attack")
@dataclass(frozen=True, slots=True)
class StanceChanged(Event):
    """Where somebody stands in a firefight, as it is now."""

    who: str
    stance: Stance


@event("attack")
@dataclass(frozen=True, slots=True)
class AimTaken(Event):
    """Somebody took aim at another, for so many turns by now."""

    by: str
    at: str
    turns: int
    rule: str


@event("attack")
@dataclass(frozen=True, slots=True)
class AimBroken(Event):
    """Somebody's aim is gone."""

    who: str
    rule: str


@event("attack")
@dataclass(frozen=True, slots=True)
class ShelterTaken(Event):
    """Somebody went behind something (``cover`` names it, "" for nothing that counts), or (``degree`` "") came out."""

    who: str
    degree: str
    cover: str
    rule: str


@event("attack")
@dataclass(frozen=True, slots=True)
class ShieldHeld(Event):
    """Somebody holds another in the way of shots, or lets go of them."""

    by: str
    shield: str
    rule: str
    let_go: bool = False


@event("attack")
@dataclass(frozen=True, slots=True)
class CoverSet(Event):
    """A thing to hide behind, as it is now."""

    cover: Cover
    rule: str


@event("attack")
@dataclass(frozen=True, slots=True)
class CoverStruck(Event):
    """Cover caught ``damage`` points of a shot: ``cover`` is how it is now. Only what is ``lasting`` stays about.

    ``behind`` are those whom it hid, the target among them.
    """

    cover: Cover
    damage: int
    lasting: bool
    rule: str
    behind: tuple[str, ...] = ()


@event("attack", dice=True)
@dataclass(frozen=True, slots=True)
class ShieldStruck(Event):
    """Somebody who was held in the way of a shot ``by`` one at ``target`` was hit first."""

    by: str
    target: str
    done: DamageDone
    rule: str


@event("attack", dice=True, own_roll=True)
@dataclass(frozen=True, slots=True)
class CoveringFireLaid(Event):
    """Somebody laid covering fire on those in an area."""

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
    """What somebody did about covering fire (``choice``: "acted", "prone", "cover"), and what it did to them."""

    who: str
    choice: str
    rule: str
    by: str = ""
    weapon: str = ""
    done: DamageDone | None = None
