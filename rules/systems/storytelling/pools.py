"""Pools of the storytelling family: everything is dice, and no dice are a chance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.engine.phrases import phrase
from rules.engine.violations import Flag, Referee, bad_input
from rules.model.choices import Modifier
from rules.model.gear import Weapon
from rules.model.modifiers import Circumstances, Use
from rules.model.plan import Part, PoolPlan, dice_of, strike
from rules.model.roll import RollTraits
from rules.model.shapes import with_shape
from rules.model.sheet import Category, Sheet
from rules.model.state import Encounter
from rules.model.system import Game
from rules.systems.storytelling.rule_of_five import LIMIT, RuleOfFive
from rules.topics.rolls.pools import MOST_DICE, PoolRules
from rules.topics.turns.course import sheet_now

MOST_TRAITS = 3


@dataclass(frozen=True, slots=True)
class StorytellingPools(PoolRules):
    """Pools that hold all there is (WD-DICE-2, WD-DICE-4, WD-DICE-6, WD-HEALTH-2).

    ``mental`` are the Skills that miss three dice where they have no dots; ``again`` is the least face
    that is rolled again, ``five`` what one thing counts for at the most.
    """

    mental: frozenset[str] = frozenset()
    again: int = 10
    five: RuleOfFive | None = None

    def check(self, traits: Sequence[str], referee: Referee) -> None:
        """Refuse what is no pool of Traits at all."""
        if not traits or any(not key for key in traits):
            raise bad_input(phrase("Pick the Trait to roll."))
        if len(traits) > MOST_TRAITS:
            raise bad_input(phrase("A pool is made of three Traits at the most."))
        for trait in map(self.system.layout.trait, traits):
            if trait.category is Category.FACT:
                raise bad_input(phrase("{label} is not rolled.", label=trait.label))

    def traits(self, sheet: Sheet, traits: Iterable[str], rule: str) -> tuple[Part, ...]:
        """The parts that the Traits give, each under ``rule``; a Skill without dots takes dice off (WD-DICE-4)."""
        parts = []
        for key in traits:
            trait = self.system.layout.trait(key)
            dots = self.system.layout.dots(sheet, key)
            if trait.category is Category.ABILITY and dots == 0:
                missing = -_unskilled(self.system.settings, mental=key in self.mental)
                parts.append(
                    Part(
                        f"trait:{key}",
                        phrase("{label}, unskilled", label=trait.label),
                        self.system.cites["untrained"],
                        dice=missing,
                    )
                )
            else:
                own = Part(f"trait:{key}", trait.label, rule, dice=self.system.layout.bare(sheet, key))
                parts.extend(with_shape(own, sheet.shape, self.system.layout.dots(sheet, key)))
        return tuple(parts)

    def hindrances(self, sheet: Sheet, traits: Iterable[str]) -> tuple[Part, ...]:
        """What wounds take from a pool (WD-HEALTH-2), and too heavy armour from the close Skills (WD-GEAR-1)."""
        parts = []
        if penalty := self.system.health.hindrance(sheet):
            parts.append(Part("wounds", phrase("Wounds"), self.system.cites["wounds"], dice=penalty))
        strength = self.system.layout.dots(sheet, "strength")
        heavy = next((armor for armor in sheet.armor if armor.strength and armor.strength > strength), None)
        if heavy and not {"brawl", "weaponry"}.isdisjoint(traits):
            label = phrase("Too weak for {heavy}", heavy=heavy.name)
            parts.append(Part("armor", label, self.system.cites["armor_penalty"], dice=-_clumsy(self.system.settings)))
        return tuple(parts)

    def standing(self, state: Encounter, who: str) -> tuple[Part, ...]:
        """The circumstances that lie on the whole scene or on somebody (WD-DICE-6)."""
        lying = state.combatants[who].circumstances
        if not lying and not state.circumstances:
            return ()
        seen = Circumstances()
        scene = self.system.circumstances.parts(state.circumstances, seen)
        own = self.system.circumstances.parts(lying, seen)
        return (
            *(replace(part, key=f"scene:{number}") for number, part in enumerate(scene, 1)),
            *(replace(part, key=f"standing:{number}") for number, part in enumerate(own, 1)),
        )

    def limited(self, parts: Iterable[Part], referee: Referee) -> tuple[Part, ...]:
        """The same parts, none of them for more than a ruleset allows."""
        return tuple(parts) if self.five is None else self.five.limited(parts, referee)

    def total(
        self,
        parts: Iterable[Part],
        *,
        strikes: frozenset[str] = frozenset(),
        least: int = 0,
        most: int = MOST_DICE,
    ) -> PoolPlan:
        """The plan that the parts come to: a chance die where no dice are left (WD-DICE-2)."""
        return self.rolled(parts, strikes=strikes)

    def rolled(
        self,
        parts: Iterable[Part],
        *,
        strikes: frozenset[str] = frozenset(),
        again: int | None = None,
        chance: str = "",
    ) -> PoolPlan:
        """As :meth:`total`. ``again`` is the least face rolled again; ``chance`` says why it is a chance roll anyway.

        Raises "input" for more dice than anybody throws.
        """
        kept = list(strike(parts, _with_limits(strikes)))
        dice = dice_of(kept)
        if dice > MOST_DICE:
            raise bad_input(phrase("Nobody rolls more than {most_dice} dice at once.", most_dice=MOST_DICE))
        if dice > 0 and not chance:
            return PoolPlan(tuple(kept), dice, 0, self.again if again is None else again)
        label = phrase("Chance roll: {chance}", chance=chance) if chance else phrase("Chance roll: no dice left")
        if dice or chance:
            kept.append(Part("chance", label, self.system.cites["chance"], dice=-dice))
        return PoolPlan(tuple(kept), 0, 0, self.again if again is None else again, chance=True)

    def of_attack(
        self, parts: Iterable[Part], weapon: Weapon, *, strikes: frozenset[str] = frozenset(), chance: str = ""
    ) -> PoolPlan:
        """As :meth:`rolled`, with the faces that a weapon rolls again."""
        return self.rolled(parts, strikes=strikes, again=weapon.again, chance=chance)

    def flags(self, sheet: Sheet, plan: PoolPlan) -> tuple[Flag, ...]:
        """Nothing: no pool is out of the ordinary for its size."""
        return ()

    def too_weak(self, sheet: Sheet, weapon: Weapon) -> tuple[Part, ...]:
        """What too little Strength for a weapon takes off (WD-GEAR-1)."""
        if weapon.strength is None or self.system.layout.dots(sheet, "strength") >= weapon.strength:
            return ()
        label = phrase("Too weak for {weapon}", weapon=weapon.name)
        return (Part("strength", label, self.system.cites["gear"], dice=-_clumsy(self.system.settings)),)

    def roll(self, game: Game, command: RollTraits) -> PoolPlan:
        """The plan of a roll outside an attack."""
        if command.by not in game.state.combatants:
            raise bad_input(phrase("Nobody of that name is in the fight."))
        if command.difficulty is not None:
            raise bad_input(phrase("No roll has a difficulty here: give dice or take them."))
        self.check(command.traits, game.referee)
        self.system.circumstances.check(command.modifiers, Use.ROLL)
        sheet = sheet_now(game.state, command.by)
        parts = [
            *self.traits(sheet, command.traits, self.system.cites["pool"]),
            *self.hindrances(sheet, command.traits),
            *self.burdens(game.state, command.by, command.traits),
            *self.around(game, command.by, command.modifiers, Circumstances()),
        ]
        chance = self.chance(game.state, command.by, command.traits)
        return self.rolled(parts, strikes=command.strike, chance=chance)

    def burdens(self, state: Encounter, who: str, traits: Iterable[str]) -> tuple[Part, ...]:
        """What somebody's conditions take from a roll outside an attack: here nothing."""
        return ()

    def chance(self, state: Encounter, who: str, traits: Iterable[str]) -> str:
        """Why such a roll is a chance roll whatever the pool, "" where it is not."""
        return ""

    def around(
        self,
        game: Game,
        who: str,
        modifiers: Iterable[Modifier],
        seen: Circumstances,
    ) -> tuple[Part, ...]:
        """All circumstances of a roll, none of them for more than the family allows (WD-DICE-6)."""
        parts = [*self.system.circumstances.parts(modifiers, seen), *self.standing(game.state, who)]
        return self.limited(parts, game.referee)


def _with_limits(strikes: frozenset[str]) -> frozenset[str]:
    """What is struck out takes with it what would bring it back to five dice."""
    return strikes | {f"{LIMIT}{key}" for key in strikes}


def _unskilled(settings: Mapping[str, Any], *, mental: bool) -> int:
    """The dice that a Skill without dots takes off (WD-DICE-4)."""
    return int(settings.get("unskilled_mental", 3) if mental else settings.get("unskilled", 1))


def _clumsy(settings: Mapping[str, Any]) -> int:
    """The dice that too little Strength for what is held or worn takes off (WD-GEAR-1)."""
    return int(settings.get("too_weak", 1))
