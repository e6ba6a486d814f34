"""Weapons and armour, as they are used up, broken and passed from hand to hand."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.model.gear import Armor, Weapon


@event()
@dataclass(frozen=True, slots=True)
class WeaponChanged(Event):
    """A weapon's rounds or fault changed: ``weapon`` is how it is now."""

    who: str
    weapon: Weapon


@event(topics=("mishap",))
@dataclass(frozen=True, slots=True)
class JamCleared(Event):
    """A jammed weapon fires again."""

    by: str
    weapon: str


@event(topics=("burst", "rate_of_fire"))
@dataclass(frozen=True, slots=True)
class Reloaded(Event):
    """A weapon was filled."""

    by: str
    weapon: str
    rounds: int


@event(topics=("armor_destroyed",))
@dataclass(frozen=True, slots=True)
class ArmorDestroyed(Event):
    """A blow was too much for somebody's armour: ``armor`` is how it is now."""

    who: str
    armor: Armor


@event()
@dataclass(frozen=True, slots=True)
class WeaponDrawn(Event):
    """Somebody drew a weapon, or put it ``away``."""

    by: str
    weapon: str
    rule: str
    away: bool = False


@event(action="improvised")
@dataclass(frozen=True, slots=True)
class WeaponGained(Event):
    """Somebody has a weapon that was not theirs, or that was none before."""

    who: str
    weapon: Weapon


@event()
@dataclass(frozen=True, slots=True)
class PickedUp(Event):
    """Somebody has a weapon in hand again that lay on the ground."""

    by: str
    weapon: str
    rule: str


@event()
@dataclass(frozen=True, slots=True)
class Disarmed(Event):
    """Somebody lost hold of a ``weapon`` (its name): it lies on the ground, or is ``taken`` by whoever did it."""

    by: str
    who: str
    weapon: str
    rule: str
    taken: bool = False
