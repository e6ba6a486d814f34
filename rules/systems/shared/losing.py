"""Weapons within reach, and losing them (CD-MAN-2, CD-GRP-6, CD-AIM-8, MQ-MAN-3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.messages import Event
from rules.model.gear import Fault, Weapon
from rules.model.state import Encounter
from rules.model.system import Game
from rules.topics.events import Disarmed, WeaponChanged, WeaponGained


def within_reach(state: Encounter, who: str) -> tuple[Weapon, ...]:
    """Somebody's usable weapons."""
    return tuple(weapon for weapon in state.combatants[who].sheet.weapons if weapon.fault is None)


def told_apart(name: str, held: Iterable[Weapon]) -> str:
    """A key that distinguishes a gained weapon from others of the same name; "" without any others."""
    same = [weapon.name.casefold() for weapon in held].count(name.casefold())
    return f"{name} #{same + 1}" if same else ""


def dropped(by: str, who: str, weapon: Weapon, rule: str) -> tuple[Event, ...]:
    """A weapon lies on the ground."""
    lies = WeaponChanged(who, replace(weapon, fault=Fault.DROPPED))
    return (Disarmed(by, who, weapon.name, rule), lies)


def taken(game: Game, by: str, who: str, weapon: Weapon, rule: str) -> tuple[Event, ...]:
    """A weapon changes hands to the one who took it."""
    lost = WeaponChanged(who, replace(weapon, fault=Fault.TAKEN))
    key = told_apart(weapon.name, game.combatant(by).sheet.weapons)
    mine = replace(weapon, key=key, stowed=False, hidden=False)
    return (Disarmed(by, who, weapon.name, rule, taken=True), lost, WeaponGained(by, mine))
