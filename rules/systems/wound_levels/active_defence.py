"""Answers to an attack: dodge, parry, and the clash of two attacks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rules.engine.phrases import phrase
from rules.engine.violations import Referee
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.gear import BARE_HANDS, Mode, Weapon, find
from rules.model.modifiers import Circumstances, Use, check_modifiers, modifier_parts, modifier_rule
from rules.model.plan import PoolPlan
from rules.model.sheet import Sheet
from rules.model.state import Encounter, TurnRecord
from rules.strike.active_defence import DefenceRules, shared
from rules.systems.wound_levels.modifiers import SWEEP
from rules.topics.attacks.prepare import FISTS, weapon_of

if TYPE_CHECKING:
    from rules.model.system import System

CLASH = "clash"
COVER = "target_in_cover"
IN_COVER = "in_cover"
"""The condition of whoever is behind cover."""

DODGES_BULLETS = "dodges_bullets"
"""The Merit of those who have a Power against gunfire."""

BARE = Weapon(BARE_HANDS, Mode.UNARMED, difficulty=5)
"""Bare hands (WL-WPN-1)."""


def held(sheet: Sheet, reference: str) -> Weapon:
    """The weapon of that key or name; bare hands are these rules' own."""
    weapon = weapon_of(sheet, reference)
    return BARE if weapon is FISTS else weapon


@dataclass(frozen=True, slots=True)
class WoundDefences(DefenceRules):
    """Defences that cancel successes one for one (WL-DEF-1 to WL-DEF-3); a clash answers with an attack (WL-DEF-5)."""

    def allow(
        self, state: Encounter, command: Attack, target: str, weapon: Weapon, ruleset: System, referee: Referee
    ) -> None:
        """Forbid a defence that this attack does not allow, or that the target cannot give."""
        defence, sheet = command.defences[target], state.combatants[target].sheet
        rule = self._rule(defence)
        check_modifiers(defence.modifiers, Use.DEFENCE, ruleset)
        ruleset.turns.check_able(state, target, ruleset, referee)
        picked = {modifier_rule(modifier.key, ruleset).key for modifier in command.modifiers}
        ambush = state.combatants[command.by].turn.ambush
        if "surprise" in picked or (ambush is not None and ambush.target == target):
            referee.forbid(ruleset.cites["caught"], phrase("{name} does not see it coming.", name=sheet.name))
        dodges_sweep = SWEEP in picked and rule.key == "dodge"
        if weapon.mode is Mode.FIREARM and not dodges_sweep and DODGES_BULLETS not in sheet.merits:
            referee.forbid(ruleset.cites["gunfire"], phrase("Nobody can {key} gunfire without a Power.", key=rule.key))
        if rule.key == CLASH:
            self._check_clash(sheet, defence, weapon, ruleset, referee)

    def _check_clash(self, sheet: Sheet, defence: Defence, weapon: Weapon, ruleset: System, referee: Referee) -> None:
        rule = self.kinds[CLASH].rule
        if not weapon.mode.close:
            referee.forbid(rule, phrase("Only close attacks can be met with a clash."))
        ability = ruleset.attack.traits_of(weapon)[1]
        if not ruleset.layout.dots(sheet, ability):
            label = ruleset.layout.trait(ability).label
            referee.forbid(rule, phrase("{name} has no dots in {label} to clash with.", name=sheet.name, label=label))
        own = clashing(sheet, defence, weapon, ruleset)
        if ruleset.attack.traits_of(own)[1] != ability or not own.mode.close:
            referee.forbid(rule, phrase("A clash takes the Ability of the attack: {own} is none for it.", own=own.name))

    def answer(
        self,
        state: Encounter,
        command: Attack,
        target: str,
        weapon: Weapon,
        ruleset: System,
        referee: Referee,
    ) -> tuple[PoolPlan, TurnRecord]:
        """The defender's pool, and their round's record with this defence in it."""
        defence, combatant = command.defences[target], state.combatants[target]
        rule = self._rule(defence)
        traits, base = rule.traits, int(ruleset.settings["defence_difficulty"])
        if rule.key == CLASH:
            own = clashing(combatant.sheet, defence, weapon, ruleset)
            traits, base = ruleset.attack.traits_of(own), difficulty_of(own)
        elif rule.key == "parry" and not _blade(combatant.sheet, defence):
            traits = ("dexterity", "brawl")
        parts = [
            *ruleset.pools.traits(combatant.sheet, traits, rule.rule, ruleset),
            *ruleset.pools.hampering(state, target, traits, ruleset),
        ]
        if rule.key == "dodge" and self._sheltered(combatant.conditions, command, defence, ruleset):
            record = replace(combatant.turn, defences=combatant.turn.defences + 1)
        else:
            record, used = ruleset.turns.use_defence(state, target, rule.key, ruleset, referee)
            share, record = shared(parts, record, used, defence.modifiers, ruleset, referee)
            parts.extend(share)
        seen = Circumstances(base=base, use=Use.DEFENCE)
        parts.append(ruleset.pools.difficulty(base, rule.label, rule.rule))
        # Cover that makes the dodge free makes it no harder.
        own_modifiers = [mod for mod in defence.modifiers if modifier_rule(mod.key, ruleset).key != COVER]
        parts.extend(modifier_parts(own_modifiers, seen, ruleset))
        return ruleset.pools.total(parts, ruleset, strikes=defence.strike), record

    def _sheltered(self, conditions: frozenset[str], command: Attack, defence: Defence, ruleset: System) -> bool:
        """Whether a dodge is free, from behind cover (WL-MOD-1)."""
        picked = {modifier_rule(modifier.key, ruleset).key for modifier in (*command.modifiers, *defence.modifiers)}
        return IN_COVER in conditions or COVER in picked


def clashing(sheet: Sheet, defence: Defence, attack: Weapon, ruleset: System) -> Weapon:
    """What somebody clashes with: the weapon named, else the first in hand of the attack's Ability."""
    if defence.weapon:
        return held(sheet, defence.weapon)
    ability = ruleset.attack.traits_of(attack)[1]
    fit = (each for each in sheet.at_hand if each.mode.close and each.fault is None)
    own = next((each for each in fit if ruleset.attack.traits_of(each)[1] == ability), None)
    return own or BARE


def _blade(sheet: Sheet, defence: Defence) -> bool:
    """Whether a parry is made with a weapon, and so with Melee; with bare hands it is Brawl."""
    if defence.weapon == BARE_HANDS:
        return False
    if defence.weapon:
        return find(sheet.at_hand, defence.weapon).mode is Mode.MELEE
    return any(each.mode is Mode.MELEE and each.fault is None for each in sheet.at_hand)


USUAL = {Mode.UNARMED: 5, Mode.MELEE: 6, Mode.FIREARM: 7, Mode.THROWN: 7, Mode.ARCHERY: 7}
"""The difficulty of a weapon that says none, by mode (WL-WPN-1, WL-WPN-2)."""


def difficulty_of(weapon: Weapon) -> int:
    """The difficulty that attacks with a weapon start from."""
    return USUAL[weapon.mode] if weapon.difficulty is None else weapon.difficulty
