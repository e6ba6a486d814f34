"""Gear events: weapons and armour used up, broken, drawn and passed on."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.model.gear import Armor, Weapon


@event()
@dataclass(frozen=True, slots=True)
class WeaponChanged(Event):
    """A weapon's rounds, fault or place changed: ``weapon`` is its new state."""

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
    """A weapon was reloaded."""

    by: str
    weapon: str
    rounds: int


@event(topics=("armor_destroyed",))
@dataclass(frozen=True, slots=True)
class ArmorDestroyed(Event):
    """A blow destroyed armour: ``armor`` is its new state."""

    who: str
    armor: Armor


@event()
@dataclass(frozen=True, slots=True)
class WeaponDrawn(Event):
    """A combatant drew a weapon, or put it ``away``."""

    by: str
    weapon: str
    rule: str
    away: bool = False


@event(topics=("drawing",))
@dataclass(frozen=True, slots=True)
class CarriedSet(Event):
    """The Storyteller said where a combatant carries some ``weapons``: their new states."""

    who: str
    weapons: tuple[Weapon, ...]


@event(topics=("drawing",))
@dataclass(frozen=True, slots=True)
class WeaponLanded(Event):
    """A thrown weapon has left its thrower's hand and lies on the ground."""

    who: str
    weapon: str


@event(action="improvised")
@dataclass(frozen=True, slots=True)
class WeaponGained(Event):
    """A combatant gained a weapon: someone else's, or an improvised one."""

    who: str
    weapon: Weapon


@event()
@dataclass(frozen=True, slots=True)
class PickedUp(Event):
    """A combatant picked up a weapon from the ground."""

    by: str
    weapon: str
    rule: str


@event()
@dataclass(frozen=True, slots=True)
class Disarmed(Event):
    """A combatant lost hold of a ``weapon`` (its name): it lies on the ground, or ``by`` has ``taken`` it."""

    by: str
    who: str
    weapon: str
    rule: str
    taken: bool = False
