"""An attack from plan to result.

:meth:`ClassicAttack.plan` works out everything that is known before the dice, and what the attack
uses up; :meth:`ClassicAttack.resolve` rolls it. Nothing here changes the state.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.engine.copies import replace
from rules.engine.dice import Dice, Purpose, Roll
from rules.engine.phrases import phrase
from rules.engine.violations import Referee
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Damage, Mode, Weapon
from rules.model.modifiers import Band, Circumstances, Use, check_modifiers, modifier_parts
from rules.model.plan import Against, AttackPlan, Part, PoolPlan
from rules.model.points import check_attack
from rules.model.results import AttackResult, Outcome, Rolled
from rules.model.sheet import Sheet
from rules.model.state import Encounter, TurnRecord
from rules.strike.active_defence import DefenceRules, parrying_weapon, several_attackers, shared
from rules.strike.reach import Reach, band_modifiers, rounds_fired
from rules.strike.rolled_damage import DamageRules
from rules.strike.situations import AMBUSH, ConditionRule
from rules.topics.attacks.prepare import ByWeapon, Prepared, check_fault, counted, one_target, weapon_of
from rules.topics.rolls.rolling import roll_pool
from rules.topics.turns.course import sheet_now

if TYPE_CHECKING:
    from rules.model.system import System

AUTOMATIC = "automatic"
"""The part of an attack that hits without a roll."""


@dataclass(frozen=True, slots=True)
class ClassicAttack(ByWeapon):
    """Attack roll, defence, damage roll with overage, soak."""

    defences: DefenceRules
    damage: DamageRules
    reach: Reach

    def plan(self, state: Encounter, command: Attack, ruleset: System, referee: Referee) -> Prepared:
        """Work an attack out before the dice; raises :class:`rules.engine.violations.RuleViolation`."""
        target = one_target(state, command)
        ruleset.turns.check_able(state, command.by, ruleset, referee)
        sheet = sheet_now(state, command.by)
        weapon = weapon_of(sheet, command.weapon)
        check_modifiers(command.modifiers, Use.ATTACK, ruleset, weapon.mode)
        check_fault(weapon, ruleset, referee)
        ruleset.situations.check(state, command, weapon, ruleset, referee)
        band = self.reach.band(command, weapon, ruleset, referee)
        record, used = self._action(state, command, weapon, ruleset, referee)
        rounds = rounds_fired(weapon, command.modifiers, record, ruleset, referee)
        attack, record = self._pool(state, command, weapon, band, record, used, ruleset, referee)
        if weapon.mode in (Mode.FIREARM, Mode.ARCHERY):
            record = replace(record, shots=counted(record.shots, weapon))
        against, answer = self._against(state, command, target, weapon, attack, ruleset, referee)
        records = {command.by: record}
        if weapon.mode.close and command.by not in answer.attackers:
            answer = replace(answer, attackers=(*answer.attackers, command.by))
        records[target] = answer
        flags = ruleset.pools.flags(sheet, attack, ruleset)
        if against.defence is not None:
            flags += ruleset.pools.flags(state.combatants[target].sheet, against.defence, ruleset)
        plan = AttackPlan(command.by, weapon.name, weapon.key, weapon.mode, (against,), rounds, flags)
        return Prepared(plan, weapon, records)

    def _action(
        self, state: Encounter, command: Attack, weapon: Weapon, ruleset: System, referee: Referee
    ) -> tuple[TurnRecord, str]:
        """The attacker's record with the action gone; an ambush that was won is free, and over with it."""
        record = state.combatants[command.by].turn
        if record.ambush is not None and record.ambush.target in command.at:
            return replace(record, ambush=None), ruleset.turns.fast
        return ruleset.turns.use_action(state, command.by, weapon.mode, ruleset, referee)

    def _pool(
        self,
        state: Encounter,
        command: Attack,
        weapon: Weapon,
        band: Band,
        record: TurnRecord,
        used: str,
        ruleset: System,
        referee: Referee,
    ) -> tuple[PoolPlan, TurnRecord]:
        sheet, rule = sheet_now(state, command.by), ruleset.cites[weapon.mode]
        traits = self.traits_of(weapon)
        base = ruleset.mechanic.default if weapon.difficulty is None else weapon.difficulty
        start = ruleset.pools.difficulty(base, phrase("Attack"), ruleset.cites["attack_difficulty"])
        helpless = self._helpless(state, command, ruleset)
        if helpless is not None:
            return PoolPlan(
                (start, Part(AUTOMATIC, phrase("Hits by itself: {label}", label=helpless.label), helpless.rule)),
                0,
                base,
            ), record
        parts = [
            *ruleset.pools.traits(sheet, traits, rule, ruleset),
            *ruleset.pools.hindrances(sheet, traits, ruleset),
        ]
        share, record = shared(parts, record, used, command.modifiers, ruleset, referee)
        modifiers = several_attackers(band_modifiers(band, command.modifiers, ruleset), set(record.attackers))
        around = self._around(state, command, weapon, Circumstances(band, base), modifiers, ruleset)
        return ruleset.pools.total([*parts, *share, start, *around], ruleset, strikes=command.strike), record

    def _around(
        self,
        state: Encounter,
        command: Attack,
        weapon: Weapon,
        seen: Circumstances,
        modifiers: tuple[Modifier, ...],
        ruleset: System,
    ) -> tuple[Part, ...]:
        """What conditions, an ambush and the circumstances picked make of an attack."""
        own = state.combatants[command.by].conditions
        theirs = ruleset.situations.of_target(state, command, ruleset)
        return (
            *ruleset.situations.burdens(own),
            *ruleset.situations.openings(theirs, weapon, modifiers, ruleset),
            *self._won(state, command, ruleset),
            *modifier_parts(modifiers, replace(seen, conditions=own), ruleset),
        )

    def _helpless(self, state: Encounter, command: Attack, ruleset: System) -> ConditionRule | None:
        """Why the attack needs no roll, unless the Storyteller wants one."""
        if AUTOMATIC in command.strike:
            return None
        return ruleset.situations.helpless(ruleset.situations.of_target(state, command, ruleset))

    def _won(self, state: Encounter, command: Attack, ruleset: System) -> tuple[Part, ...]:
        """What an ambush brings (AP-SIT-1)."""
        ambush = state.combatants[command.by].turn.ambush
        if ambush is None or ambush.target not in command.at or not ambush.dice:
            return ()
        return (Part("ambushed", phrase("Ambush"), ruleset.modifiers[AMBUSH].rule, dice=ambush.dice),)

    def pool_of(self, sheet: Sheet, weapon: Weapon, ruleset: System) -> PoolPlan:
        """The pool that a weapon has in somebody's hands as they are now, at its usual difficulty."""
        traits = self.traits_of(weapon)
        base = ruleset.mechanic.default if weapon.difficulty is None else weapon.difficulty
        parts = [
            *ruleset.pools.traits(sheet, traits, ruleset.cites[weapon.mode], ruleset),
            *ruleset.pools.hindrances(sheet, traits, ruleset),
            ruleset.pools.difficulty(base, phrase("Attack"), ruleset.cites["attack_difficulty"]),
        ]
        return ruleset.pools.total(parts, ruleset)

    def _against(
        self,
        state: Encounter,
        command: Attack,
        target: str,
        weapon: Weapon,
        attack: PoolPlan,
        ruleset: System,
        referee: Referee,
    ) -> tuple[Against, TurnRecord]:
        sheet, victim = sheet_now(state, command.by), state.combatants[target].sheet
        damage_type = self.damage.type(weapon, victim, command.modifiers, ruleset)
        defence = command.defences.get(target)
        against = Against(
            target,
            attack,
            self.damage.pool(sheet, weapon, ruleset, command.strike, command.modifiers),
            damage_type,
            self.damage.soak(
                victim,
                damage_type,
                weapon,
                ruleset,
                defence.strike if defence else frozenset(),
                command.modifiers,
            ),
            overage=not self.damage.outright(weapon),
            automatic=self._automatic(attack, ruleset),
        )
        if defence is None or not defence.kind:
            return against, state.combatants[target].turn
        ruleset.situations.check_defence(state, command, target, weapon, ruleset, referee)
        self.defences.check(state, target, defence, replace(weapon, type=damage_type), ruleset, referee)
        pool, record = self.defences.pool(state, target, defence, weapon, command.by, ruleset, referee)
        against = replace(against, defence_kind=defence.kind, defence=pool)
        parrying = parrying_weapon(victim, defence) if defence.kind == "parry" else None
        if parrying and weapon.mode is Mode.UNARMED and parrying.type is not Damage.BASHING:
            against = self._struck_back(against, sheet, victim, parrying, ruleset)
        return against, record

    def _struck_back(
        self, against: Against, attacker: Sheet, victim: Sheet, parrying: Weapon, ruleset: System
    ) -> Against:
        """With what the weapon that parries bare hands may do back (MQ-DEF-2)."""
        counter_type = self.damage.type(parrying, attacker, (), ruleset)
        return replace(
            against,
            counter=self.damage.pool(victim, parrying, ruleset),
            counter_type=counter_type,
            counter_soak=self.damage.soak(attacker, counter_type, parrying, ruleset),
        )

    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet, ruleset: System) -> Damage:
        """What a kind of damage is to this target, by what does it (AP-DMG-7)."""
        return self.damage.suffered(damage, tags, target, ruleset)

    def _automatic(self, attack: PoolPlan, ruleset: System) -> int:
        """As how many successes an attack counts that hits by itself (AP-SIT-7)."""
        by_itself = any(part.key == AUTOMATIC for part in attack.parts)
        return int(ruleset.settings["automatic_successes"]) if by_itself else 0

    # -------------------------------------------------------------- rolling

    def resolve(self, state: Encounter, prepared: Prepared, ruleset: System, dice: Dice) -> tuple[AttackResult, ...]:
        """Roll a prepared attack against each of its targets."""
        by = prepared.plan.by
        return tuple(self._meet(state, by, against, ruleset, dice) for against in prepared.plan.against)

    def _meet(self, state: Encounter, by: str, against: Against, ruleset: System, dice: Dice) -> AttackResult:
        attack = Rolled(by, against.attack, Roll((), against.attack.difficulty, against.automatic))
        if not against.automatic:
            attack = roll_pool(Purpose.ATTACK, by, against.attack, ruleset, dice, against.target)
        defence = None
        if against.defence is not None:
            defence = roll_pool(Purpose.DEFENCE, against.target, against.defence, ruleset, dice, by)
        answered = defence.roll.successes if defence else 0
        taken_off = min(attack.roll.successes, answered)
        net = attack.roll.successes - taken_off
        outcome = Outcome.HIT if net else Outcome.BOTCH if attack.roll.botch else Outcome.MISS
        result = AttackResult(against.target, outcome, attack, against.defence_kind, defence, taken_off, net)
        if net:
            return replace(result, done=self.damage.hit(state, by, against, net, ruleset, dice))
        ahead = answered - attack.roll.successes
        if against.counter and ahead > 0:
            label, rule = phrase("Parry ahead by"), ruleset.cites["parry"]
            pool = self.damage.with_extra(against.counter, ahead, label, rule, ruleset)
            return replace(result, counter=self.damage.struck_back(state, by, against, pool, ruleset, dice))
        return result


def plan_attack(state: Encounter, command: Attack, ruleset: System, waive: Iterable[str] = ()) -> AttackPlan:
    """What an attack will be, before the dice; raises :class:`rules.engine.violations.RuleViolation`."""
    referee = Referee(waive)
    check_attack(state, command, ruleset, referee)
    return ruleset.attack.plan(state, command, ruleset, referee).plan


def plan_answered(
    state: Encounter, command: Attack, target: str, defence: Defence, ruleset: System, waive: Iterable[str] = ()
) -> Against:
    """How an attack meets a target who answers with that defence; raises as :func:`plan_attack`."""
    answered = replace(command, defences={**command.defences, target: defence})
    plan = plan_attack(state, answered, ruleset, waive)
    return next(against for against in plan.against if against.target == target)
