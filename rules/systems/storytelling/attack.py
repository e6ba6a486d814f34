"""An attack of the storytelling family: one roll, and its successes are the damage."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.engine.copies import replace
from rules.engine.dice import Dice, Purpose, Roll
from rules.engine.phrases import phrase
from rules.engine.violations import Flag, Referee, bad_input
from rules.model.attack import Attack
from rules.model.gear import Damage, Mode, Weapon, label_of
from rules.model.modifiers import Band, Circumstances, Use
from rules.model.plan import Against, AttackPlan, Part, PoolPlan
from rules.model.prepared import Prepared
from rules.model.results import AttackResult, DamageDone, Outcome
from rules.model.sheet import Sheet
from rules.model.state import Encounter, TurnRecord
from rules.model.system import AttackRules, Game
from rules.model.words import as_key, in_words
from rules.strike.active_defence import DefenceRules
from rules.strike.pipeline import AttackPipeline
from rules.strike.reach import rounds_fired
from rules.strike.rolled_damage import DamageRules
from rules.systems.storytelling.defense_trait import SHOT, DefenseRules, armor_parts, blunted
from rules.systems.storytelling.pools import StorytellingPools
from rules.systems.storytelling.reach import StorytellingReach, with_band
from rules.topics.attacks.prepare import check_fault, counted, one_target, weapon_of
from rules.topics.rolls.rolling import roll_pool
from rules.topics.turns.course import sheet_now

FINESSE = "fighting_finesse"


@dataclass(frozen=True, slots=True)
class StorytellingAttack(AttackPipeline):
    """Pools with the weapon's rating, Defense and armour in them (WD-ATK-1 to WD-ATK-6, WD-DMG-1)."""

    pools: StorytellingPools
    reach: StorytellingReach
    defense: DefenseRules = field(default_factory=DefenseRules)
    defences: DefenceRules = field(default_factory=lambda: DefenceRules({}))
    damage: DamageRules | None = None

    def plan(self, game: Game, command: Attack) -> Prepared:
        """Work an attack out before the dice; raises :class:`rules.engine.violations.RuleViolation`."""
        target = one_target(game.state, command)
        for defence in command.defences.values():
            if defence.kind:
                raise bad_input(phrase("There is no defence called “{kind}”.", kind=defence.kind))
        self.system.turns.check_able(game, command.by)
        weapon = weapon_of(sheet_now(game.state, command.by), command.weapon)
        self.system.circumstances.check(command.modifiers, Use.ATTACK, weapon.mode)
        check_fault(weapon, game)
        record, _ = self.system.turns.use_action(game, command.by, weapon.mode)
        rounds = rounds_fired(weapon, command.modifiers, record, game)
        if weapon.mode in SHOT:
            record = replace(record, shots=counted(record.shots, weapon))
        pool, answer = self._pool(game, command, target, weapon)
        damage, flags = self.type(weapon, game.state.combatants[target].sheet)
        against = Against(target, pool, None, damage, None, overage=False)
        plan = AttackPlan(command.by, weapon.name, weapon.key, weapon.mode, (against,), rounds, flags)
        return Prepared(plan, weapon, {command.by: record, target: answer})

    def _pool(
        self,
        game: Game,
        command: Attack,
        target: str,
        weapon: Weapon,
    ) -> tuple[PoolPlan, TurnRecord]:
        """The pool, and the target's turn with one more use of Defense in it where it applied."""
        sheet, victim = sheet_now(game.state, command.by), game.state.combatants[target]
        band = self.reach.band(command, sheet, weapon, game.referee)
        chance = phrase("beyond long range") if band is Band.BEYOND else ""
        chance = self._unseen(game, command, weapon) or chance
        modifiers = with_band(band, command.modifiers, self.system.circumstances)
        seen = Circumstances(band)
        defense, applied = self._defense(game.state, command, target, weapon)
        parts = [
            *self.pools.limited(self._own(sheet, weapon), game.referee),
            *self.pools.around(game, command.by, modifiers, seen),
            *defense,
            *armor_parts(victim.sheet, weapon, self.system.cites),
        ]
        pool = self.pools.rolled(parts, strikes=command.strike, again=weapon.again, chance=chance)
        used = applied and any(part.key in ("defense", "defense:held") and not part.struck for part in pool.parts)
        return pool, replace(victim.turn, defences=victim.turn.defences + used)

    def _own(self, sheet: Sheet, weapon: Weapon) -> tuple[Part, ...]:
        """What the attacker and the weapon bring, wounds and clumsiness included."""
        traits, rule = self._traits_with(sheet, weapon), self.system.cites[weapon.mode]
        parts = list(self.pools.traits(sheet, traits, rule))
        if traits[0] != self.traits_of(weapon)[0]:
            parts[0] = replace(parts[0], rule=self.system.cites["finesse"])
        if weapon.damage:
            parts.append(Part("rating", label_of(weapon), rule, dice=weapon.damage))
        return (*parts, *self.pools.too_weak(sheet, weapon), *self.pools.hindrances(sheet, traits))

    def _defense(self, state: Encounter, command: Attack, target: str, weapon: Weapon) -> tuple[tuple[Part, ...], bool]:
        """What Defense takes from the pool, and whether it is applied, and so worn down (WD-ATK-4, WD-SURP-1)."""
        if weapon.mode in SHOT and not self.reach.near(command):
            return (), False
        condition = self.system.turns.hindrance(state, target)
        if condition:
            rule = self.system.cites["surprise" if condition == "surprised" else "defense"]
            return self.defense.withheld(state, target, in_words(condition), rule), False
        return self.defense.parts(state, target), True

    def _unseen(self, game: Game, command: Attack, weapon: Weapon) -> str:
        """Forbid a ranged attack on what the attacker does not see; why it is a chance roll, where it was let go by."""
        if weapon.mode.close:
            return ""
        blind = "blinded" in game.state.combatants[command.by].conditions
        if not blind and not any(
            self.system.circumstances.rule(each.key).key == "unseen" for each in command.modifiers
        ):
            return ""
        game.referee.forbid(self.system.cites["sight"], phrase("A ranged attack needs its target in sight."))
        return phrase("the target is not in sight") if self.system.settings["unseen_by_chance"] else ""

    # -------------------------------------------------------------- Traits

    def _traits_with(self, sheet: Sheet, weapon: Weapon) -> tuple[str, str]:
        attribute, ability = self.traits_of(weapon)
        fine = (attribute, ability) == ("strength", "weaponry") and has_finesse(sheet, weapon)
        return ("dexterity" if fine else attribute), ability

    def pool_of(self, sheet: Sheet, weapon: Weapon) -> PoolPlan:
        """The pool that a weapon has in somebody's hands as they are now, before any target."""
        parts = self.pools.limited(self._own(sheet, weapon), Referee())
        return self.pools.rolled(parts, again=weapon.again)

    def type(self, weapon: Weapon, target: Sheet) -> tuple[Damage, tuple[Flag, ...]]:
        """The kind of damage that reaches this target, and what is told of how it came to be (WD-DMG-4, WD-DMG-5)."""
        damage = self.suffered(weapon.type, weapon.tags, target)
        flags = []
        if damage is not weapon.type:
            text = phrase(
                "{weapon} does {target} {damage} damage.",
                weapon=label_of(weapon),
                target=target.name,
                damage=in_words(damage),
            )
            flags.append(Flag(self.system.cites[Damage.AGGRAVATED], text))
        bullet = weapon.form == "ballistic" or (weapon.mode is Mode.FIREARM and not weapon.form)
        if damage is Damage.LETHAL and bullet and self.system.kind(target.kind).undead:
            return Damage.BASHING, (
                *flags,
                Flag(self.system.cites["guns_and_dead"], phrase("Guns do the dead bashing damage.")),
            )
        if blunted(target, weapon, damage, self.system.settings):
            return Damage.BASHING, (
                *flags,
                Flag(self.system.cites["armor"], phrase("Armour makes the shot bashing damage.")),
            )
        return damage, tuple(flags)

    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet) -> Damage:
        """What is a bane to somebody's kind does aggravated damage; to others the same is lethal (WD-DMG-5)."""
        if tags & self.system.kind(target.kind).banes:
            return Damage.AGGRAVATED
        return Damage.LETHAL if damage is Damage.AGGRAVATED and tags & self.system.banes else damage

    # -------------------------------------------------------------- rolling

    def resolve(self, game: Game, prepared: Prepared) -> tuple[AttackResult, ...]:
        """Roll a prepared attack; each success is one point of damage (WD-DMG-1)."""
        by = prepared.plan.by
        return tuple(self._meet(by, against, game.dice) for against in prepared.plan.against)

    def _meet(self, by: str, against: Against, dice: Dice) -> AttackResult:
        attack = roll_pool(Purpose.ATTACK, by, against.attack, self.system.mechanic, dice, against.target)
        points = attack.roll.successes
        done = _dealt(against.target, points, against.damage_type) if points else None
        return AttackResult(against.target, outcome(attack.roll), attack, net=points, done=done)

    def stray(self, game: Game, by: str, to: str, weapon: Weapon) -> DamageDone:
        """What one success does to somebody whom an attack was not meant for."""
        return _dealt(to, 1, self.type(weapon, game.combatant(to).sheet)[0])


def _dealt(to: str, points: int, damage: Damage) -> DamageDone:
    """So many points of a kind as what somebody suffers."""
    return DamageDone(to, None, points, None, 0, points, damage)


def outcome(roll: Roll) -> Outcome:
    """What an attack roll came to (WD-DICE-2, WD-DICE-3)."""
    if roll.successes:
        return Outcome.EXCEPTIONAL if roll.exceptional else Outcome.HIT
    return Outcome.DRAMATIC_FAILURE if roll.dramatic else Outcome.MISS


def has_finesse(sheet: Sheet, weapon: Weapon) -> bool:
    """Whether the Merit Fighting Finesse is for this weapon (WD-ATK-3): the one it names, any where it names none."""
    return any(
        as_key(merit).removeprefix(FINESSE).strip("_") in as_key(weapon.name) for merit in _finesse(sheet.merits)
    )


def _finesse(merits: Iterable[str]) -> list[str]:
    return [merit for merit in merits if as_key(merit).startswith(FINESSE)]


def attack_of(rules: AttackRules) -> StorytellingAttack:
    """The attack of a system of this family whose attacks have a Defense."""
    assert isinstance(rules, StorytellingAttack)
    return rules
