"""An attack whose successes and weapon make an injury: no dice for damage, none for armour."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.dice import Dice, Purpose
from rules.engine.phrases import phrase
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Damage, Mode, Weapon, label_of
from rules.model.modifiers import Band, Circumstances, Use
from rules.model.plan import Against, AttackPlan, PoolPlan
from rules.model.prepared import Prepared
from rules.model.results import AttackResult, DamageDone, Outcome, Rolled
from rules.model.sheet import Sheet
from rules.model.state import Encounter, TurnRecord
from rules.model.system import Game
from rules.strike.pipeline import AttackPipeline
from rules.systems.wound_levels.active_defence import (
    CLASH,
    COVER,
    IN_COVER,
    WoundDefences,
    clashing,
    difficulty_of,
    held,
)
from rules.systems.wound_levels.held_ready import EVADING, LINED_UP
from rules.systems.wound_levels.modifiers import SWEEP
from rules.systems.wound_levels.reach import WoundReach, rounds_fired
from rules.systems.wound_levels.severity import SeverityRules
from rules.topics.attacks.prepare import check_fault, check_parties
from rules.topics.rolls.rolling import roll_pool

OF_ATTACKER = {IN_COVER: "attacker_in_cover"}
OF_TARGET = {IN_COVER: COVER, "immobilized": "target_immobilized", "running": "target_running"}
"""Conditions that count without being picked, and as which circumstance."""

DRY = frozenset({Mode.FIREARM, Mode.THROWN, Mode.ARCHERY})
"""What does not work under water."""


@dataclass(frozen=True, slots=True)
class WoundAttack(AttackPipeline):
    """Attack roll, defence or clash, and what is left as severity (WL-ATK-1, WL-DMG-1, WL-DEF-4, WL-AUTO-1)."""

    defences: WoundDefences
    damage: SeverityRules
    reach: WoundReach

    def plan(self, game: Game, command: Attack) -> Prepared:
        """Work an attack out before the dice; raises :class:`rules.engine.violations.RuleViolation`."""
        check_parties(game.state, command, command.at, self._miscounted(command))
        self.system.turns.check_able(game, command.by)
        weapon = held(game.state.combatants[command.by].sheet, command.weapon)
        self.system.circumstances.check(command.modifiers, Use.ATTACK, weapon.mode)
        check_fault(weapon, game)
        band, modifiers = self.reach.modifiers(command, weapon, game.referee)
        modifiers = self._standing(game.state, command, weapon, modifiers)
        self._check(game, command, weapon, modifiers)
        record, used = self._action(game, command, weapon)
        rounds = rounds_fired(weapon, modifiers, game)
        pool, record = self._pool(game, command, weapon, band, modifiers, record, used)
        records, against = {command.by: record}, []
        for target in command.at:
            met, answer = self._against(game, command, target, weapon, pool, modifiers)
            against.append(met)
            records[target] = replace(answer, attackers=tuple(dict.fromkeys((*answer.attackers, command.by))))
        plan = AttackPlan(command.by, weapon.name, weapon.key, weapon.mode, tuple(against), rounds)
        return Prepared(plan, weapon, records)

    # -------------------------------------------------------------- what forbids it

    def _miscounted(self, command: Attack) -> str:
        """Why there cannot be so many targets, "" where there can."""
        if not command.at or len(set(command.at)) < len(command.at):
            return phrase("Say who is attacked, each once.")
        if len(command.at) > 1 and self.system.circumstances.figures_of(command.modifiers, SWEEP) is None:
            return phrase("Only a sweep attacks several at once.")
        return ""

    def _check(
        self,
        game: Game,
        command: Attack,
        weapon: Weapon,
        modifiers: tuple[Modifier, ...],
    ) -> None:
        attacker = game.state.combatants[command.by]
        rules = {key: rule.rule for key, rule in self.system.modifiers.items()}
        keys = {self.system.circumstances.rule(modifier.key).key for modifier in modifiers}
        if weapon.strength and self.system.layout.dots(attacker.sheet, "strength") < weapon.strength:
            message = phrase("{weapon} needs Strength {strength}.", weapon=weapon.name, strength=weapon.strength)
            game.referee.forbid(self.system.cites[weapon.mode], message)
        if "underwater" in keys and weapon.mode in DRY and "underwater" not in weapon.tags:
            game.referee.forbid(rules["underwater"], phrase("{weapon} does not work under water.", weapon=weapon.name))
        if "aim" in keys and "attacker_in_cover" in keys:
            game.referee.forbid(rules["attacker_in_cover"], phrase("Nobody aims from behind cover."))
        if "aim" in keys and attacker.turn.moved:
            game.referee.forbid(
                rules["aim"], phrase("{name} has moved: whoever aims stands still.", name=attacker.sheet.name)
            )
        goes_on = game.state.ordered or attacker.turn.split is not None
        for target in command.at:
            if goes_on and command.by in game.state.combatants[target].turn.attackers:
                name = game.state.combatants[target].sheet.name
                game.referee.forbid(
                    self.system.cites["one_attack"], phrase("{name} was attacked already this round.", name=name)
                )

    def _action(self, game: Game, command: Attack, weapon: Weapon) -> tuple[TurnRecord, str]:
        """The attacker's record with the action gone; a surprise is free. A committed one allows no split."""
        record = game.state.combatants[command.by].turn
        surprise = record.ambush is not None and record.ambush.target in command.at
        picked = {self.system.circumstances.rule(modifier.key).key for modifier in command.modifiers}
        split = "split" in picked or (not surprise and (record.split is not None or len(record.actions) > 1))
        committed = weapon.committed or surprise or bool(picked & {"committed", "surprise"})
        if split and committed:
            game.referee.forbid(
                self.system.cites["committed"], phrase("A committed action takes all the dice of the round.")
            )
        if surprise:
            return replace(record, ambush=None), self.system.turns.fast
        record, used = self.system.turns.use_action(game, command.by, weapon.mode)
        return (
            replace(record, exposed=self.system.cites["committed"]) if committed and game.state.ordered else record
        ), used

    # -------------------------------------------------------------- the pool

    def _standing(
        self, state: Encounter, command: Attack, weapon: Weapon, modifiers: tuple[Modifier, ...]
    ) -> tuple[Modifier, ...]:
        """The circumstances picked, and those that conditions and a shot lined up bring about."""
        attacker = state.combatants[command.by]
        keys = {self.system.circumstances.rule(modifier.key).key for modifier in modifiers}
        found = [key for condition, key in OF_ATTACKER.items() if condition in attacker.conditions]
        theirs = frozenset[str]().union(*(state.combatants[target].conditions for target in command.at))
        found += [key for condition, key in OF_TARGET.items() if condition in theirs]
        added = [Modifier(key) for key in found if key not in keys]
        aim = LINED_UP.of(attacker)
        if aim and aim.target in ("", *command.at) and not weapon.mode.close and "aim" not in keys:
            added.append(Modifier("aim", {"rounds": aim.rounds}))
        return (*modifiers, *added)

    def _pool(
        self,
        game: Game,
        command: Attack,
        weapon: Weapon,
        band: Band,
        modifiers: tuple[Modifier, ...],
        record: TurnRecord,
        used: str,
    ) -> tuple[PoolPlan, TurnRecord]:
        sheet, rule, traits = (
            game.state.combatants[command.by].sheet,
            self.system.cites[weapon.mode],
            self.traits_of(weapon),
        )
        parts = [
            *self.system.pools.traits(sheet, traits, rule),
            *self.system.pools.hampering(game.state, command.by, traits),
        ]
        share, record = self.system.turns.shared(parts, record, used, command.modifiers, game.referee)
        base = difficulty_of(weapon)
        keys = {self.system.circumstances.rule(modifier.key).key for modifier in modifiers}
        moving = "target_running" in keys or any(game.state.combatants[target].turn.moved for target in command.at)
        perception = self.system.layout.dots(sheet, "perception")
        seen = Circumstances(band, base, weapon=weapon, perception=perception, moving=moving)
        start = self.system.pools.difficulty(base, label_of(weapon), rule)
        around = self.system.circumstances.parts(modifiers, seen)
        return self.system.pools.total([*parts, *share, start, *around], strikes=command.strike), record

    def pool_of(self, sheet: Sheet, weapon: Weapon) -> PoolPlan:
        """The pool that a weapon has in somebody's hands as they are now, at its usual difficulty."""
        traits, rule = self.traits_of(weapon), self.system.cites[weapon.mode]
        parts = [
            *self.system.pools.traits(sheet, traits, rule),
            *self.system.pools.hindrances(sheet, traits),
            self.system.pools.difficulty(difficulty_of(weapon), label_of(weapon), rule),
        ]
        return self.system.pools.total(parts)

    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet) -> Damage:
        """The kind of damage, of which there is but one."""
        return self.damage.suffered(damage, tags, target)

    # -------------------------------------------------------------- one target

    def _against(
        self,
        game: Game,
        command: Attack,
        target: str,
        weapon: Weapon,
        pool: PoolPlan,
        modifiers: tuple[Modifier, ...],
    ) -> tuple[Against, TurnRecord]:
        attacker, victim = game.state.combatants[command.by].sheet, game.state.combatants[target]
        defence = command.defences.get(target)
        strikes = defence.strike if defence else frozenset[str]()
        kind = self.damage.type(weapon, victim.sheet, modifiers)
        against = Against(
            target,
            pool,
            self.damage.pool(attacker, weapon, command.strike, modifiers),
            kind,
            self.damage.soak(victim.sheet, kind, self._armed(weapon), strikes, modifiers),
            stock=EVADING.of(victim),
        )
        if defence is None or not defence.kind:
            return against, victim.turn
        self.defences.allow(game, command, target, weapon)
        answer, record = self.defences.answer(game, command, target, weapon)
        against = replace(against, defence_kind=defence.kind, defence=answer)
        if defence.kind != CLASH:
            return against, record
        own = clashing(victim.sheet, defence, weapon, self.system.attack)
        return replace(
            against,
            clash=True,
            in_full=bool(self.system.settings["clash_counts_in_full"]),
            counter=self.damage.pool(victim.sheet, own),
            counter_type=kind,
            counter_soak=self.damage.soak(attacker, kind, self._armed(own), frozenset(), defence.modifiers),
        ), record

    def _armed(self, weapon: Weapon) -> Weapon:
        """The weapon with the Ability that it is used with, by which armour tells a Brawl attack."""
        return replace(weapon, ability=self.traits_of(weapon)[1])

    # -------------------------------------------------------------- rolling

    def resolve(self, game: Game, prepared: Prepared) -> tuple[AttackResult, ...]:
        """Roll a prepared attack: once for all whom it meets (WL-AUTO-1) or for each, who answers alone."""
        by, met = prepared.plan.by, prepared.plan.against
        if len(met) == 1 or not self.system.settings["sweep_one_roll"]:
            return tuple(self._meet(game, by, each, self._rolled(by, each, game.dice)) for each in met)
        attack = roll_pool(Purpose.ATTACK, by, met[0].attack, self.system.mechanic, game.dice)
        return tuple(self._meet(game, by, each, attack) for each in met)

    def _rolled(self, by: str, against: Against, dice: Dice) -> Rolled:
        return roll_pool(Purpose.ATTACK, by, against.attack, self.system.mechanic, dice, against.target)

    def _meet(self, game: Game, by: str, against: Against, attack: Rolled) -> AttackResult:
        defence, answered = None, 0
        if against.defence is not None:
            defence = roll_pool(Purpose.DEFENCE, against.target, against.defence, self.system.mechanic, game.dice, by)
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
            result = replace(result, done=self.damage.hit(game, by, against, net))
        if struck := against.struck_back(successes, answered):
            # The dealer's own successes count in full (WL-DEF-5).
            assert against.counter is not None
            label, rule = phrase("Clash"), self.system.cites["clash"]
            pool = self.damage.with_extra(against.counter, struck, label, rule)
            result = replace(result, counter=self.damage.struck_back(game, by, against, pool))
        return result

    def stray(self, game: Game, by: str, to: str, weapon: Weapon) -> DamageDone:
        """What an attack does to somebody whom it was not meant for."""
        return self.damage.stray(game, by, to, weapon)
