"""What attacks of every family begin with: whom they are aimed at, and what is in hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.commands import Attack
from rules.encounter import Encounter, TurnRecord
from rules.gear import BARE_HANDS, Mode, Weapon, find
from rules.phrases import phrase
from rules.plan import AttackPlan
from rules.sheet import Sheet
from rules.violations import Referee, bad_input
from rules.words import in_words

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

FISTS = Weapon(BARE_HANDS, Mode.UNARMED, damage_from="strength")


@dataclass(frozen=True, slots=True)
class Prepared:
    """An attack ready to be rolled: its plan, its weapon, and the turns' records as it leaves them."""

    plan: AttackPlan
    weapon: Weapon
    records: Mapping[str, TurnRecord]


def weapon_of(sheet: Sheet, reference: str) -> Weapon:
    """The weapon of that key or name; bare hands under their own name, unless the sheet says otherwise."""
    if reference in ("", BARE_HANDS) and not any(weapon.name == BARE_HANDS for weapon in sheet.weapons):
        return FISTS
    return find(sheet.at_hand, reference or BARE_HANDS)


def one_target(state: Encounter, command: Attack) -> str:
    """The only target of an attack; raises "input" for anything but one other combatant who alone defends."""
    if command.by not in state.combatants or any(who not in state.combatants for who in command.at):
        raise bad_input(phrase("Nobody of that name is in the fight."))
    if len(command.at) != 1:
        raise bad_input(phrase("An attack has one target."))
    if command.at[0] == command.by:
        raise bad_input(phrase("Nobody attacks themselves."))
    if any(who not in command.at for who in command.defences):
        raise bad_input(phrase("Only the target defends."))
    return command.at[0]


def check_fault(weapon: Weapon, ruleset: Ruleset, referee: Referee) -> None:
    """Forbid an attack with a weapon that is jammed or broken, or in nobody's or somebody else's hands."""
    if weapon.fault is not None:
        rule = ruleset.cites.get(f"weapon_{weapon.fault}", ruleset.cites["mishap"])
        referee.forbid(
            rule, phrase("{weapon} is {fault} and cannot be used.", weapon=weapon.name, fault=in_words(weapon.fault))
        )


def counted(shots: Mapping[str, int], weapon: Weapon) -> dict[str, int]:
    """The attacks made by each weapon, with one more of this one's."""
    key = weapon.key or weapon.name
    return {**shots, key: shots.get(key, 0) + 1}
