"""Held weapons, and losing them (CD-MAN-2, CD-GRP-6, CD-AIM-8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.gear import GONE, Fault, Mode, Weapon, find
from rules.model.sheet import Sheet
from rules.model.state import Encounter
from rules.model.system import Game, Needs
from rules.topics import effects
from rules.topics.actions import AlwaysPossible
from rules.topics.commands import TakeAction
from rules.topics.events import Disarmed, PickedUp, WeaponChanged, WeaponGained


def in_hand(sheet: Sheet) -> tuple[Weapon, ...]:
    """Somebody's drawn weapons, except parts of the body."""
    return tuple(
        weapon
        for weapon in sheet.weapons
        if weapon.in_hand and weapon.fault not in GONE and weapon.mode is not Mode.UNARMED
    )


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


@dataclass(frozen=True, slots=True)
class PickUp(AlwaysPossible):
    """Pick up a dropped weapon; takes the turn's action, as drawing does (CD-GUN-14)."""

    rule: str
    label: str = phrase("pick-up-weapon")
    needs: ClassVar[Needs] = Needs(weapon=lambda weapon: weapon.fault is Fault.DROPPED)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        sheet = game.combatant(command.by).sheet
        weapon = find(sheet.weapons, command.weapon, sheet.name)
        up = WeaponChanged(command.by, replace(weapon, fault=None))
        return (PickedUp(command.by, weapon.name, self.rule), effects.action(game, command.by, command.key), up)
