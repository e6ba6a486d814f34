"""A planned pool, rolled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.engine.dice import Dice, Faces, Purpose, Throw
from rules.model.plan import PoolPlan
from rules.model.results import Rolled

if TYPE_CHECKING:
    from rules.model.system import System


def roll_pool(purpose: Purpose, by: str, plan: PoolPlan, ruleset: System, dice: Dice, target: str = "") -> Rolled:
    """Roll a planned pool as the ruleset's dice are rolled and read."""

    def throw(count: int) -> Faces:
        return dice.roll(Throw(purpose, by, count, target, plan.again))

    return Rolled(by, plan, ruleset.mechanic.roll(plan, throw))
