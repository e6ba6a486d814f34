"""An attack from plan to result.

:meth:`ClassicAttack.plan` works out everything that is known before the dice, and what the attack
uses up; :meth:`ClassicAttack.resolve` rolls it. Nothing here changes the state.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.dice import Purpose, Roll
from rules.engine.phrases import phrase
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Damage, Mode, Weapon
from rules.model.modifiers import Circumstances, Use
from rules.model.plan import Against, AttackPlan, Part, PoolPlan
from rules.model.points import check_attack
from rules.model.prepared import Prepared
from rules.model.results import AttackResult, DamageDone, Outcome, Rolled
from rules.model.sheet import Sheet
from rules.model.state import TurnRecord
from rules.model.system import Game
from rules.strike.active_defence import DefenceRules, parrying_weapon, several_attackers
from rules.strike.conditions import AUTOMATIC
from rules.strike.facets import Certain, Strike
from rules.strike.pipeline import AttackPipeline
from rules.strike.reach import Reach, band_modifiers, rounds_fired
from rules.strike.rolled_damage import DamageRules
from rules.topics.attacks.prepare import check_fault, counted, one_target, weapon_of
from rules.topics.rolls.rolling import roll_pool
from rules.topics.turns.course import sheet_now


@dataclass(frozen=True, slots=True)
class ClassicAttack(AttackPipeline):
    """Attack roll, defence, damage roll with overage, soak."""

    defences: DefenceRules
    damage: DamageRules
    reach: Reach

    def plan(self, game: Game, command: Attack) -> Prepared:
        """Work an attack out before the dice; raises :class:`rules.engine.violations.RuleViolation`."""
        target = one_target(game.state, command)
        self.system.turns.check_able(game, command.by)
        sheet = sheet_now(game.state, command.by)
        weapon = weapon_of(sheet, command.weapon)
        self.system.circumstances.check(command.modifiers, Use.ATTACK, weapon.mode)
        check_fault(weapon, game)
        strike = Strike(game, command, target, weapon, targets=(target,))
        for facet in self._asked["check"]:
            facet.check(strike)
        band = self.reach.band(command, weapon, game.referee)
        record, used = self._action(game, command, weapon)
        rounds = rounds_fired(weapon, command.modifiers, record, game)
        attack, record = self._pool(replace(strike, band=band), record, used)
        if weapon.mode in (Mode.FIREARM, Mode.ARCHERY):
            record = replace(record, shots=counted(record.shots, weapon))
        against, answer = self._against(strike, attack)
        records = {command.by: record}
        if weapon.mode.close and command.by not in answer.attackers:
            answer = replace(answer, attackers=(*answer.attackers, command.by))
        records[target] = answer
        flags = self.system.pools.flags(sheet, attack)
        if against.defence is not None:
            flags += self.system.pools.flags(game.state.combatants[target].sheet, against.defence)
        plan = AttackPlan(command.by, weapon.name, weapon.key, weapon.mode, (against,), rounds, flags)
        return Prepared(plan, weapon, records)

    def _action(self, game: Game, command: Attack, weapon: Weapon) -> tuple[TurnRecord, str]:
        """The attacker's record with the action gone; an ambush that was won is free, and over with it."""
        record = game.state.combatants[command.by].turn
        if record.ambush is not None and record.ambush.target in command.at:
            return replace(record, ambush=None), self.system.turns.fast
        return self.system.turns.use_action(game, command.by, weapon.mode)

    def _pool(self, strike: Strike, record: TurnRecord, used: str) -> tuple[PoolPlan, TurnRecord]:
        game, command, weapon = strike.game, strike.command, strike.weapon
        sheet, rule = strike.sheet, self.system.cites[weapon.mode]
        traits = self.traits_of(weapon)
        base = self.system.mechanic.default if weapon.difficulty is None else weapon.difficulty
        start = self.system.pools.difficulty(base, phrase("Attack"), self.system.cites["attack_difficulty"])
        helpless = self._helpless(strike)
        if helpless is not None:
            return PoolPlan((start, Part(AUTOMATIC, helpless.text, helpless.rule)), 0, base), record
        parts = [
            *self.system.pools.traits(sheet, traits, rule),
            *self.system.pools.hindrances(sheet, traits),
        ]
        share, record = self.system.turns.shared(parts, record, used, command.modifiers, game.referee)
        modifiers = several_attackers(
            band_modifiers(strike.band, command.modifiers, self.system.circumstances), set(record.attackers)
        )
        around = self._around(strike, base, modifiers)
        return self.system.pools.total([*parts, *share, start, *around], strikes=command.strike), record

    def _around(self, strike: Strike, base: int, modifiers: tuple[Modifier, ...]) -> tuple[Part, ...]:
        """What facets and the circumstances picked make of an attack."""
        seen = Circumstances(strike.band, base, conditions=strike.attacker.conditions)
        return (
            *(part for facet in self._asked["pool"] for part in facet.pool(strike)),
            *self.system.circumstances.parts(modifiers, seen),
        )

    def _helpless(self, strike: Strike) -> Certain | None:
        """Why the attack needs no roll."""
        return next(filter(None, (facet.by_itself(strike) for facet in self._asked["by_itself"])), None)

    def pool_of(self, sheet: Sheet, weapon: Weapon) -> PoolPlan:
        """The pool that a weapon has in somebody's hands as they are now, at its usual difficulty."""
        traits = self.traits_of(weapon)
        base = self.system.mechanic.default if weapon.difficulty is None else weapon.difficulty
        parts = [
            *self.system.pools.traits(sheet, traits, self.system.cites[weapon.mode]),
            *self.system.pools.hindrances(sheet, traits),
            self.system.pools.difficulty(base, phrase("Attack"), self.system.cites["attack_difficulty"]),
        ]
        return self.system.pools.total(parts)

    def _against(self, strike: Strike, attack: PoolPlan) -> tuple[Against, TurnRecord]:
        game, command, target, weapon = strike.game, strike.command, strike.target, strike.weapon
        sheet, victim = strike.sheet, strike.victim.sheet
        damage_type = self.damage.type(weapon, victim, command.modifiers)
        defence = command.defences.get(target)
        against = Against(
            target,
            attack,
            self.damage.pool(sheet, weapon, command.strike, command.modifiers),
            damage_type,
            self.damage.soak(
                victim,
                damage_type,
                weapon,
                defence.strike if defence else frozenset(),
                command.modifiers,
            ),
            overage=not self.damage.outright(weapon),
            automatic=self._automatic(attack),
        )
        if defence is None or not defence.kind:
            return against, game.state.combatants[target].turn
        for facet in self._asked["check_answer"]:
            facet.check_answer(strike, defence)
        self.defences.check(game, target, defence, replace(weapon, type=damage_type))
        pool, record = self.defences.pool(game, target, defence, weapon, command.by)
        against = replace(against, defence_kind=defence.kind, defence=pool)
        parrying = parrying_weapon(victim, defence) if defence.kind == "parry" else None
        if parrying and weapon.mode is Mode.UNARMED and parrying.type is not Damage.BASHING:
            against = self._struck_back(against, sheet, victim, parrying)
        return against, record

    def _struck_back(self, against: Against, attacker: Sheet, victim: Sheet, parrying: Weapon) -> Against:
        """With what the weapon that parries bare hands may do back (MQ-DEF-2)."""
        counter_type = self.damage.type(parrying, attacker, ())
        return replace(
            against,
            counter=self.damage.pool(victim, parrying),
            counter_type=counter_type,
            counter_soak=self.damage.soak(attacker, counter_type, parrying),
        )

    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet) -> Damage:
        """What a kind of damage is to this target, by what does it (AP-DMG-7)."""
        return self.damage.suffered(damage, tags, target)

    def _automatic(self, attack: PoolPlan) -> int:
        """As how many successes an attack counts that hits by itself (AP-SIT-7)."""
        by_itself = any(part.key == AUTOMATIC for part in attack.parts)
        return int(self.system.settings["automatic_successes"]) if by_itself else 0

    # -------------------------------------------------------------- rolling

    def resolve(self, game: Game, prepared: Prepared) -> tuple[AttackResult, ...]:
        """Roll a prepared attack against each of its targets."""
        by = prepared.plan.by
        return tuple(self._meet(game, by, against) for against in prepared.plan.against)

    def _meet(self, game: Game, by: str, against: Against) -> AttackResult:
        attack = Rolled(by, against.attack, Roll((), against.attack.difficulty, against.automatic))
        if not against.automatic:
            attack = roll_pool(Purpose.ATTACK, by, against.attack, self.system.mechanic, game.dice, against.target)
        defence = None
        if against.defence is not None:
            defence = roll_pool(Purpose.DEFENCE, against.target, against.defence, self.system.mechanic, game.dice, by)
        answered = defence.roll.successes if defence else 0
        taken_off = min(attack.roll.successes, answered)
        net = attack.roll.successes - taken_off
        outcome = Outcome.HIT if net else Outcome.BOTCH if attack.roll.botch else Outcome.MISS
        result = AttackResult(against.target, outcome, attack, against.defence_kind, defence, taken_off, net)
        if net:
            return replace(result, done=self.damage.hit(game, by, against, net))
        ahead = answered - attack.roll.successes
        if against.counter and ahead > 0:
            label, rule = phrase("Parry ahead by"), self.system.cites["parry"]
            pool = self.damage.with_extra(against.counter, ahead, label, rule)
            return replace(result, counter=self.damage.struck_back(game, by, against, pool))
        return result

    def stray(self, game: Game, by: str, to: str, weapon: Weapon) -> DamageDone:
        """What a botched attack does to somebody whom it was not meant for (MQ-ATK-7)."""
        return self.damage.stray(game, by, to, weapon)


def plan_attack(game: Game, command: Attack) -> AttackPlan:
    """What an attack will be, before the dice; raises :class:`rules.engine.violations.RuleViolation`."""
    game = game.asking()
    check_attack(game, command)
    return game.system.attack.plan(game, command).plan


def plan_answered(game: Game, command: Attack, target: str, defence: Defence) -> Against:
    """How an attack meets a target who answers with that defence; raises as :func:`plan_attack`."""
    answered = replace(command, defences={**command.defences, target: defence})
    plan = plan_attack(game, answered)
    return next(against for against in plan.against if against.target == target)
