"""Pools of Hollow: Attribute + Skill, less wounds and haste, and at least one die."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hollow.pace import is_fast
from rules.engine.phrases import phrase
from rules.engine.violations import Flag, bad_input
from rules.model.modifiers import Circumstances, Use
from rules.model.plan import Part, PoolPlan, dice_of, strike
from rules.model.roll import RollTraits
from rules.model.sheet import Sheet
from rules.model.state import Encounter
from rules.model.system import Game
from rules.topics.rolls.pools import MOST_DICE, PoolRules

HASTE = -2


@dataclass(frozen=True, slots=True)
class HollowPools(PoolRules):
    """HO-DICE-1, HO-PACE-2 and HO-WOUND-2."""

    def traits(self, sheet: Sheet, traits: Iterable[str], rule: str) -> tuple[Part, ...]:
        """The parts from Traits, each under ``rule``."""
        layout = self.system.layout
        return tuple(
            Part(f"trait:{key}", layout.trait(key).label, rule, dice=layout.dots(sheet, key)) for key in traits
        )

    def hindrances(self, sheet: Sheet, traits: Iterable[str]) -> tuple[Part, ...]:
        """The penalty of the worst wound."""
        dice = self.system.health.hindrance(sheet)
        return (Part("wounds", phrase("wounds"), self.system.cites["wounds"], dice=dice),) if dice else ()

    def hampering(self, state: Encounter, who: str, traits: Iterable[str]) -> tuple[Part, ...]:
        """Like :meth:`hindrances`, plus the penalty for haste."""
        parts = self.hindrances(state.combatants[who].sheet, traits)
        if not is_fast(state, who):
            return parts
        return (*parts, Part("haste", phrase("fast-label"), self.system.cites["haste"], dice=HASTE))

    def difficulty(self, base: int, label: str, rule: str) -> Part:
        """The base difficulty: none."""
        return Part("base", label, rule)

    def total(
        self, parts: Iterable[Part], *, strikes: frozenset[str] = frozenset(), least: int = 1, most: int = MOST_DICE
    ) -> PoolPlan:
        """The plan of these parts; raises "input" for more than ``most`` dice."""
        kept = list(strike(parts, strikes))
        dice = dice_of(kept)
        if dice > most:
            raise bad_input(phrase("you-can-roll-at-most-dice-at-once", most=most))
        if dice < 1:
            kept.append(Part("least", phrase("at-least-one-die"), self.system.cites["pool"], dice=1 - dice))
        return PoolPlan(tuple(kept), max(dice, 1), 0)

    def flags(self, sheet: Sheet, plan: PoolPlan) -> tuple[Flag, ...]:
        """No flags: no pool counts as unusually large."""
        return ()

    def roll(self, game: Game, command: RollTraits) -> PoolPlan:
        """The plan of a roll outside an attack."""
        game.combatant(command.by)
        if command.difficulty is not None:
            raise bad_input(phrase("this-ruleset-has-no-difficulties-add"))
        basis = self.basis(game, command)
        self.system.circumstances.check(command.modifiers, Use.ROLL)
        parts = [
            *basis,
            *self.system.circumstances.parts(command.modifiers, Circumstances(use=Use.ROLL)),
        ]
        return self.total(parts, strikes=command.strike)
