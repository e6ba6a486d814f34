"""Answers to an attack: dodge, parry, and the clash of two attacks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.engine.phrases import phrase
from rules.engine.violations import Referee
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.conditions import SURPRISED, Condition, declare
from rules.model.gear import BARE_HANDS, Mode, Weapon, find
from rules.model.modifiers import Circumstances, Use
from rules.model.plan import Against, PoolPlan
from rules.model.pools import ATTACK
from rules.model.power_effects import Pool
from rules.model.sheet import Sheet
from rules.model.state import TurnRecord
from rules.model.system import AttackRules, Game, System
from rules.strike.active_defence import ActiveDefence
from rules.strike.drawing import check_in_hand
from rules.strike.facets import Strike, picked
from rules.systems.wound_levels.held_ready import EVADING
from rules.systems.wound_levels.modifiers import SWEEP
from rules.topics.attacks.prepare import FISTS, weapon_of

CLASH = "clash"
COVER = "target_in_cover"
IN_COVER = declare(Condition("in_cover", phrase("in-cover")))

DODGES_BULLETS = "dodges_bullets"
"""The Merit for a power that is always on and dodges gunfire."""

GUNFIRE = "gunfire"
"""What other powers lift, so that gunfire can be dodged and parried (WL-DEF-3)."""
"""The Merit of combatants with a Power against gunfire."""

SURROUNDINGS = frozenset({"dark", "foggy", "stormy", "underwater"})
"""Circumstances of a place: in a clash they are the same for both."""

BARE = Weapon(BARE_HANDS, Mode.UNARMED, difficulty=5)
"""Bare hands (WL-WPN-1)."""


def held(sheet: Sheet, reference: str) -> Weapon:
    """The weapon of that key or name; bare hands use this system's own values."""
    weapon = weapon_of(sheet, reference)
    return BARE if weapon is FISTS else weapon


