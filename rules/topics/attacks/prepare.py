"""Preparation common to attacks of every family: the parties and the weapon."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.attack import Attack
from rules.model.gear import BARE_HANDS, Mode, Weapon, find
from rules.model.sheet import Sheet
from rules.model.state import Encounter
from rules.model.system import Game
from rules.model.words import in_words

FISTS = Weapon(BARE_HANDS, Mode.UNARMED, damage_from="strength")


def weapon_of(sheet: Sheet, reference: str) -> Weapon:
    """The weapon with that key or name; bare hands are always available, and a sheet may define its own."""
    if reference in ("", BARE_HANDS) and not any(weapon.name == BARE_HANDS for weapon in sheet.weapons):
        return FISTS
    return find(sheet.at_hand, reference or BARE_HANDS, sheet.name)


def check_parties(state: Encounter, command: Attack, met: Collection[str], miscounted: str) -> None:
    """Raise "input" unless everyone named is in the fight and only targets (``met``) other than the attacker defend.

    Combatants ``near`` must exist in every ruleset, even if no rule uses them. ``miscounted`` is the error for a wrong
    number of targets, "" if the number is right.
    """
    if any(who not in state.combatants for who in (command.by, *met, *command.near)):
        raise bad_input(phrase("nobody-by-that-name-is-in-this-fight"))
    if miscounted:
        raise bad_input(miscounted)
    if command.by in (*met, *command.near):
        raise bad_input(phrase("you-cant-attack-yourself"))
    if any(who not in met for who in command.defences):
        raise bad_input(phrase("only-target-can-defend"))


def check_fault(weapon: Weapon, game: Game) -> None:
    """Forbid an attack with a weapon that is jammed, broken, dropped or in someone else's hands."""
    if weapon.fault is not None:
        rule = game.system.cites.get(f"weapon_{weapon.fault}", game.system.cites["mishap"])
        game.referee.forbid(rule, phrase("is-and-cant-be-used", weapon=weapon.name, fault=in_words(weapon.fault)))


def counted(shots: Mapping[str, int], weapon: Weapon) -> dict[str, int]:
    """The number of attacks made with each weapon, counting one more with this one."""
    key = weapon.key or weapon.name
    return {**shots, key: shots.get(key, 0) + 1}
