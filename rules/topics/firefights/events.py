"""Where people stand while there is shooting: aim, shelter, cover and covering fire."""

from __future__ import annotations

from dataclasses import dataclass

from rules.model.results import DamageDone, Outcome, Rolled
from rules.model.stance import Cover, Stance


@dataclass(frozen=True, slots=True)
class StanceChanged:
    """Where somebody stands in a firefight, as it is now."""

    who: str
    stance: Stance


@dataclass(frozen=True, slots=True)
class AimTaken:
    """Somebody took aim at another, for so many turns by now."""

    by: str
    at: str
    turns: int
    rule: str


@dataclass(frozen=True, slots=True)
class AimBroken:
    """Somebody's aim is gone."""

    who: str
    rule: str


@dataclass(frozen=True, slots=True)
class ShelterTaken:
    """Somebody went behind something (``cover`` names it, "" for nothing that counts), or (``degree`` "") came out."""

    who: str
    degree: str
    cover: str
    rule: str


@dataclass(frozen=True, slots=True)
class ShieldHeld:
    """Somebody holds another in the way of shots, or lets go of them."""

    by: str
    shield: str
    rule: str
    let_go: bool = False


@dataclass(frozen=True, slots=True)
class CoverSet:
    """A thing to hide behind, as it is now."""

    cover: Cover
    rule: str


@dataclass(frozen=True, slots=True)
class CoverStruck:
    """Cover caught ``damage`` points of a shot: ``cover`` is how it is now. Only what is ``lasting`` stays about."""

    cover: Cover
    damage: int
    lasting: bool
    rule: str


@dataclass(frozen=True, slots=True)
class ShieldStruck:
    """Somebody who was held in the way of a shot ``by`` one at ``target`` was hit first."""

    by: str
    target: str
    done: DamageDone
    rule: str


@dataclass(frozen=True, slots=True)
class CoveringFireLaid:
    """Somebody laid covering fire on those in an area."""

    resolution: str
    by: str
    at: tuple[str, ...]
    weapon: str
    outcome: Outcome
    roll: Rolled
    rule: str


@dataclass(frozen=True, slots=True)
class CoveringFireMet:
    """What somebody did about covering fire (``choice``: "acted", "prone", "cover"), and what it did to them."""

    who: str
    choice: str
    rule: str
    by: str = ""
    weapon: str = ""
    done: DamageDone | None = None


FirefightEvent = (
    StanceChanged
    | AimTaken
    | AimBroken
    | ShelterTaken
    | ShieldHeld
    | CoverSet
    | CoverStruck
    | ShieldStruck
    | CoveringFireLaid
    | CoveringFireMet
)
