"""The dice of Hollow: 7 to 9 is one success, 10 is two, and 1s cancel nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from rules.engine.dice import Faces, Roll
from rules.model.outcomes import Outcomes
from rules.model.plan import PoolPlan

SUCCESS, TWO = 7, 10


@dataclass(frozen=True, slots=True)
class HollowDice:
    """How faces are read (HO-DICE-1). The lowest successful face never changes."""

    default: int = SUCCESS
    lowest: int = SUCCESS
    highest: int = SUCCESS

    def played(self, settings: Mapping[str, Any]) -> HollowDice:
        """The same dice: no house rule changes them."""
        return self

    def read(self, faces: Faces, difficulty: int, *, may_botch: bool = True, spared: bool = False) -> Roll:
        """The result of these faces."""
        return Roll(faces, SUCCESS, sum((face >= SUCCESS) + (face >= TWO) for face in faces))

    def roll(self, plan: PoolPlan, throw: Callable[[int], Faces]) -> Roll:
        """Roll a planned pool. Automatic results are not rolled."""
        return Roll((), SUCCESS, plan.pool) if plan.outright else self.read(throw(plan.pool), SUCCESS)

    def said(self, roll: Roll, successes: int) -> Roll:
        """A roll with a given number of successes."""
        return replace(roll, successes=successes)

    def outcomes_of(self, plan: PoolPlan) -> Outcomes:
        """The exact distribution of a planned pool's results."""
        if plan.outright:
            return Outcomes((*[0] * plan.pool, 1), 0, 1)
        return Outcomes(_throws(plan.pool), 0, 10**plan.pool)


@cache
def _throws(pool: int) -> tuple[int, ...]:
    """How many of the 10^pool throws have 0, 1, 2 ... successes."""
    ways = [1]
    for _die in range(pool):
        more = [0] * (len(ways) + 2)
        for successes, count in enumerate(ways):
            for extra, faces in enumerate((SUCCESS - 1, TWO - SUCCESS, 1)):
                more[successes + extra] += count * faces
        ways = more
    return tuple(ways)
