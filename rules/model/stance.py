"""Where somebody stands in a firefight, and what there is to hide behind."""

from __future__ import annotations

from dataclasses import dataclass

from rules.model.gear import Weapon


@dataclass(frozen=True, slots=True)
class Aiming:
    """Whom somebody aims at, with which weapon (its reference), and for how many full turns."""

    target: str
    weapon: str
    turns: int


@dataclass(frozen=True, slots=True)
class Cover:
    """A thing to hide behind. ``structure`` is what is left of it, ``None`` where nobody counts.

    ``unseen``: only hidden combatants have named it so far.
    """

    name: str
    durability: int
    structure: int | None = None
    transparent: bool = False
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Shelter:
    """How well somebody is hidden (``degree``), and behind what: the name of a cover, "" for anything else."""

    degree: str
    cover: str = ""


@dataclass(frozen=True, slots=True)
class UnderFire:
    """Covering fire that lies on somebody: whose, of what, with how many successes.

    The choice that it forces is made by the end of the turn numbered ``until``.
    """

    by: str
    weapon: Weapon
    successes: int
    until: int = 0


@dataclass(frozen=True, slots=True)
class Stance:
    """Where somebody stands in a firefight, from turn to turn: aim taken, shelter, a human ``shield``, ``fires``."""

    aiming: Aiming | None = None
    shelter: Shelter | None = None
    shield: str = ""
    fires: tuple[UnderFire, ...] = ()
