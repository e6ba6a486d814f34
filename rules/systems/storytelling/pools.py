"""Pools of the storytelling family: every modifier is dice, and an empty pool is a chance die."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from rules.engine.phrases import phrase
from rules.engine.violations import Flag, Referee, bad_input
from rules.model.choices import Modifier
from rules.model.gear import Weapon
from rules.model.modifiers import Circumstances, Use
from rules.model.plan import Part, PoolPlan, dice_of, strike
from rules.model.roll import RollTraits
from rules.model.sheet import Category, Sheet
from rules.model.state import Encounter
from rules.model.system import Game
from rules.systems.storytelling.rule_of_five import LIMIT, RuleOfFive
from rules.topics.rolls.pools import MOST_DICE, PoolRules

MOST_TRAITS = 3

CHANCE = 10
"""The one face of a chance die that succeeds."""


@dataclass(frozen=True, slots=True)
class StorytellingPools(PoolRules):
    """Pools with every modifier as dice (WD-DICE-2, WD-DICE-4, WD-DICE-6, WD-HEALTH-2).

    ``mental`` are the Skills that lose three dice when untrained; ``again`` is the lowest face rolled again, ``five``
    the cap on a single modifier.
    """

    mental: frozenset[str] = frozenset()
    again: int = 10
    five: RuleOfFive | None = None
    rerolls: ClassVar[tuple[int, ...]] = (10, 9, 8)

    def check(self, traits: Sequence[str], referee: Referee) -> None:
        """Reject what is not a pool of Traits."""
        if not traits or any(not key for key in traits):
            raise bad_input(phrase("choose-trait-to-roll"))
        if len(traits) > MOST_TRAITS:
            raise bad_input(phrase("dice-pool-combines-at-most-three-traits"))
        for trait in map(self.system.layout.trait, traits):
            if trait.category is Category.FACT:
                raise bad_input(phrase("isnt-rolled", label=trait.label))

    def traits(self, sheet: Sheet, traits: Iterable[str], rule: str) -> tuple[Part, ...]:
        """The parts from Traits, each under ``rule``; untrained Skills lose dice (WD-DICE-4)."""
        parts = []
        for key in traits:
            trait = self.system.layout.trait(key, sheet.kind)
            dots = self.system.layout.dots(sheet, key)
            if trait.category is Category.ABILITY and dots == 0:
                missing = -_unskilled(self.system.settings, mental=key in self.mental)
                parts.append(
                    Part(
                        f"trait:{key}",
                        phrase("unskilled", label=trait.label),
                        self.system.cites["untrained"],
                        dice=missing,
                    )
                )
            else:
                own = Part(f"trait:{key}", trait.label, rule, dice=self.system.layout.bare(sheet, key))
                parts.extend(self.system.layout.parts(sheet, key, own))
        return tuple(parts)

    def hindrances(self, sheet: Sheet, traits: Iterable[str]) -> tuple[Part, ...]:
        """Wound penalties (WD-HEALTH-2), and those of too heavy armour for close combat Skills (WD-GEAR-1)."""
        parts: list[Part] = []
        if penalty := self.system.health.hindrance(sheet):
            own = Part("wounds", phrase("wounds"), self.system.cites["wounds"], dice=penalty)
            parts.extend(self.system.in_play.eased(sheet, own))
        strength = self.system.layout.dots(sheet, "strength")
        heavy = next((armor for armor in sheet.armor if armor.strength and armor.strength > strength), None)
        if heavy and not {"brawl", "weaponry"}.isdisjoint(traits):
            label = phrase("too-weak-for", heavy=heavy.name)
            parts.append(Part("armor", label, self.system.cites["armor_penalty"], dice=-_clumsy(self.system.settings)))
        return tuple(parts)

    def standing(self, state: Encounter, who: str) -> tuple[Part, ...]:
        """Circumstances set on the scene or on a combatant (WD-DICE-6)."""
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
        """The same parts, each capped as the ruleset says."""
        return tuple(parts) if self.five is None else self.five.limited(parts, referee)

    def total(
        self,
        parts: Iterable[Part],
        *,
        strikes: frozenset[str] = frozenset(),
        least: int = 0,
        most: int = MOST_DICE,
    ) -> PoolPlan:
        """The plan of these parts: a chance die if no dice are left (WD-DICE-2)."""
        return self.rolled(parts, strikes=strikes)

    def rolled(
        self,
        parts: Iterable[Part],
        *,
        strikes: frozenset[str] = frozenset(),
        again: int | None = None,
        chance: str = "",
    ) -> PoolPlan:
        """Like :meth:`total`. ``again`` is the lowest face rolled again; ``chance`` is a reason for a chance roll
        regardless of the pool.

        Raises "input" for more dice than the limit.
        """
        kept = list(strike(parts, _with_limits(strikes)))
        dice = dice_of(kept)
        if dice > MOST_DICE:
            raise bad_input(phrase("you-can-roll-at-most-dice", most_dice=MOST_DICE))
        sure = sum(part.successes for part in kept if not part.struck)
        if dice > 0 and not chance:
            return PoolPlan(tuple(kept), dice, 0, self.again if again is None else again, sure=sure)
        label = phrase("chance-roll", chance=chance) if chance else phrase("chance-roll-no-dice-left")
        if dice or chance:
            kept.append(Part("chance", label, self.system.cites["chance"], dice=-dice))
        return PoolPlan(tuple(kept), 0, 0, self.again if again is None else again, chance=True, sure=sure)

    def of_attack(
        self, parts: Iterable[Part], weapon: Weapon, *, strikes: frozenset[str] = frozenset(), chance: str = ""
    ) -> PoolPlan:
        """Like :meth:`rolled`, with the faces a weapon rolls again."""
        return self.rolled(parts, strikes=strikes, again=weapon.again, chance=chance)

    def flags(self, sheet: Sheet, plan: PoolPlan) -> tuple[Flag, ...]:
        """No flags: no pool counts as unusually large."""
        return ()

    def too_weak(self, sheet: Sheet, weapon: Weapon) -> tuple[Part, ...]:
        """The penalty for too little Strength for a weapon (WD-GEAR-1)."""
        if weapon.strength is None or self.system.layout.dots(sheet, "strength") >= weapon.strength:
            return ()
        label = phrase("too-weak-for-label", weapon=weapon.name)
        return (Part("strength", label, self.system.cites["gear"], dice=-_clumsy(self.system.settings)),)

    def roll(self, game: Game, command: RollTraits) -> PoolPlan:
        """The plan of a roll outside an attack."""
        if command.by not in game.state.combatants:
            raise bad_input(phrase("nobody-by-that-name-is-in-this-fight"))
        if command.difficulty is not None:
            raise bad_input(phrase("this-ruleset-has-no-difficulties-add"))
        basis = self.basis(game, command)
        self.system.circumstances.check(command.modifiers, Use.ROLL)
        sheet = game.state.combatants[command.by].sheet
        seen = Circumstances(specialties=self.system.layout.specialties(sheet, command.traits))
        if command.number is None:
            around = self.around(game, command.by, command.modifiers, seen)
        else:
            around = self.limited(self.system.circumstances.parts(command.modifiers, seen), game.referee)
        burdens = self.burdens(game.state, command.by, command.traits)
        parts = [*basis, *burdens, *around, *self.powers(game, command)]
        chance, strikes = self.chance(game.state, command.by, command.traits), self.lifted(game, command)
        plan = self.rolled(parts, strikes=command.strike | strikes, again=command.again or self.again, chance=chance)
        return self._by_rote(plan) if command.rote else plan

    def _by_rote(self, plan: PoolPlan) -> PoolPlan:
        """A rote action's pool: dice that fail are rolled once more, except a chance die's 1 (WD-DICE-7)."""
        part = Part("rote", phrase("rote-action"), self.system.cites["rote"])
        once = range(2, CHANCE) if plan.chance else range(1, self.system.mechanic.default)
        return replace(plan, parts=(*plan.parts, part), once=tuple(once))

    def burdens(self, state: Encounter, who: str, traits: Iterable[str]) -> tuple[Part, ...]:
        """Penalties of somebody's conditions on a roll outside an attack: none here."""
        return ()

    def chance(self, state: Encounter, who: str, traits: Iterable[str]) -> str:
        """Why such a roll is a chance roll regardless of the pool; "" if it is not."""
        return ""

    def around(
        self,
        game: Game,
        who: str,
        modifiers: Iterable[Modifier],
        seen: Circumstances,
    ) -> tuple[Part, ...]:
        """All circumstances of a roll, each capped at the family's limit (WD-DICE-6)."""
        parts = [*self.system.circumstances.parts(modifiers, seen), *self.standing(game.state, who)]
        return self.limited(parts, game.referee)


def _with_limits(strikes: frozenset[str]) -> frozenset[str]:
    """Striking a part out also strikes out its five-dice cap."""
    return strikes | {f"{LIMIT}{key}" for key in strikes}


def _unskilled(settings: Mapping[str, Any], *, mental: bool) -> int:
    """The penalty of an untrained Skill (WD-DICE-4)."""
    return int(settings.get("unskilled_mental", 3) if mental else settings.get("unskilled", 1))


def _clumsy(settings: Mapping[str, Any]) -> int:
    """The penalty for too little Strength for held or worn gear (WD-GEAR-1)."""
    return int(settings.get("too_weak", 1))
