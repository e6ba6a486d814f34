"""Damage without dice: a sum, less the target's protection, of a single damage type."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.engine.dice import Dice, Roll
from rules.model.choices import Modifier
from rules.model.gear import Damage, Weapon
from rules.model.plan import Part, PoolPlan, dice_of
from rules.model.results import DamageDone, Rolled
from rules.model.sheet import Sheet
from rules.strike.rolled_damage import RolledDamage


@dataclass(frozen=True, slots=True)
class UnrolledDamage(RolledDamage):
    """Like rolled damage, but pools are counted instead of rolled; a system defines what ``pool`` and ``soak`` add
    up.
    """

    def type(self, weapon: Weapon, target: Sheet, modifiers: Iterable[Modifier]) -> Damage:
        """The damage type: always the same placeholder, as there is only one."""
        return Damage.LETHAL

    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet) -> Damage:
        """The same type for everybody."""
        return Damage.LETHAL

    def settle(self, got_through: int, damage: Damage, target: Sheet) -> int:
        """Everything that got through."""
        return got_through

    def roll(
        self,
        by: str,
        to: str,
        target: Sheet,
        pool: PoolPlan,
        damage: Damage,
        soak: PoolPlan,
        dice: Dice,
    ) -> DamageDone:
        """Damage of a hit; no dice are rolled."""
        levels = max(0, pool.pool)
        soaked = min(levels, soak.pool)
        resisted = Rolled(to, soak, Roll((), 0, soak.pool)) if soak.parts and levels else None
        return DamageDone(to, Rolled(by, pool, Roll((), 0, levels)), levels, resisted, soaked, levels - soaked, damage)


def outright(parts: tuple[Part, ...]) -> PoolPlan:
    """The pool of these parts, counted without a roll."""
    return PoolPlan(parts, max(0, dice_of(parts)), 0, outright=True)
