"""An attack whose successes and weapon make an injury: no dice for damage, none for armour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.engine.copies import replace
from rules.engine.dice import Dice, Purpose
from rules.engine.phrases import phrase
from rules.engine.violations import Referee
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Damage, Mode, Weapon, label_of
from rules.model.modifiers import Band, Circumstances, Use, check_modifiers, figures_of, modifier_parts, modifier_rule
from rules.model.plan import Against, AttackPlan, PoolPlan
from rules.model.results import AttackResult, Outcome, Rolled
from rules.model.sheet import Sheet
from rules.model.state import Encounter, TurnRecord
from rules.strike.active_defence import shared
from rules.systems.wound_levels.active_defence import (
    CLASH,
    COVER,
    IN_COVER,
    WoundDefences,
    clashing,
    difficulty_of,
    held,
)
from rules.systems.wound_levels.modifiers import SWEEP
from rules.systems.wound_levels.reach import WoundReach, rounds_fired
from rules.systems.wound_levels.severity import SeverityRules
from rules.topics.attacks.prepare import ByWeapon, Prepared, check_fault, check_parties
from rules.topics.rolls.rolling import roll_pool

if TYPE_CHECKING:
    from rules.model.system import System

OF_ATTACKER = {IN_COVER: "attacker_in_cover"}
OF_TARGET = {IN_COVER: COVER, "immobilized": "target_immobilized", "running": "target_running"}
"""Conditions that count without being picked, and as which circumstance."""

DRY = frozenset({Mode.FIREARM, Mode.THROWN, Mode.ARCHERY})
"""What does not work under water."""


@dataclass(frozen=True, slots=True)
class WoundAttack(ByWeapon):
    """Attack roll, defence or clash, and what is left as severity (WL-ATK-1, WL-DMG-1, WL-DEF-4, WL-AUTO-1)."""

    defences: WoundDefences
    damage: SeverityRules
    reach: WoundReach

    def plan(self, state: Encounter, command: Attack, ruleset: System, referee: Referee) -> Prepared:
        """Work an attack out before the dice; raises :class:`rules.engine.violations.RuleViolation`."""
        check_parties(state, command, command.at, self._miscounted(command, ruleset))
        ruleset.turns.check_able(state, command.by, ruleset, referee)
        weapon = held(state.combatants[command.by].sheet, command.weapon)
        check_modifiers(command.modifiers, Use.ATTACK, ruleset, weapon.mode)
        check_fault(weapon, ruleset, referee)
        band, modifiers = self.reach.modifiers(command, weapon, ruleset, referee)
        modifiers = self._standing(state, command, weapon, modifiers, ruleset)
        self._check(state, command, weapon, modifiers, ruleset, referee)
        record, used = self._action(state, command, weapon, ruleset, referee)
        rounds = rounds_fired(weapon, modifiers, ruleset, referee)
        pool, record = self._pool(state, command, weapon, band, modifiers, record, used, ruleset, referee)
        records, against = {command.by: record}, []
        for target in command.at:
            met, answer = self._against(state, command, target, weapon, pool, modifiers, ruleset, referee)
            against.append(met)
            records[target] = replace(answer, attackers=tuple(dict.fromkeys((*answer.attackers, command.by))))
        plan = AttackPlan(command.by, weapon.name, weapon.key, weapon.mode, tuple(against), rounds)
        return Prepared(plan, weapon, records)

    # -------------------------------------------------------------- what forbids it

    def _miscounted(self, command: Attack, ruleset: System) -> str:
        """Why there cannot be so many targets, "" where there can."""
        if not command.at or len(set(command.at)) < len(command.at):
            return phrase("Say who is attacked, each once.")
        if len(command.at) > 1 and figures_of(command.modifiers, SWEEP, ruleset) is None:
            return phrase("Only a sweep attacks several at once.")
        return ""

    def _check(
        self,
        state: Encounter,
        command: Attack,
        weapon: Weapon,
        modifiers: tuple[Modifier, ...],
        ruleset: System,
        referee: Referee,
    ) -> None:
        attacker = state.combatants[command.by]
        rules = {key: rule.rule for key, rule in ruleset.modifiers.items()}
        keys = {modifier_rule(modifier.key, ruleset).key for modifier in modifiers}
        if weapon.strength and ruleset.layout.dots(attacker.sheet, "strength") < weapon.strength:
            message = phrase("{weapon} needs Strength {strength}.", weapon=weapon.name, strength=weapon.strength)
            referee.forbid(ruleset.cites[weapon.mode], message)
        if "underwater" in keys and weapon.mode in DRY and "underwater" not in weapon.tags:
            referee.forbid(rules["underwater"], phrase("{weapon} does not work under water.", weapon=weapon.name))
        if "aim" in keys and "attacker_in_cover" in keys:
            referee.forbid(rules["attacker_in_cover"], phrase("Nobody aims from behind cover."))
        if "aim" in keys and attacker.turn.moved:
            referee.forbid(
                rules["aim"], phrase("{name} has moved: whoever aims stands still.", name=attacker.sheet.name)
            )
        goes_on = state.ordered or attacker.turn.split is not None
        for target in command.at:
            if goes_on and command.by in state.combatants[target].turn.attackers:
                name = state.combatants[target].sheet.name
                referee.forbid(
                    ruleset.cites["one_attack"], phrase("{name} was attacked already this round.", name=name)
                )

    def _action(
        self, state: Encounter, command: Attack, weapon: Weapon, ruleset: System, referee: Referee
    ) -> tuple[TurnRecord, str]:
        """The attacker's record with the action gone; a surprise is free. A committed one allows no split."""
        record = state.combatants[command.by].turn
        surprise = record.ambush is not None and record.ambush.target in command.at
        picked = {modifier_rule(modifier.key, ruleset).key for modifier in command.modifiers}
        split = "split" in picked or (not surprise and (record.split is not None or len(record.actions) > 1))
        committed = weapon.committed or surprise or bool(picked & {"committed", "surprise"})
        if split and committed:
            referee.forbid(ruleset.cites["committed"], phrase("A committed action takes all the dice of the round."))
        if surprise:
            return replace(record, ambush=None), ruleset.turns.fast
        record, used = ruleset.turns.use_action(state, command.by, weapon.mode, ruleset, referee)
        return (replace(record, exposed=ruleset.cites["committed"]) if committed and state.ordered else record), used

    # -------------------------------------------------------------- the pool

    def _standing(
        self, state: Encounter, command: Attack, weapon: Weapon, modifiers: tuple[Modifier, ...], ruleset: System
    ) -> tuple[Modifier, ...]:
        """The circumstances picked, and those that conditions and a shot lined up bring about."""
        attacker = state.combatants[command.by]
        keys = {modifier_rule(modifier.key, ruleset).key for modifier in modifiers}
        found = [key for condition, key in OF_ATTACKER.items() if condition in attacker.conditions]
        theirs = frozenset[str]().union(*(state.combatants[target].conditions for target in command.at))
        found += [key for condition, key in OF_TARGET.items() if condition in theirs]
        added = [Modifier(key) for key in found if key not in keys]
        aim = attacker.lined_up
        if aim and aim.target in ("", *command.at) and not weapon.mode.close and "aim" not in keys:
            added.append(Modifier("aim", {"rounds": aim.rounds}))
        return (*modifiers, *added)

    def _pool(
        self,
        state: Encounter,
        command: Attack,
        weapon: Weapon,
        band: Band,
        modifiers: tuple[Modifier, ...],
        record: TurnRecord,
        used: str,
        ruleset: System,
        referee: Referee,
    ) -> tuple[PoolPlan, TurnRecord]:
        sheet, rule, traits = state.combatants[command.by].sheet, ruleset.cites[weapon.mode], self.traits_of(weapon)
        parts = [
            *ruleset.pools.traits(sheet, traits, rule, ruleset),
            *ruleset.pools.hampering(state, command.by, traits, ruleset),
        ]
        share, record = shared(parts, record, used, command.modifiers, ruleset, referee)
        base = difficulty_of(weapon)
        keys = {modifier_rule(modifier.key, ruleset).key for modifier in modifiers}
        moving = "target_running" in keys or any(state.combatants[target].turn.moved for target in command.at)
        perception = ruleset.layout.dots(sheet, "perception")
        seen = Circumstances(band, base, weapon=weapon, perception=perception, moving=moving)
        start = ruleset.pools.difficulty(base, label_of(weapon), rule)
        around = modifier_parts(modifiers, seen, ruleset)
        return ruleset.pools.total([*parts, *share, start, *around], ruleset, strikes=command.strike), record

    def pool_of(self, sheet: Sheet, weapon: Weapon, ruleset: System) -> PoolPlan:
        """The pool that a weapon has in somebody's hands as they are now, at its usual difficulty."""
        traits, rule = self.traits_of(weapon), ruleset.cites[weapon.mode]
        parts = [
            *ruleset.pools.traits(sheet, traits, rule, ruleset),
            *ruleset.pools.hindrances(sheet, traits, ruleset),
            ruleset.pools.difficulty(difficulty_of(weapon), label_of(weapon), rule),
        ]
        return ruleset.pools.total(parts, ruleset)

    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet, ruleset: System) -> Damage:
        """The kind of damage, of which there is but one."""
        return self.damage.suffered(damage, tags, target, ruleset)

    # -------------------------------------------------------------- one target

    def _against(
        self,
        state: Encounter,
        command: Attack,
        target: str,
        weapon: Weapon,
        pool: PoolPlan,
        modifiers: tuple[Modifier, ...],
        ruleset: System,
        referee: Referee,
    ) -> tuple[Against, TurnRecord]:
        attacker, victim = state.combatants[command.by].sheet, state.combatants[target]
        defence = command.defences.get(target)
        strikes = defence.strike if defence else frozenset[str]()
        kind = self.damage.type(weapon, victim.sheet, modifiers, ruleset)
        against = Against(
            target,
            pool,
            self.damage.pool(attacker, weapon, ruleset, command.strike, modifiers),
            kind,
            self.damage.soak(victim.sheet, kind, self._armed(weapon), ruleset, strikes, modifiers),
            stock=victim.evading,
        )
        if defence is None or not defence.kind:
            return against, victim.turn
        self.defences.allow(state, command, target, weapon, ruleset, referee)
        answer, record = self.defences.answer(state, command, target, weapon, ruleset, referee)
        against = replace(against, defence_kind=defence.kind, defence=answer)
        if defence.kind != CLASH:
            return against, record
        own = clashing(victim.sheet, defence, weapon, ruleset)
        return replace(
            against,
            clash=True,
            in_full=bool(ruleset.settings["clash_counts_in_full"]),
            counter=self.damage.pool(victim.sheet, own, ruleset),
            counter_type=kind,
            counter_soak=self.damage.soak(attacker, kind, self._armed(own), ruleset, frozenset(), defence.modifiers),
        ), record

    def _armed(self, weapon: Weapon) -> Weapon:
        """The weapon with the Ability that it is used with, by which armour tells a Brawl attack."""
        return replace(weapon, ability=self.traits_of(weapon)[1])

    # -------------------------------------------------------------- rolling

    def resolve(self, state: Encounter, prepared: Prepared, ruleset: System, dice: Dice) -> tuple[AttackResult, ...]:
        """Roll a prepared attack: once for all whom it meets (WL-AUTO-1) or for each, who answers alone."""
        by, met = prepared.plan.by, prepared.plan.against
        if len(met) == 1 or not ruleset.settings["sweep_one_roll"]:
            return tuple(
                self._meet(state, by, each, self._rolled(by, each, ruleset, dice), ruleset, dice) for each in met
            )
        attack = roll_pool(Purpose.ATTACK, by, met[0].attack, ruleset, dice)
        return tuple(self._meet(state, by, each, attack, ruleset, dice) for each in met)

    def _rolled(self, by: str, against: Against, ruleset: System, dice: Dice) -> Rolled:
        return roll_pool(Purpose.ATTACK, by, against.attack, ruleset, dice, against.target)

    def _meet(
        self, state: Encounter, by: str, against: Against, attack: Rolled, ruleset: System, dice: Dice
    ) -> AttackResult:
        defence, answered = None, 0
        if against.defence is not None:
            defence = roll_pool(Purpose.DEFENCE, against.target, against.defence, ruleset, dice, by)
            answered = max(0, defence.roll.successes)
        successes = attack.roll.successes
        by_answer, by_stock = against.cancelled(successes, answered)
        net = against.left(successes, answered)
        result = AttackResult(
            against.target,
            Outcome.HIT if net else Outcome.MISS,
            attack,
            against.defence_kind,
            defence,
            by_answer + by_stock,
            net,
            evaded=by_stock,
        )
        if net:
            result = replace(result, done=self.damage.hit(state, by, against, net, ruleset, dice))
        if struck := against.struck_back(successes, answered):
            # The dealer's own successes count in full (WL-DEF-5).
            assert against.counter is not None
            label, rule = phrase("Clash"), ruleset.cites["clash"]
            pool = self.damage.with_extra(against.counter, struck, label, rule, ruleset)
            result = replace(result, counter=self.damage.struck_back(state, by, against, pool, ruleset, dice))
        return result
