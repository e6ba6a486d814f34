"""An attack of the second storytelling edition: facets that make the pool, Defense, and steps to the boxes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.engine.copies import replace
from rules.engine.dice import Dice, Purpose, Roll
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.attack import Attack
from rules.model.damage_steps import DamageStep, in_order, wound
from rules.model.gear import Damage, Weapon
from rules.model.modifiers import Circumstances, Use
from rules.model.plan import Against, AttackPlan, Part, PoolPlan
from rules.model.prepared import Prepared
from rules.model.results import AttackResult, DamageDone, Outcome, Rolled
from rules.model.sheet import Sheet
from rules.model.state import Encounter, TurnRecord
from rules.model.system import AttackRules, Game
from rules.strike.active_defence import DefenceRules
from rules.strike.facets import Reason, Strike, failed
from rules.strike.pipeline import AttackPipeline
from rules.strike.rolled_damage import DamageRules
from rules.systems.storytelling.attack import outcome
from rules.systems.storytelling.defense_trait import SHOT
from rules.systems.storytelling.pools import StorytellingPools
from rules.systems.storytelling.reach import StorytellingReach, with_band
from rules.systems.storytelling.second_edition.damage import damage_done
from rules.systems.storytelling.second_edition.defense_trait import WornDefense
from rules.topics.attacks.prepare import check_fault, check_parties, weapon_of
from rules.topics.rolls.rolling import roll_pool
from rules.topics.turns.course import sheet_now


@dataclass(frozen=True, slots=True)
class FacetAttack(AttackPipeline):
    """Attribute + Skill less Defense; successes and the weapon's bonus are the damage (CD-ATK-1 to CD-ATK-4).

    All that an attack is made of besides are its ``facets`` (:mod:`rules.strike.facets`),
    in the order in which a breakdown shows them.
    """

    pools: StorytellingPools
    reach: StorytellingReach
    defense: WornDefense = field(default_factory=WornDefense)
    defences: DefenceRules = field(default_factory=lambda: DefenceRules({}))
    damage: DamageRules | None = None

    # -------------------------------------------------------------- before the dice

    def plan(self, game: Game, command: Attack) -> Prepared:
        """Work an attack out before the dice; raises :class:`rules.engine.violations.RuleViolation`."""
        self._check_parties(game.state, command)
        self.system.turns.check_able(game, command.by)
        weapon = weapon_of(sheet_now(game.state, command.by), command.weapon)
        for facet in self._asked["wielded"]:
            weapon = facet.wielded(weapon, command, game)
        self.system.circumstances.check(command.modifiers, Use.ATTACK, weapon.mode)
        check_fault(weapon, game)
        strike = Strike(game, command, command.at[0], weapon, targets=command.at)
        closing = any(facet.closes(strike) for facet in self._asked["closes"])
        reached = replace(command, distance=None) if closing and weapon.mode.close else command
        band = self.reach.band(reached, strike.sheet, weapon, game.referee)
        strike = replace(strike, band=band)
        for facet in self._asked["check"]:
            facet.check(strike)
        strike = replace(strike, targets=self._targets(strike))
        record, _ = self.system.turns.use_action(game, command.by, weapon.mode)
        for facet in self._asked["record"]:
            record = facet.record(strike, record)
        records = {command.by: record}
        met: list[Against] = []
        for target in strike.targets:
            against, records[target] = self._against(replace(strike, target=target))
            met.append(against)
        flags = tuple(flag for facet in self._asked["flags"] for flag in facet.flags(strike))
        rounds = sum(facet.rounds(strike) for facet in self._asked["rounds"])
        plan = AttackPlan(command.by, weapon.name, weapon.key, weapon.mode, tuple(met), rounds, flags)
        return Prepared(plan, weapon, records)

    def _check_parties(self, state: Encounter, command: Attack) -> None:
        """Refuse ("input") an attack on nobody, on oneself, or on the same target twice."""
        miscounted = "" if command.at else phrase("An attack has a target.")
        if len(set(command.at)) < len(command.at):
            miscounted = phrase("Name each target once.")
        check_parties(state, command, (*command.at, *command.near), miscounted)
        for defence in command.defences.values():
            if defence.kind and defence.kind not in self.defences.kinds:
                raise bad_input(phrase("There is no defence called “{kind}”.", kind=defence.kind))

    def _targets(self, strike: Strike) -> tuple[str, ...]:
        """Everybody whom the attack meets, in the order in which it is rolled against them."""
        more = (who for facet in self._asked["targets"] for who in facet.targets(strike))
        return tuple(dict.fromkeys((*strike.command.at, *more)))

    def _against(self, strike: Strike) -> tuple[Against, TurnRecord]:
        """The attack as it meets one target, and the target's turn with what it leaves there."""
        defense, applied = self.defended(strike)
        pool = self._pool(strike, defense)
        used = applied and any(_met(part) for part in pool.parts)
        record = replace(strike.victim.turn, defences=strike.victim.turn.defences + used)
        for facet in self._asked["answered"]:
            record = facet.answered(strike, record)
        against = Against(
            strike.target,
            pool,
            None,
            self.type(strike),
            None,
            overage=False,
            defence_kind=strike.answer,
            automatic=pool.pool if pool.outright else 0,
            steps=self.steps(strike),
        )
        return against, record

    @staticmethod
    def _reason(found: Iterable[Reason | None]) -> Reason | None:
        return next((reason for reason in found if reason), None)

    def _pool(self, strike: Strike, defense: Iterable[Part]) -> PoolPlan:
        system, command = strike.system, strike.command
        modifiers = with_band(strike.band, command.modifiers, system.circumstances)
        parts = [
            *self.own_parts(strike.sheet, strike.weapon),
            *(part for facet in self._asked["pool"] for part in facet.pool(strike)),
            *self.pools.around(strike.game, command.by, modifiers, self._seen(strike)),
            *defense,
        ]
        chance = next(filter(None, (facet.chance(strike) for facet in self._asked["chance"])), "")
        pool = self.pools.rolled(parts, strikes=command.strike, again=strike.weapon.again, chance=chance)
        return self._outright(strike, pool)

    def _outright(self, strike: Strike, pool: PoolPlan) -> PoolPlan:
        """The pool, or where the outcome is certain what it comes to without a roll: all of it, or nothing."""
        if fails := self._reason(facet.fails(strike) for facet in self._asked["fails"]):
            return failed(pool, fails)
        if certain := self._reason(facet.certain(strike) for facet in self._asked["certain"]):
            return PoolPlan((*pool.parts, Part("outright", certain.text, certain.rule)), pool.pool, 0, outright=True)
        return pool

    def _seen(self, strike: Strike) -> Circumstances:
        return Circumstances(strike.band, conditions=strike.attacker.conditions)

    def own_parts(self, sheet: Sheet, weapon: Weapon) -> tuple[Part, ...]:
        """What the attacker brings, wounds and clumsiness included; the weapon's rating never counts here."""
        traits = self.traits_of(weapon)
        return (
            *self.pools.traits(sheet, traits, self.system.cites[weapon.mode]),
            *self.pools.too_weak(sheet, weapon),
            *self.pools.hindrances(sheet, traits),
        )

    def defended(self, strike: Strike) -> tuple[tuple[Part, ...], bool]:
        """What Defense takes from the pool, and whether it is applied, and so worn down."""
        shot = strike.weapon.mode in SHOT
        if shot and not self._reason(facet.sheltered(strike) for facet in self._asked["sheltered"]):
            return (), False
        without = self._reason(facet.defenseless(strike) for facet in self._asked["defenseless"])
        if without:
            return self.defense.withheld(strike.state, strike.target, without.text, without.rule), False
        full = self.defense.full(strike.victim.sheet)
        more = tuple(part for facet in self._asked["defense"] for part in facet.defense(strike, full))
        return self.defense.against(strike, more), True

    def pool_of(self, sheet: Sheet, weapon: Weapon) -> PoolPlan:
        """The pool that a weapon has in somebody's hands as they are now, before any target."""
        return self.pools.rolled(self.own_parts(sheet, weapon), again=weapon.again)

    # -------------------------------------------------------------- from a hit to the boxes

    def type(self, strike: Strike) -> Damage:
        """The hit's own kind of damage, before any step."""
        return self.suffered(strike.weapon.type, strike.weapon.tags, strike.victim.sheet)

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        """What makes damage of successes, in the order in which it counts."""
        return in_order((step for facet in self._asked["steps"] for step in facet.steps(strike)), strike.command.strike)

    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet) -> Damage:
        """Fire, and what is a bane to somebody's kind, does aggravated damage (CD-DMG-3)."""
        return Damage.AGGRAVATED if tags & {"fire", *self.system.kind(target.kind).banes} else damage

    # -------------------------------------------------------------- rolling

    def resolve(self, game: Game, prepared: Prepared) -> tuple[AttackResult, ...]:
        """Roll a prepared attack against each of its targets."""
        by = prepared.plan.by
        return tuple(self._meet(by, against, game.dice) for against in prepared.plan.against)

    def _meet(self, by: str, against: Against, dice: Dice) -> AttackResult:
        attack = Rolled(by, against.attack, Roll((), self.system.mechanic.default, against.automatic))
        if not against.attack.outright:
            attack = roll_pool(Purpose.ATTACK, by, against.attack, self.system.mechanic, dice, against.target)
        net = attack.roll.successes
        result = AttackResult(against.target, outcome(attack.roll), attack, against.defence_kind, net=net)
        done = damage_done(against.target, against.damage_type, *wound(net, against.damage_type, against.steps))
        return replace(result, done=done) if net else result

    def hit(self, strike: Strike, successes: int) -> AttackResult:
        """What successes that were rolled before come to against a target: the steps alone, nothing is rolled."""
        damage = self.type(strike)
        done = damage_done(strike.target, damage, *wound(successes, damage, self.steps(strike)))
        rolled = Rolled(strike.command.by, PoolPlan((), 0, 0), Roll((), strike.system.mechanic.default, successes))
        return AttackResult(strike.target, Outcome.HIT, rolled, net=successes, done=done)

    def stray(self, game: Game, by: str, to: str, weapon: Weapon) -> DamageDone:
        """A shot that hits somebody whom it was not meant for does so as with one success (CD-GUN-8)."""
        shot = Attack(by, (to,), weapon.key or weapon.name)
        done = self.hit(Strike(game, shot, to, weapon, targets=(to,)), 1).done
        assert done is not None
        return done


def attack_of(attack: AttackRules) -> FacetAttack:
    """The attack of a ruleset whose attacks are made of facets."""
    part = attack
    assert isinstance(part, FacetAttack)
    return part


def _met(part: Part) -> bool:
    """Whether a part of a pool is Defense that was applied to it."""
    return part.key.partition(":")[0] == "defense" and part.dice < 0 and not part.struck
