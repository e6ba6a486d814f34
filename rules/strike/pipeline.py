"""The attack pipeline: puts its questions to facets, from the weapon used to the consequences of a hit."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from rules.engine.copies import replace
from rules.engine.dice import Purpose, Roll
from rules.engine.messages import Event
from rules.engine.violations import Referee
from rules.model.attack import Attack
from rules.model.damage_steps import DamageStep, in_order
from rules.model.gear import Damage, Mode, Weapon
from rules.model.modifiers import Use
from rules.model.plan import Against, AttackPlan, Part, PoolPlan, difficulty_of
from rules.model.prepared import Prepared
from rules.model.results import AttackResult, DamageDone, Outcome, Rolled
from rules.model.sheet import Sheet
from rules.model.state import TurnRecord
from rules.model.system import AttackRules, Game, SystemPart
from rules.strike.active_defence import Defences
from rules.strike.conditions import AUTOMATIC
from rules.strike.facets import Facet, Reason, Strike, by_question, failed
from rules.strike.rolled_damage import RolledDamage
from rules.topics import bars
from rules.topics.attacks.prepare import check_fault, check_parties, weapon_of
from rules.topics.rolls.rolling import roll_pool
from rules.topics.turns.course import sheet_now


class Harm(Protocol):
    """How a hit becomes damage: rolled and soaked, severity less armour, or the successes themselves."""

    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet) -> Damage:
        """The damage type as this target suffers it, by its source."""

    def against(self, strike: Strike, pool: PoolPlan, automatic: int) -> Against:
        """An attack with that pool against its target, before any answer."""

    def hit(self, game: Game, by: str, against: Against, net: int) -> DamageDone:
        """Damage of a hit with ``net`` successes."""

    def stray(self, strike: Strike, steps: tuple[DamageStep, ...]) -> DamageDone:
        """Damage of a hit on an unintended target."""


@dataclass(frozen=True, slots=True)
class AttackPipeline(SystemPart):
    """An attack made of ``facets`` (:mod:`rules.strike.facets`), in breakdown order.

    Families also differ in the ``defences`` a target may answer with and in the ``harm`` of a hit. ``traits`` are the
    default Attribute and Ability for each mode; a weapon's own take precedence.
    """

    traits: Mapping[Mode, tuple[str, str]]
    harm: Harm
    facets: tuple[Facet, ...]
    defences: Defences = field(default_factory=Defences)
    _asked: Mapping[str, tuple[Facet, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_asked", by_question(self.facets))

    @property
    def damage(self) -> RolledDamage | None:
        """Rolled damage and soak, ``None`` where the attack's successes are the damage."""
        return self.harm if isinstance(self.harm, RolledDamage) else None

    def traits_of(self, weapon: Weapon) -> tuple[str, str]:
        """The Attribute and Ability used with a weapon."""
        attribute, ability = self.traits[weapon.mode]
        return weapon.attribute or attribute, weapon.ability or ability

    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet) -> Damage:
        """The damage type as this target suffers it, by its source."""
        return self.harm.suffered(damage, tags, target)

    def reason(self, question: str, strike: Strike) -> Reason | None:
        """The first reason any facet returns, or ``None``."""
        for facet in self._asked[question]:
            found: Reason | None = getattr(facet, question)(strike)
            if found:
                return found
        return None

    def changes_of_defense(self, strike: Strike, full: int) -> tuple[Part, ...]:
        """All changes facets make to Defense where it applies."""
        return tuple(part for facet in self._asked["defense"] for part in facet.defense(strike, full))

    # -------------------------------------------------------------- before the dice

    def plan(self, game: Game, command: Attack) -> Prepared:
        """Plan an attack before the dice; raises :class:`rules.engine.violations.RuleViolation`."""
        self._check_parties(game, command)
        self.system.turns.check_able(game, command.by)
        game.referee.uphold(bars.barred(game, command.by, "attack"))
        weapon = weapon_of(sheet_now(game.state, command.by), command.weapon)
        for facet in self._asked["wielded"]:
            weapon = facet.wielded(weapon, command, game)
        self.system.circumstances.check(command.modifiers, Use.ATTACK, weapon.mode)
        check_fault(weapon, game)
        strike = self._readied(game, command, weapon)
        records = {command.by: strike.record}
        met: list[Against] = []
        for target in strike.targets:
            against, records[target] = self._against(replace(strike, target=target) if met else strike)
            met.append(against)
        flags = tuple(flag for facet in self._asked["flags"] for flag in facet.flags(strike, met))
        plan = AttackPlan(command.by, weapon.name, weapon.key, weapon.mode, tuple(met), strike.rounds, flags)
        return Prepared(plan, weapon, records)

    def _check_parties(self, game: Game, command: Attack) -> None:
        """Reject ("input") invalid targets and unknown answers."""
        miscounted = ""
        for facet in self._asked["miscounted"]:
            miscounted = miscounted or facet.miscounted(command)
        met = (*command.at, *command.near) if self._asked["targets"] else command.at
        check_parties(game.state, command, met, miscounted)
        self.defences.check_kinds(command)

    def _readied(self, game: Game, command: Attack, weapon: Weapon) -> Strike:
        """The strike after each facet's preparation in turn."""
        record = game.state.combatants[command.by].turn
        first, at = command.at[0], command.at
        strike = Strike(game, command, first, weapon, targets=at, modifiers=command.modifiers, record=record)
        for facet in self._asked["closes"]:
            if facet.closes(strike):
                strike = replace(strike, closing=True)
        for facet in self._asked["by_itself"]:
            if sure := facet.by_itself(strike):
                strike = replace(strike, by_itself=sure)
        for facet in self._asked["readied"]:
            strike = facet.readied(strike)
        for facet in self._asked["targets"]:
            if more := facet.targets(strike):
                strike = replace(strike, targets=tuple(dict.fromkeys((*strike.targets, *more))))
        for facet in self._asked["record"]:
            record = facet.record(strike, strike.record)
            if record is not strike.record:
                strike = replace(strike, record=record)
        return strike

    def _against(self, strike: Strike) -> tuple[Against, TurnRecord]:
        """The attack against one target, and that target's updated turn."""
        against = self.harm.against(strike, *self._pool(strike))
        if strike.answer:
            for facet in self._asked["check_answer"]:
                facet.check_answer(strike, strike.command.defences[strike.target])
        against, record = self.defences.answer(strike, against)
        if needs := tuple(part for facet in self._asked["needs"] for part in facet.needs(strike)):
            against = against.needing(needs)
        for facet in self._asked["answered"]:
            record = facet.answered(strike, against, record)
        if steps := self.steps(strike):
            against = dataclasses.replace(against, steps=steps)
        return against, record

    def _pool(self, strike: Strike) -> tuple[PoolPlan, int]:
        """The attack's pool, and the successes it counts as where it hits without a roll."""
        weapon, start = strike.weapon, self._start(strike.weapon)
        if sure := strike.by_itself:
            parts = (*start, Part(AUTOMATIC, sure.text, sure.rule))
            return PoolPlan(parts, 0, difficulty_of(start)), sure.successes
        parts, chance = (*strike.own, *start), ""
        for facet in self._asked["pool"]:
            parts += facet.pool(strike)
        for facet in self._asked["chance"]:
            chance = chance or facet.chance(strike)
        strikes = strike.command.strike.union(*(facet.lifts(strike) for facet in self._asked["lifts"]))
        pool = self.system.pools.of_attack(parts, weapon, strikes=strikes, chance=chance)
        if fails := self.reason("fails", strike):
            return failed(pool, fails), 0
        if certain := self.reason("certain", strike):
            parts = (*pool.parts, Part("outright", certain.text, certain.rule))
            return PoolPlan(parts, pool.pool + pool.sure, 0, outright=True), pool.pool + pool.sure
        return pool, 0

    def _start(self, weapon: Weapon) -> tuple[Part, ...]:
        return tuple(part for facet in self._asked["start"] for part in facet.start(weapon))

    def own(self, sheet: Sheet, weapon: Weapon) -> tuple[Part, ...]:
        """A weapon's parts in somebody's hands, before anything from the fight."""
        return tuple(part for facet in self._asked["own"] for part in facet.own(sheet, weapon, Referee()))

    def pool_of(self, sheet: Sheet, weapon: Weapon) -> PoolPlan:
        """A weapon's pool in somebody's hands in their present state, before any target."""
        return self.system.pools.of_attack((*self.own(sheet, weapon), *self._start(weapon)), weapon)

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        """The steps from successes to damage, in order."""
        if not self._asked["steps"]:
            return ()
        return in_order((step for facet in self._asked["steps"] for step in facet.steps(strike)), strike.command.strike)

    # -------------------------------------------------------------- rolling

    def resolve(self, game: Game, prepared: Prepared) -> tuple[AttackResult, ...]:
        """Resolve a prepared attack: one roll for each target, or one for all; each target answers separately."""
        by, met = prepared.plan.by, prepared.plan.against
        if len(met) > 1 and any(facet.together(game) for facet in self._asked["together"]):
            attack = roll_pool(Purpose.ATTACK, by, met[0].attack, self.system.mechanic, game.dice)
            return tuple(self._meet(game, by, each, attack) for each in met)
        return tuple(self._meet(game, by, each, self._rolled(game, by, each)) for each in met)

    def _rolled(self, game: Game, by: str, against: Against) -> Rolled:
        pool, mechanic = against.attack, self.system.mechanic
        if pool.outright:
            return Rolled(by, pool, Roll((), mechanic.default, against.automatic))
        if against.automatic:
            return Rolled(by, pool, Roll((), pool.difficulty, against.automatic))
        return roll_pool(Purpose.ATTACK, by, pool, mechanic, game.dice, against.target)

    def _meet(self, game: Game, by: str, against: Against, attack: Rolled) -> AttackResult:
        """The result of a roll against one target, with the target's own roll."""
        defence, answered = None, 0
        if against.defence is not None:
            defence = roll_pool(Purpose.DEFENCE, against.target, against.defence, self.system.mechanic, game.dice, by)
            answered = max(0, defence.roll.successes)
        successes = attack.roll.successes
        by_answer, by_stock = against.cancelled(successes, answered)
        net = against.left(successes, answered)
        done, counter = self.harm.hit(game, by, against, net) if net else None, None
        if against.counter is not None and (ahead := against.struck_back(successes, answered)):
            assert self.damage is not None, "only damage that is rolled is done to the attacker"
            counter = self.damage.struck_back(game, by, against, ahead)
        return AttackResult(
            against.target,
            outcome(attack.roll, net),
            attack,
            against.defence_kind,
            defence,
            by_answer + by_stock,
            net,
            done,
            counter,
            by_stock,
        )

    def stray(self, game: Game, by: str, to: str, weapon: Weapon) -> DamageDone:
        """Damage of an attack to an unintended target (MQ-ATK-7, CD-GUN-8)."""
        strike = Strike(game, Attack(by, (to,), weapon.key or weapon.name), to, weapon, targets=(to,))
        return self.harm.stray(strike, self.steps(strike))

    # -------------------------------------------------------------- after the boxes are marked

    def follows(
        self, game: Game, command: Attack, weapon: Weapon, result: AttackResult
    ) -> tuple[tuple[Event, ...], Game]:
        """Consequences of an attack on one target once its damage is marked, and the game after them."""
        if not self._asked["damaged"] and not self._asked["after"]:
            return (), game
        told: tuple[Event, ...] = ()
        strike = Strike(game, command, result.target, weapon, targets=command.at)
        for done, picked in ((result.counter, ()), (result.done, strike.picked)):
            told += self.damaged(game, done, picked) if done else ()
        if told:
            strike = strike.at(game.after(told))
        for facet in self._asked["after"]:
            if more := facet.after(strike, result, strike.game):
                told += more
                strike = strike.at(strike.game.after(more))
        return told, strike.game

    def damaged(self, game: Game, done: DamageDone, picked: Collection[str] = ()) -> tuple[Event, ...]:
        """Consequences of damage for its victim; ``picked`` are circumstances of the attack."""
        return tuple(event for facet in self._asked["damaged"] for event in facet.damaged(done, game, picked))

    def passes(self, game: Game, who: str, hours: int) -> tuple[Event, ...]:
        """Effects of that many hours passing, other than healing."""
        told: list[Event] = []
        for facet in self._asked["passes"]:
            told += facet.passes(who, hours, game.after(told))
        return tuple(told)


def outcome(roll: Roll, net: int) -> Outcome:
    """The outcome of an attack with ``net`` successes left (MQ-DICE-3, WD-DICE-2, WD-DICE-3)."""
    if net:
        return Outcome.EXCEPTIONAL if roll.exceptional else Outcome.HIT
    if roll.botch:
        return Outcome.BOTCH
    return Outcome.DRAMATIC_FAILURE if roll.dramatic else Outcome.MISS


def pipeline_of(attack: AttackRules) -> AttackPipeline:
    """The attack pipeline of a system that has one."""
    assert isinstance(attack, AttackPipeline)
    return attack
