"""Pools of Traits: what may be rolled together, and what hinders it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rules.engine.phrases import phrase, separated
from rules.engine.violations import Flag, Referee, bad_input
from rules.model import points
from rules.model.modifiers import Circumstances, Use, check_modifiers, modifier_parts
from rules.model.plan import Part, PoolPlan, dice_of, difficulty_of, strike, successes_of
from rules.model.roll import DifficultyOf, RollTraits
from rules.model.shapes import with_shape
from rules.model.sheet import Category, Sheet
from rules.topics.turns.course import sheet_now

if TYPE_CHECKING:
    from rules.model.state import Encounter
    from rules.model.system import System

MOST_DICE = 100
"""More than any fight can bring together: what is beyond is a slip of the hand."""


DIFFICULTY_OF = "base:"
"""How the key of a difficulty that is taken from somebody's Traits begins; their id stands behind it."""


@dataclass(frozen=True, slots=True)
class PoolRules:
    """Pools of the classic family: an Attribute and an Ability, never more (MQ-DICE-1, 2, 4, 7)."""

    human_ceiling: int = 10

    def check(self, traits: Sequence[str], ruleset: System, referee: Referee) -> None:
        """Forbid what may not be rolled together."""
        if not traits or any(not key for key in traits):
            raise bad_input(phrase("Pick the Trait to roll."))
        kinds = [ruleset.layout.trait(key).category for key in traits]
        if len(traits) > 2:
            referee.forbid(ruleset.cites["pool"], phrase("A pool is made of two Traits at the most."))
        if len(traits) > 1 and Category.TEN_DOT in kinds:
            referee.forbid(ruleset.cites["ten_dots"], phrase("A Trait that goes up to ten is rolled alone."))
        if len(traits) == 2 and kinds.count(Category.ATTRIBUTE) != 1 and Category.TEN_DOT not in kinds:
            referee.forbid(ruleset.cites["pool"], phrase("A pool is one Attribute and one Ability."))
        if kinds == [Category.ABILITY]:
            referee.forbid(ruleset.cites["pool"], phrase("An Ability is rolled with an Attribute."))
        if Category.FACT in kinds:
            raise bad_input(
                phrase("{label} is not rolled.", label=ruleset.layout.trait(traits[kinds.index(Category.FACT)]).label)
            )

    def traits(self, sheet: Sheet, traits: Iterable[str], rule: str, ruleset: System) -> tuple[Part, ...]:
        """The parts that the Traits give, each under ``rule``; an Ability without dots says so (MQ-DICE-7)."""
        parts: list[Part] = []
        for key in traits:
            trait = ruleset.layout.trait(key)
            dots = ruleset.layout.dots(sheet, key)
            untrained = trait.category is Category.ABILITY and dots == 0
            label = phrase("{label}, untrained", label=trait.label) if untrained else trait.label
            cited = ruleset.cites["untrained"] if untrained else rule
            own = Part(f"trait:{key}", label, cited, dice=ruleset.layout.bare(sheet, key))
            parts.extend(with_shape(own, sheet, key, ruleset.layout))
        return tuple(parts)

    def hindrances(self, sheet: Sheet, traits: Iterable[str], ruleset: System) -> tuple[Part, ...]:
        """What wounds and armour take from a pool (MQ-HEALTH-1, MQ-ARM-1)."""
        parts = []
        level = ruleset.health.level(sheet, ruleset)
        if level and (penalty := ruleset.health.hindrance(sheet, ruleset)):
            parts.append(
                Part("wounds", phrase("Wounds: {level}", level=level.name), ruleset.cites["wounds"], dice=penalty)
            )
        worn = min(sheet.sound_armor, key=lambda armor: -abs(armor.penalty), default=None)
        if worn and worn.penalty and "dexterity" in traits:
            parts.append(
                Part(
                    "armor",
                    phrase("Armour: {worn}", worn=worn.name),
                    ruleset.cites["armor_penalty"],
                    dice=-abs(worn.penalty),
                )
            )
        return tuple(parts)

    def hampering(self, state: Encounter, who: str, traits: Iterable[str], ruleset: System) -> tuple[Part, ...]:
        """What takes dice from a pool of somebody's own in this turn, as they stand in it."""
        return self.hindrances(sheet_now(state, who), traits, ruleset)

    def difficulty(self, base: int, label: str, rule: str) -> Part:
        """The part that a pool's difficulty starts from."""
        return Part("base", label, rule, difficulty=base)

    def total(
        self,
        parts: Iterable[Part],
        ruleset: System,
        *,
        strikes: frozenset[str] = frozenset(),
        least: int = 0,
        most: int = MOST_DICE,
    ) -> PoolPlan:
        """The plan that the parts come to: ``least`` dice or more, the difficulty within its limits (MQ-DICE-5).

        Raises "input" for more than ``most`` dice.
        """
        kept = list(strike(parts, strikes))
        dice, difficulty = dice_of(kept), difficulty_of(kept)
        if dice > most:
            raise bad_input(phrase("Nobody rolls more than {most} dice at once.", most=most))
        if dice < least:
            label = phrase("Never fewer than one die") if least else phrase("No dice left")
            kept.append(Part("least", label, ruleset.cites["least_damage" if least else "pool"], dice=least - dice))
        mechanic = ruleset.mechanic
        lowest = ruleset.settings.get("lowest_difficulty", mechanic.lowest)
        highest = ruleset.settings.get("highest_difficulty", mechanic.highest)
        bounded = min(max(difficulty, lowest), highest)
        if bounded != difficulty:
            label = phrase("Kept within {lowest} and {highest}", lowest=lowest, highest=highest)
            kept.append(Part("limit", label, ruleset.cites["difficulty"], difficulty=bounded - difficulty))
        return PoolPlan(tuple(kept), max(dice, least), bounded, sure=successes_of(kept))

    def flags(self, sheet: Sheet, plan: PoolPlan, ruleset: System) -> tuple[Flag, ...]:
        """What is out of the ordinary about a pool (MQ-DICE-4)."""
        if ruleset.kind(sheet.kind).human and plan.pool > self.human_ceiling:
            text = phrase("{name} rolls {pool} dice: more than any mortal should.", name=sheet.name, pool=plan.pool)
            return (Flag(ruleset.cites["human_ceiling"], text),)
        return ()

    def roll(self, state: Encounter, command: RollTraits, ruleset: System, referee: Referee) -> PoolPlan:
        """The plan of a roll outside an attack."""
        if command.by not in state.combatants:
            raise bad_input(phrase("Nobody of that name is in the fight."))
        self.check(command.traits, ruleset, referee)
        check_modifiers(command.modifiers, Use.ROLL, ruleset)
        sheet = sheet_now(state, command.by)
        base = self._asked(state, command, ruleset, referee)
        own = state.combatants[command.by].conditions
        seen = Circumstances(base=base.difficulty, rule=ruleset.cites["difficulty"], use=Use.ROLL, conditions=own)
        parts = [
            *self.traits(sheet, command.traits, ruleset.cites["pool"], ruleset),
            *self.hampering(state, command.by, command.traits, ruleset),
            base,
            *ruleset.situations.burdens(own),
            *modifier_parts(command.modifiers, seen, ruleset),
        ]
        return self.total(parts, ruleset, strikes=command.strike)

    def _asked(self, state: Encounter, command: RollTraits, ruleset: System, referee: Referee) -> Part:
        asked = command.difficulty
        if not isinstance(asked, DifficultyOf):
            base = ruleset.mechanic.default if asked is None else asked
            return self.difficulty(base, phrase("Difficulty"), ruleset.cites["difficulty"])
        if asked.of not in state.combatants:
            raise bad_input(phrase("Nobody of that name is in the fight."))
        self.check(asked.traits, ruleset, referee)
        opponent = state.combatants[asked.of].sheet
        total = sum(ruleset.layout.dots(opponent, key) for key in asked.traits)
        names = separated([ruleset.layout.trait(key).label for key in asked.traits], " + ")
        part = self.difficulty(
            total, phrase("{name}: {traits}", name=opponent.name, traits=names), ruleset.cites["difficulty"]
        )
        return replace(part, key=f"{DIFFICULTY_OF}{asked.of}")


def plan_roll(state: Encounter, command: RollTraits, ruleset: System, waive: Iterable[str] = ()) -> PoolPlan:
    """What a roll will be, before the dice; raises :class:`rules.engine.violations.RuleViolation`."""
    referee = Referee(waive)
    plan = ruleset.pools.roll(state, command, ruleset, referee)
    points.check_modifiers(state, command.by, command.modifiers, ruleset, referee)
    return plan
