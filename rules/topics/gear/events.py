"""Weapons and armour, as they are used up, broken and passed from hand to hand."""

from __future__ import annotations

from dataclasses import dataclass

from rules.model.gear import Armor, Weapon


@dataclass(frozen=True, slots=True)
class WeaponChanged:
    """A weapon's rounds or fault changed: ``weapon`` is how it is now."""

    who: str
    weapon: Weapon


@dataclass(frozen=True, slots=True)
class JamCleared:
    """A jammed weapon fires again."""

    by: str
    weapon: str


@dataclass(frozen=True, slots=True)
class Reloaded:
    """A weapon was filled."""

    by: str
    weapon: str
    rounds: int


@dataclass(frozen=True, slots=True)
class ArmorDestroyed:
    """A blow was too much for somebody's armour: ``armor`` is how it is now."""

    who: str
    armor: Armor


@dataclass(frozen=True, slots=True)
class WeaponDrawn:
    """Somebody drew a weapon, or put it ``away``."""

    by: str
    weapon: str
    rule: str
    away: bool = False


@dataclass(frozen=True, slots=True)
class WeaponGained:
    """Somebody has a weapon that was not theirs, or that was none before."""

    who: str
    weapon: Weapon


@dataclass(frozen=True, slots=True)
class PickedUp:
    """Somebody has a weapon in hand again that lay on the ground."""

    by: str
    weapon: str
    rule: str


@dataclass(frozen=True, slots=True)
class Disarmed:
    """Somebody lost hold of a ``weapon`` (its name): it lies on the ground, or is ``taken`` by whoever did it."""

    by: str
    who: str
    weapon: str
    rule: str
    taken: bool = False


GearEvent = WeaponChanged | JamCleared | Reloaded | ArmorDestroyed | WeaponDrawn | WeaponGained | PickedUp | Disarmed
