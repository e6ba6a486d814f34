"""Deciders for where weapons are carried."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.gear import Carried, Fault, Weapon
from rules.model.system import Game
from rules.topics.commands import SetCarried
from rules.topics.events import CarriedSet


@decides(SetCarried)
def set_carried(game: Game, command: SetCarried) -> tuple[Event, ...]:
    """Put weapons where the Storyteller says; those that are there already stay untold."""
    told: list[Event] = []
    for who, wanted in command.carried.items():
        sheet = game.combatant(who).sheet
        held = {reference: sheet.weapon(reference) for reference in wanted}
        now = (_put(weapon, wanted[reference]) for reference, weapon in held.items())
        moved = tuple(weapon for weapon in now if weapon not in held.values())
        if moved:
            told.append(CarriedSet(who, moved))
    return tuple(told)


def _put(weapon: Weapon, place: str) -> Weapon:
    """The weapon in its new place. Raises "input" for one that can't be moved, and for an unknown place."""
    if place not in list(Carried) or weapon.natural or weapon.fault is Fault.TAKEN:
        raise bad_input(phrase("that-weapon-cant-be-used-for-this"))
    fault = None if weapon.fault is Fault.DROPPED else weapon.fault
    hidden = place == Carried.CONCEALED
    return replace(weapon, stowed=not hidden and place != Carried.IN_HAND, hidden=hidden, fault=fault)
