"""Pools of Traits: what may be rolled together, and the penalties."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rules.engine.phrases import phrase, separated
from rules.engine.violations import Flag, Referee, bad_input
from rules.model import points
from rules.model import pools as fixed
from rules.model.gear import Weapon
from rules.model.modifiers import Circumstances, Use
from rules.model.plan import Part, PoolPlan, dice_of, strike
from rules.model.power_effects import Pool
from rules.model.roll import DifficultyOf, RollTraits
from rules.model.sheet import Category, Sheet
from rules.model.specialties import SPECIALTY, TEN
from rules.model.state import Encounter
from rules.model.system import Game, SystemPart
from rules.topics.turns.course import sheet_now

MOST_DICE = 100
"""More dice than any fight needs: a larger number is a typing error."""


DIFFICULTY_OF = "base:"
"""Key prefix of a difficulty taken from a combatant's Traits; their id follows it."""


WOUNDS, UNHURT = "wounds", "unhurt"
"""Keys of the part that wounds take, and of the one that gives it back to those who don't feel them."""


@dataclass(frozen=True, slots=True)
class PoolRules(SystemPart):
    """Pools of the classic family: one Attribute and one Ability at most (MQ-DICE-1, 2, 4, 7)."""

    human_ceiling: int = 10
    rerolls: ClassVar[tuple[int, ...]] = ()

    def check(self, traits: Sequence[str], referee: Referee) -> None:
        """Forbid Traits that may not be rolled together."""
        if not traits or any(not key for key in traits):
            raise bad_input(phrase("choose-trait-to-roll"))
        kinds = [self.system.layout.trait(key).category for key in traits]
        if len(traits) > 2:
            referee.forbid(self.system.cites["pool"], phrase("dice-pool-combines-at-most-two-traits"))
        if len(traits) > 1 and Category.TEN_DOT in kinds:
            referee.forbid(self.system.cites["ten_dots"], phrase("roll-trait-that-goes-up-to-ten"))
        if len(traits) == 2 and kinds.count(Category.ATTRIBUTE) != 1 and Category.TEN_DOT not in kinds:
            referee.forbid(self.system.cites["pool"], phrase("dice-pool-is-one-attribute-plus"))
        if kinds == [Category.ABILITY]:
            referee.forbid(self.system.cites["pool"], phrase("roll-ability-together-with-attribute"))
        if Category.FACT in kinds:
            raise bad_input(
                phrase("isnt-rolled", label=self.system.layout.trait(traits[kinds.index(Category.FACT)]).label)
            )

    def basis(self, game: Game, command: RollTraits) -> tuple[Part, ...]:
        """The parts of the pool that a roll asks for: Traits with their hindrances, or a plain number of dice."""
        rerolls = self.rerolls
        if command.again not in (0, *rerolls) or (command.rote and not rerolls):
            raise bad_input(phrase("this-ruleset-has-no-such-rerolls"))
        if command.number is None:
            self.check(command.traits, game.referee)
            traits = self.dice(sheet_now(game.state, command.by), command.traits, self.system.cites["pool"])
            return (*traits, *self.hampering(game.state, command.by, command.traits))
        if command.traits or command.number < 0:
            raise bad_input(phrase("choose-traits-or-number-of-dice"))
        return (Part("number", phrase("number-of-dice"), self.system.cites["pool"], dice=command.number),)

    def dice(self, sheet: Sheet, traits: Iterable[str], rule: str, pool: str = "") -> tuple[Part, ...]:
        """The Traits' parts, each under ``rule``, or the pool that the sheet states in their place.

        ``pool`` is what they are rolled for: see :func:`rules.model.pools.keys_of`.
        """
        asked = tuple(traits)
        key = fixed.stated(sheet, fixed.keys_of(self.system, asked, pool)) if sheet.pools else ""
        if key:
            label = fixed.labels(self.system).get(key) or self.system.layout.trait(key).label
            return (Part(f"pool:{key}", fixed.said(label), rule, dice=sheet.pools[key]),)
        return self.traits(sheet, asked, rule)

    def traits(self, sheet: Sheet, traits: Iterable[str], rule: str) -> tuple[Part, ...]:
        """The Traits' parts, each under ``rule``; an Ability without dots is labelled untrained (MQ-DICE-7)."""
        parts: list[Part] = []
        for key in traits:
            trait = self.system.layout.trait(key, sheet.kind)
            dots = self.system.layout.dots(sheet, key)
            untrained = trait.category is Category.ABILITY and dots == 0
            label = phrase("untrained", label=trait.label) if untrained else trait.label
            cited = self.system.cites["untrained"] if untrained else rule
            own = Part(f"trait:{key}", label, cited, dice=self.system.layout.bare(sheet, key))
            parts.extend(self.system.layout.parts(sheet, key, own))
        return tuple(parts)

    def hindrances(self, sheet: Sheet, traits: Iterable[str]) -> tuple[Part, ...]:
        """Penalties from wounds and armour (MQ-HEALTH-1, MQ-ARM-1)."""
        parts: list[Part] = []
        level = self.system.health.level(sheet)
        if level and (penalty := self.system.health.hindrance(sheet)):
            label = phrase("wounds-label", level=level.name)
            own = Part(WOUNDS, label, self.system.cites["wounds"], dice=penalty)
            parts.extend(self.system.in_play.eased(sheet, own))
        worn = min(sheet.sound_armor, key=lambda armor: -abs(armor.penalty), default=None)
        if worn and worn.penalty and "dexterity" in traits:
            parts.append(
                Part(
                    "armor",
                    phrase("armour", worn=worn.name),
                    self.system.cites["armor_penalty"],
                    dice=-abs(worn.penalty),
                )
            )
        return tuple(parts)

    def hampering(self, state: Encounter, who: str, traits: Iterable[str]) -> tuple[Part, ...]:
        """Penalties to a combatant's own pool in their current state this turn."""
        return (*self.hindrances(sheet_now(state, who), traits), *self.mood(state, who))

    def mood(self, state: Encounter, who: str) -> tuple[Part, ...]:
        """What a combatant's conditions add to all of their pools: dice, and those of the wounds they don't feel."""
        found = self.system.conditions.of(state.combatants[who].conditions)
        parts = [
            Part(each.key, each.pools.label, each.pools.rule, dice=each.pools.bearer)
            for each in found
            if each.pools and each.pools.bearer
        ]
        unhurt = next((each for each in found if each.unhurt), None)
        if unhurt and (penalty := self._felt(sheet_now(state, who))):
            label = phrase("wounds-dont-count", condition=unhurt.label)
            parts.append(Part(UNHURT, label, unhurt.rule, dice=-penalty))
        return tuple(parts)

    def _felt(self, sheet: Sheet) -> int:
        """What wounds take from pools, less what powers give back."""
        penalty = Part(WOUNDS, "", "", dice=self.system.health.hindrance(sheet))
        return dice_of(self.system.in_play.eased(sheet, penalty))

    def difficulty(self, base: int, label: str, rule: str) -> Part:
        """The part with a pool's base difficulty."""
        return Part("base", label, rule, difficulty=base)

    def of_conditions(self, conditions: frozenset[str]) -> tuple[Part, ...]:
        """What a combatant's own conditions add to the difficulty of everything they do."""
        return tuple(
            Part(key, each.label, each.rule, difficulty=each.own)
            for key, each in self.system.conditions.pools(conditions).items()
            if each.own
        )

    def total(
        self,
        parts: Iterable[Part],
        *,
        strikes: frozenset[str] = frozenset(),
        least: int = 0,
        most: int = MOST_DICE,
    ) -> PoolPlan:
        """The plan built from these parts: at least ``least`` dice, the difficulty within its limits (MQ-DICE-5).

        Raises "input" for more than ``most`` dice.
        """
        kept = list(strike(parts, strikes))
        dice = difficulty = sure = again = 0
        # One loop for all three, for speed: an attack totals four pools.
        for part in kept:
            if not part.struck:
                dice, difficulty, sure = dice + part.dice, difficulty + part.difficulty, sure + part.successes
                if part.key == SPECIALTY:
                    again = TEN
        if dice > most:
            raise bad_input(phrase("you-can-roll-at-most-dice-at-once", most=most))
        if dice < least:
            label = phrase("at-least-one-die") if least else phrase("no-dice-left")
            kept.append(Part("least", label, self.system.cites["least_damage" if least else "pool"], dice=least - dice))
        mechanic = self.system.mechanic
        lowest = self.system.settings.get("lowest_difficulty", mechanic.lowest)
        highest = self.system.settings.get("highest_difficulty", mechanic.highest)
        bounded = min(max(difficulty, lowest), highest)
        if bounded != difficulty:
            label = phrase("limited-to-to", lowest=lowest, highest=highest)
            kept.append(Part("limit", label, self.system.cites["difficulty"], difficulty=bounded - difficulty))
        return PoolPlan(tuple(kept), max(dice, least), bounded, again, sure=sure)

    def of_attack(
        self, parts: Iterable[Part], weapon: Weapon, *, strikes: frozenset[str] = frozenset(), chance: str = ""
    ) -> PoolPlan:
        """As :meth:`total`, for an attack. ``chance`` says why only a chance die is left, in families that have one."""
        return self.total(parts, strikes=strikes)

    def flags(self, sheet: Sheet, plan: PoolPlan) -> tuple[Flag, ...]:
        """Anything unusual about a pool (MQ-DICE-4)."""
        if self.system.kind(sheet.kind).human and plan.pool > self.human_ceiling:
            text = phrase("rolls-dice-more-than-any-mortal-should", name=sheet.name, pool=plan.pool)
            return (Flag(self.system.cites["human_ceiling"], text),)
        return ()

    def roll(self, game: Game, command: RollTraits) -> PoolPlan:
        """The plan of a roll outside an attack."""
        if command.by not in game.state.combatants:
            raise bad_input(phrase("nobody-by-that-name-is-in-this-fight"))
        basis = self.basis(game, command)
        self.system.circumstances.check(command.modifiers, Use.ROLL)
        base = self._asked(game, command)
        # Conditions don't change a plain number of dice: it is what the table decided to roll.
        own = game.state.combatants[command.by].conditions if command.number is None else frozenset()
        best = self.system.layout.specialties(game.state.combatants[command.by].sheet, command.traits)
        rule = self.system.cites["difficulty"]
        seen = Circumstances(base=base.difficulty, rule=rule, use=Use.ROLL, conditions=own, specialties=best)
        parts = [
            *basis,
            base,
            *self.of_conditions(own),
            *self.system.circumstances.parts(command.modifiers, seen),
            *self.powers(game, command),
        ]
        return self.total(parts, strikes=command.strike | self.lifted(game, command))

    def powers(self, game: Game, command: RollTraits) -> tuple[Part, ...]:
        """What powers add to a roll of Traits; a plain number of dice is what the table decided to roll."""
        if command.number is not None:
            return ()
        sheet, in_play = game.state.combatants[command.by].sheet, self.system.in_play
        return (*in_play.parts(sheet, Pool.ROLL, command.traits), *in_play.sights(sheet))

    def lifted(self, game: Game, command: RollTraits) -> frozenset[str]:
        """The parts of a roll that don't hinder somebody with their powers."""
        return self.system.in_play.lifted(game.state.combatants[command.by].sheet)

    def _asked(self, game: Game, command: RollTraits) -> Part:
        asked = command.difficulty
        if not isinstance(asked, DifficultyOf):
            base = self.system.mechanic.default if asked is None else asked
            return self.difficulty(base, phrase("difficulty"), self.system.cites["difficulty"])
        if asked.of not in game.state.combatants:
            raise bad_input(phrase("nobody-by-that-name-is-in-this-fight"))
        self.check(asked.traits, game.referee)
        opponent = game.state.combatants[asked.of].sheet
        total = dice_of(self.dice(opponent, asked.traits, self.system.cites["difficulty"]))
        names = separated([self.system.layout.trait(key, opponent.kind).label for key in asked.traits], " + ")
        part = self.difficulty(
            total, phrase("name-traits", name=opponent.name, traits=names), self.system.cites["difficulty"]
        )
        return replace(part, key=f"{DIFFICULTY_OF}{asked.of}")


def plan_roll(game: Game, command: RollTraits) -> PoolPlan:
    """The plan of a roll, before the dice. Raises :class:`rules.engine.violations.RuleViolation`."""
    game = game.asking()
    plan = game.system.pools.roll(game, command)
    points.check_modifiers(game, command.by, command.modifiers)
    return plan
