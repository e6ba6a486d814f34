"""A planned pool, rolled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.dice import Dice, Faces, Purpose, Throw
from rules.events import Rolled
from rules.plan import PoolPlan

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


def roll_pool(purpose: Purpose, by: str, plan: PoolPlan, ruleset: Ruleset, dice: Dice, target: str = "") -> Rolled:
    """Roll a planned pool as the ruleset's dice are rolled and read."""

    def throw(count: int) -> Faces:
        return dice.roll(Throw(purpose, by, count, target, plan.again))

    return Rolled(by, plan, ruleset.mechanic.roll(plan, throw))
