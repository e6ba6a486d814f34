"""Evolvers for weapons and armour."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.engine.messages import evolves
from rules.model.gear import Weapon
from rules.model.state import Encounter
from rules.topics import events
from rules.topics.changes import keeping, with_combatant, with_sheet
from rules.topics.gear.gained import GAINED


@evolves(events.WeaponChanged)
def _weapon(state: Encounter, event: events.WeaponChanged) -> Encounter:
    def same(held: Weapon) -> bool:
        return (held.key, held.name) == (event.weapon.key, event.weapon.name)

    held = list(state.combatants[event.who].sheet.weapons)
    # If two weapons are indistinguishable, take the first, as when one was chosen.
    index = next((index for index, weapon in enumerate(held) if same(weapon)), None)
    if index is None:
        return state
    held[index] = event.weapon
    return with_sheet(state, event.who, weapons=tuple(held))


@evolves(events.CarriedSet)
def _carried(state: Encounter, event: events.CarriedSet) -> Encounter:
    for weapon in event.weapons:
        state = _weapon(state, events.WeaponChanged(event.who, weapon))
    return state


@evolves(events.ArmorDestroyed)
def _armor(state: Encounter, event: events.ArmorDestroyed) -> Encounter:
    worn = list(state.combatants[event.who].sheet.armor)
    sound = (i for i, each in enumerate(worn) if (each.key, each.name) == (event.armor.key, event.armor.name))
    index = next((i for i in sound if not worn[i].destroyed), None)
    if index is None:
        return state
    worn[index] = event.armor
    return with_sheet(state, event.who, armor=tuple(worn))


@evolves(events.WeaponGained)
def _gained(state: Encounter, event: events.WeaponGained) -> Encounter:
    combatant = state.combatants[event.who]
    sheet = replace(combatant.sheet, weapons=(*combatant.sheet.weapons, event.weapon))
    gained = GAINED.of(combatant) | {event.weapon.key or event.weapon.name}
    return keeping(with_combatant(state, event.who, sheet=sheet), event.who, GAINED, gained)
