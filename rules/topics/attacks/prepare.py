"""What attacks of every family begin with: whom they are aimed at, and what is in hand."""

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
    """The weapon of that key or name; bare hands under their own name, unless the sheet says otherwise."""
    if reference in ("", BARE_HANDS) and not any(weapon.name == BARE_HANDS for weapon in sheet.weapons):
        return FISTS
    return find(sheet.at_hand, reference or BARE_HANDS)


def check_parties(state: Encounter, command: Attack, met: Collection[str], miscounted: str) -> None:
    """Raise "input" where not all are in the fight, or others defend than those who are ``met``: never the attacker.

    Whoever stands near is looked for in every ruleset, also where no rule asks who that is.
    ``miscounted`` says why there cannot be so many targets, "" where there can.
    """
    if any(who not in state.combatants for who in (command.by, *met, *command.near)):
        raise bad_input(phrase("Nobody of that name is in the fight."))
    if miscounted:
        raise bad_input(miscounted)
    if command.by in (*met, *command.near):
        raise bad_input(phrase("Nobody attacks themselves."))
    if any(who not in met for who in command.defences):
        raise bad_input(phrase("Only the target defends."))


def check_fault(weapon: Weapon, game: Game) -> None:
    """Forbid an attack with a weapon that is jammed or broken, or in nobody's or somebody else's hands."""
    if weapon.fault is not None:
        rule = game.system.cites.get(f"weapon_{weapon.fault}", game.system.cites["mishap"])
        game.referee.forbid(
            rule, phrase("{weapon} is {fault} and cannot be used.", weapon=weapon.name, fault=in_words(weapon.fault))
        )


def counted(shots: Mapping[str, int], weapon: Weapon) -> dict[str, int]:
    """The attacks made by each weapon, with one more of this one's."""
    key = weapon.key or weapon.name
    return {**shots, key: shots.get(key, 0) + 1}