@dataclass(frozen=True, slots=True)
class WoundDefences(ActiveDefence):
    """Defences that cancel successes one for one (WL-DEF-1 to WL-DEF-3); a clash answers with an attack (WL-DEF-5)."""

    def answer(self, strike: Strike, against: Against) -> tuple[Against, TurnRecord]:
        """With held evasion, the defence's own pool, and a clash's counter-damage (WL-DEF-4, WL-DEF-5)."""
        victim, defence = strike.victim, strike.command.defences.get(strike.target)
        if EVADING.of(victim):
            against = replace(against, stock=EVADING.of(victim))
        if defence is None or not defence.kind:
            return against, victim.turn
        self.allow(strike.game, strike.command, strike.target, strike.weapon)
        pool, record = self.rolled(strike.game, strike.command, strike.target, strike.weapon)
        against = replace(against, defence_kind=defence.kind, defence=pool)
        return self._clashing(strike, against, defence) if defence.kind == CLASH else against, record

    def _clashing(self, strike: Strike, against: Against, defence: Defence) -> Against:
        damage, kind = self.system.attack.damage, against.damage_type
        assert damage is not None, "what is defended against by rolls has damage of its own"
        own = clashing(strike.victim.sheet, defence, strike.weapon, self.system.attack)
        return replace(
            against,
            clash=True,
            in_full=bool(self.system.settings["clash_counts_in_full"]),
            counter=damage.pool(strike.victim.sheet, own),
            counter_type=kind,
            counter_soak=damage.soak(strike.sheet, kind, own, frozenset(), defence.modifiers),
        )

    def allow(self, game: Game, command: Attack, target: str, weapon: Weapon) -> None:
        """Forbid a defence that this attack does not allow or the target cannot make."""
        defence, sheet = command.defences[target], game.state.combatants[target].sheet
        rule = self.rule(defence)
        self.system.circumstances.check(defence.modifiers, Use.ATTACK if rule.attacks else Use.DEFENCE)
        self.system.turns.check_able(game, target)
        around = picked(command, self.system.circumstances)
        ambush = game.state.combatants[command.by].turn.ambush
        caught = SURPRISED in game.state.combatants[target].conditions
        if caught or "surprise" in around or (ambush is not None and ambush.target == target):
            game.referee.forbid(self.system.cites["caught"], phrase("doesnt-see-it-coming", name=sheet.name))
        dodges_sweep = SWEEP in around and rule.key == "dodge"
        fast = DODGES_BULLETS in sheet.merits or GUNFIRE in self.system.in_play.lifted(sheet)
        if weapon.mode is Mode.FIREARM and not dodges_sweep and not fast:
            game.referee.forbid(self.system.cites["gunfire"], phrase("you-need-power-to-gunfire", key=rule.key))
        if defence.weapon and rule.key in (CLASH, "parry"):
            check_in_hand(held(sheet, defence.weapon), game)
        if rule.key == CLASH:
            self._check_clash(sheet, defence, weapon, game.referee)

    def _check_clash(self, sheet: Sheet, defence: Defence, weapon: Weapon, referee: Referee) -> None:
        rule = self.kinds[CLASH].rule
        if not weapon.mode.close:
            referee.forbid(rule, phrase("only-close-combat-attacks-can-be-clashed"))
        ability = self.system.attack.traits_of(weapon)[1]
        if not self.system.layout.dots(sheet, ability):
            label = self.system.layout.trait(ability).label
            referee.forbid(rule, phrase("has-no-dots-in-to-clash-with", name=sheet.name, label=label))
        own = clashing(sheet, defence, weapon, self.system.attack)
        if self.system.attack.traits_of(own)[1] != ability or not own.mode.close:
            referee.forbid(rule, phrase("clash-needs-attacks-ability-doesnt-match", own=own.name))

    def rolled(
        self,
        game: Game,
        command: Attack,
        target: str,
        weapon: Weapon,
    ) -> tuple[PoolPlan, TurnRecord]:
        """The defender's pool, and their round's record including this defence."""
        defence, combatant = command.defences[target], game.state.combatants[target]
        rule = self.rule(defence)
        traits, base = rule.traits, int(self.system.settings["defence_difficulty"])
        # Cover that makes the dodge free does not raise its difficulty.
        modifiers = tuple(mod for mod in defence.modifiers if self.system.circumstances.rule(mod.key).key != COVER)
        seen = Circumstances(base=base, use=Use.DEFENCE)
        if rule.key == CLASH:
            own = clashing(combatant.sheet, defence, weapon, self.system.attack)
            traits, base = self.system.attack.traits_of(own), difficulty_of(own)
            modifiers = self._around_clash(game, command, target, own)
            seen = self._seen_in_clash(game, command, target, own)
        elif rule.key == "parry" and not _blade(combatant.sheet, defence):
            traits = ("dexterity", "brawl")
        parts = [
            *self.system.pools.dice(combatant.sheet, traits, rule.rule, ATTACK if rule.attacks else rule.key),
            *self.system.pools.hampering(game.state, target, traits),
        ]
        if rule.key == "dodge" and self._sheltered(combatant.conditions, command, defence):
            record = combatant.turn  # takes no dice, so that the pool can still be split (WL-SPLIT-1)
        else:
            record, used = self.system.turns.use_defence(game, target, rule.key)
            share, record = self.system.turns.shared(parts, record, used, defence.modifiers, game.referee)
            parts.extend(share)
        parts.append(self.system.pools.difficulty(base, rule.label, rule.rule))
        seen = replace(seen, specialties=self.system.layout.specialties(combatant.sheet, traits))
        parts.extend(self.system.circumstances.parts(modifiers, seen))
        parts.extend(self.system.in_play.parts(combatant.sheet, Pool.DEFENCE, traits, weapon.mode, tags=weapon.tags))
        return self.system.pools.total(parts, strikes=defence.strike), record

    def _around_clash(self, game: Game, command: Attack, target: str, own: Weapon) -> tuple[Modifier, ...]:
        """What applies to a clash, which is an attack by the target: what is picked for it, the attack's surroundings,
        and what the conditions of both mean for it (WL-DEF-5, WL-MOD-1 to WL-MOD-14)."""
        rule = self.system.circumstances.rule
        people, mine = game.state.combatants, command.defences[target].modifiers
        around = [each for each in command.modifiers if rule(each.key).key in SURROUNDINGS]
        bodies = of_conditions(self.system, own.mode, people[target].conditions, people[command.by].conditions)
        chosen = {rule(each.key).key for each in mine}
        return (*mine, *(each for each in (*around, *bodies) if rule(each.key).key not in chosen))

    def _seen_in_clash(self, game: Game, command: Attack, target: str, own: Weapon) -> Circumstances:
        return Circumstances(
            base=difficulty_of(own),
            weapon=own,
            perception=self.system.layout.dots(game.state.combatants[target].sheet, "perception"),
            moving=game.state.combatants[command.by].turn.moved > 0,
        )

    def _sheltered(self, conditions: frozenset[str], command: Attack, defence: Defence) -> bool:
        """Whether a dodge is free, from behind cover (WL-MOD-1)."""
        around = {
            self.system.circumstances.rule(modifier.key).key for modifier in (*command.modifiers, *defence.modifiers)
        }
        return IN_COVER in conditions or COVER in around


def of_conditions(system: System, mode: Mode, attacker: frozenset[str], target: frozenset[str]) -> tuple[Modifier, ...]:
    """What the conditions of both mean for an attack of this mode, as circumstances."""
    found = [each.as_attacker for each in system.conditions.of(attacker) if each.as_attacker]
    found += [each.as_target for each in system.conditions.of(target) if each.as_target]
    return tuple(Modifier(key) for key in found if mode in system.circumstances.rule(key).modes)


def clashing(sheet: Sheet, defence: Defence, attack: Weapon, rules: AttackRules) -> Weapon:
    """The weapon used to clash: the one named, else the first in hand with the attack's Ability."""
    if defence.weapon:
        return held(sheet, defence.weapon)
    ability = rules.traits_of(attack)[1]
    fit = (each for each in sheet.at_hand if each.mode.close and each.works)
    own = next((each for each in fit if rules.traits_of(each)[1] == ability), None)
    return own or BARE


def _blade(sheet: Sheet, defence: Defence) -> bool:
    """Whether a parry uses a weapon, and so Melee; with bare hands it is Brawl."""
    if defence.weapon == BARE_HANDS:
        return False
    if defence.weapon:
        return find(sheet.at_hand, defence.weapon, sheet.name).mode is Mode.MELEE
    return any(each.mode is Mode.MELEE and each.works for each in sheet.at_hand)


USUAL = {Mode.UNARMED: 5, Mode.MELEE: 6, Mode.FIREARM: 7, Mode.THROWN: 7, Mode.ARCHERY: 7}
"""The default difficulty of a weapon, by mode (WL-WPN-1, WL-WPN-2)."""


def difficulty_of(weapon: Weapon) -> int:
    """The base difficulty of attacks with a weapon."""
    return USUAL[weapon.mode] if weapon.difficulty is None else weapon.difficulty
