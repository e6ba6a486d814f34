"""Rolls planned pools."""

from __future__ import annotations

from rules.engine.dice import Dice, Faces, Purpose, Throw
from rules.model.plan import PoolPlan
from rules.model.results import Rolled
from rules.model.system import Mechanic


def roll_pool(purpose: Purpose, by: str, plan: PoolPlan, mechanic: Mechanic, dice: Dice, target: str = "") -> Rolled:
    """Roll a planned pool with the ruleset's dice mechanic."""

    def throw(count: int) -> Faces:
        return dice.roll(Throw(purpose, by, count, target, plan.again, plan.once))

    return Rolled(by, plan, mechanic.roll(plan, throw))
