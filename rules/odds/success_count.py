"""The storytelling dice: 8 and up succeed, 10s are rolled again, and a last die of chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

from rules.engine.dice import Faces, Roll
from rules.model.outcomes import Outcomes
from rules.model.plan import PoolPlan

SIDES = 10

NEVER = 11
"""No face is rolled again."""

MOST = 60
"""Successes that are told apart: three times as many as anybody has boxes. More are counted together with these."""


@dataclass(frozen=True, slots=True)
class SuccessCount:
    """How faces are read in the storytelling family (WD-DICE-1 to WD-DICE-3).

    ``success`` is the least face that succeeds, ``chance`` the one face that does on a chance die;
    ``exceptional`` successes are an exceptional success, unless the setting ``exceptional_from`` says otherwise.
    """

    success: int = 8
    chance: int = 10
    exceptional: int = 5

    @property
    def default(self) -> int:
        """The least face that succeeds, which nothing changes."""
        return self.success

    lowest = highest = default

    def played(self, settings: Mapping[str, Any]) -> SuccessCount:
        """The same dice as a chronicle reads them."""
        return replace(self, exceptional=settings.get("exceptional_from", self.exceptional))

    def read(self, faces: Faces, difficulty: int, *, may_botch: bool = True, spared: bool = False) -> Roll:
        """The result of faces without rerolls; 1s subtract nothing, and nothing botches."""
        successes = sum(face >= difficulty for face in faces)
        return Roll(faces, difficulty, successes, exceptional=successes >= self.exceptional)

    def roll(self, plan: PoolPlan, throw: Callable[[int], Faces]) -> Roll:
        """Roll a planned pool and its rerolls; ``throw`` returns as many faces as it is asked for.

        A fixed result is not rolled.
        """
        if plan.outright:
            return Roll((), self.success, plan.pool)
        read = self._thrown(plan, throw)
        return self._with_sure(read, plan.sure) if plan.sure else read

    def _thrown(self, plan: PoolPlan, throw: Callable[[int], Faces]) -> Roll:
        least, again = (self.chance, self.chance) if plan.chance else (self.success, plan.again or NEVER)
        faces = fresh = throw(1 if plan.chance else plan.pool)
        if failed := sum(face in plan.once for face in fresh):
            faces = fresh = fresh + throw(failed)
        dramatic = plan.chance and fresh[-1] == 1
        while more := sum(face >= again for face in fresh):
            fresh = throw(more)
            faces += fresh
        return replace(self.read(faces, least), again=again, chance=plan.chance, dramatic=dramatic)

    def _with_sure(self, roll: Roll, sure: int) -> Roll:
        """The result with successes that are sure, or with so many fewer: nothing else is a dramatic failure."""
        successes = max(0, roll.successes + sure)
        dramatic = roll.dramatic and not successes
        return replace(roll, successes=successes, dramatic=dramatic, exceptional=successes >= self.exceptional)

    def said(self, roll: Roll, successes: int) -> Roll:
        """A roll of which somebody has said how many successes it has."""
        return replace(roll, successes=successes, dramatic=False, exceptional=successes >= self.exceptional)

    def outcomes_of(self, plan: PoolPlan) -> Outcomes:
        """Distribution of a planned pool's results: exact, in spite of unlimited rerolls.

        One die yields exactly n successes with a chance that is a whole number over a power of ten, and so does a pool:
        the coefficient of x^n in ((f + b x) / (1 - a x))^pool, where of ten faces f fail, b succeed for good and a
        succeed and are rerolled. If r of the failing faces are rolled once more, 10 (f - r) + r f replaces f and
        10 b + r (a + b) replaces b, both over a hundred faces. Chances are computed up to ``MOST`` - 1 successes;
        everything beyond is, exactly, in the last count.
        """
        if plan.outright:
            return Outcomes((*[0] * plan.pool, 1), 0, 1)
        if plan.chance:
            thrown = self._counted(1, SIDES - 1, 0, 1, len(plan.once), dramatic=True)
        else:
            again = max(self.success, plan.again or NEVER)
            final, more = min(again, NEVER) - self.success, NEVER - again
            thrown = self._counted(plan.pool, self.success - 1, final, more, len(plan.once))
        return self._shifted(thrown, plan.sure) if plan.sure else thrown

    def _shifted(self, thrown: Outcomes, sure: int) -> Outcomes:
        """The distribution with successes that are sure, or with so many fewer, never below none."""
        if sure > 0:
            successes, dramatic = (*[0] * sure, *thrown.successes), 0
            mean = thrown.expected + sure
        else:
            none = sum(thrown.successes[: 1 - sure])
            successes, dramatic = (none, *thrown.successes[1 - sure :]), thrown.dramatic
            lost = sum(min(count, -sure) * ways for count, ways in enumerate(thrown.successes))
            mean = thrown.expected - Fraction(lost, thrown.total)
        exceptional = sum(successes[self.exceptional :])
        return Outcomes(successes, 0, thrown.total, dramatic, exceptional, mean)

    def _counted(self, pool: int, fail: int, final: int, more: int, once: int, *, dramatic: bool = False) -> Outcomes:
        mean = Fraction(final + more, SIDES - more)
        total = int(SIDES ** (pool + MOST))
        if once:
            mean += Fraction(once, SIDES) * mean
            fail, final = SIDES * (fail - once) + once * fail, SIDES * final + once * (final + more)
            total *= SIDES**pool
        below = _exactly(pool, fail, final, more)
        # A 1 at once, or after a first roll that failed.
        dramatic_ways = total // SIDES**2 * (SIDES + once) if dramatic else 0
        successes = (*below, total - sum(below))
        return Outcomes(successes, 0, total, dramatic_ways, sum(successes[self.exceptional :]), pool * mean)


@lru_cache(maxsize=1024)
def _exactly(pool: int, fail: int, final: int, more: int) -> tuple[int, ...]:
    """For 0 to MOST - 1 successes: how many of 10^(pool + MOST) throws have exactly that many.

    Of a die's ten faces ``fail`` fail, ``final`` succeed for good, ``more`` succeed and are rerolled.
    """
    # Each of the pool's dice ends once, after as many rerolls as it likes: a tenth for either.
    return tuple(
        sum(
            comb(pool, last)
            * fail ** (pool - last)
            * final**last
            * comb(pool - 1 + successes - last, successes - last)
            * more ** (successes - last)
            * 10 ** (MOST - successes + last)
            for last in range(min(pool, successes) + 1)
        )
        for successes in range(MOST)
    )
