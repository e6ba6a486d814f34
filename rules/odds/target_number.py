"""The classic dice: successes at or above a difficulty, 1s that cancel them, botches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb
from typing import Any

from rules.engine.dice import Faces, Roll
from rules.model.outcomes import Outcomes
from rules.model.plan import PoolPlan


@dataclass(frozen=True, slots=True)
class TargetNumber:
    """How faces are read in the classic family (MQ-DICE-3, MQ-DICE-5).

    With ``below_zero`` 1s may bring a result below zero, and nothing is a botch (WL-DICE-1).
    """

    default: int = 6
    lowest: int = 2
    highest: int = 10
    below_zero: bool = False

    def played(self, settings: Mapping[str, Any]) -> TargetNumber:
        """The same dice: pools apply a chronicle's changes."""
        return self

    def read(self, faces: Faces, difficulty: int, *, may_botch: bool = True, spared: bool = False) -> Roll:
        """The result of faces: each 1 subtracts a success, never below zero; no hit and a 1 is a botch.

        A ``spared`` roll loses nothing to its 1s and cannot botch.
        """
        hits = sum(face >= difficulty for face in faces)
        ones = 0 if spared else faces.count(1)
        if self.below_zero:
            return Roll(faces, difficulty, hits - ones)
        return Roll(faces, difficulty, max(0, hits - ones), may_botch and hits == 0 and ones > 0)

    def roll(self, plan: PoolPlan, throw: Callable[[int], Faces]) -> Roll:
        """Roll a planned pool; ``throw`` gives as many faces as it is asked for. No dice come to nothing.

        With ``plan.again`` 10s are rolled again, and all faces count.
        What is sure is added to what the dice bring, and leaves no room for a botch (MQ-WILL-1).
        """
        faces = fresh = throw(plan.pool) if plan.pool else ()
        while plan.again and (more := sum(face >= plan.again for face in fresh)):
            fresh = throw(more)
            faces += fresh
        roll = self.read(faces, plan.difficulty, may_botch=not plan.sure)
        return replace(roll, successes=roll.successes + plan.sure) if plan.sure else roll

    def said(self, roll: Roll, successes: int) -> Roll:
        """A roll of which somebody has said how many successes it has."""
        return replace(roll, successes=successes, botch=False)

    def outcomes(self, pool: int, difficulty: int) -> Outcomes:
        """Distribution of ``pool`` dice (zero or more) at a difficulty from 2 to 10; exact.

        Results below zero count as no successes: no caller distinguishes them.
        """
        return _raised(pool, difficulty, 0) if self.below_zero else _outcomes(pool, difficulty)

    def outcomes_of(self, plan: PoolPlan) -> Outcomes:
        """Distribution of a planned pool's results; exact."""
        if plan.again:
            return _again(plan.pool, plan.difficulty, plan.sure, below_zero=self.below_zero)
        if self.below_zero:
            return _raised(plan.pool, plan.difficulty, plan.sure)
        found = _spared(plan.pool, plan.difficulty) if plan.spared else self.outcomes(plan.pool, plan.difficulty)
        return Outcomes((*[0] * plan.sure, *found.successes), 0, found.total) if plan.sure else found


@lru_cache(maxsize=4096)
def _outcomes(pool: int, difficulty: int) -> Outcomes:
    successes = [0] * (pool + 1)
    botches = 0
    for hits, ones, ways in _throws(pool, difficulty):
        successes[max(0, hits - ones)] += ways
        if hits == 0 and ones:
            botches += ways
    return Outcomes(tuple(successes), botches, 10**pool)


@lru_cache(maxsize=4096)
def _raised(pool: int, difficulty: int, sure: int) -> Outcomes:
    """The same for results below zero, with ``sure`` successes added before they are cut off at zero."""
    successes = [0] * (pool + sure + 1)
    for hits, ones, ways in _throws(pool, difficulty):
        successes[max(0, hits - ones + sure)] += ways
    return Outcomes(tuple(successes), 0, 10**pool)


def _throws(pool: int, difficulty: int, tens: int = 1) -> Iterator[tuple[int, int, int]]:
    """Every number of hits and of 1s that a pool can show, and how many throws show it.

    Without ``tens`` (0) no die shows a 10.
    """
    hit_faces, blank_faces = 10 - difficulty + tens, difficulty - 2
    for hits in range(pool + 1):
        for ones in range(pool - hits + 1):
            blanks = pool - hits - ones
            ways = comb(pool, hits) * comb(pool - hits, ones) * hit_faces**hits * blank_faces**blanks
            yield hits, ones, ways


@lru_cache(maxsize=4096)
def _spared(pool: int, difficulty: int) -> Outcomes:
    """As :func:`_outcomes`, 1s taking nothing off."""
    hit_faces = 11 - difficulty
    ways = (comb(pool, hits) * hit_faces**hits * (10 - hit_faces) ** (pool - hits) for hits in range(pool + 1))
    return Outcomes(tuple(ways), 0, 10**pool)


MOST_TENS = 30
"""Rerolls of a pool that are told apart: ones beyond have a chance below any that is shown."""


@lru_cache(maxsize=1024)
def _again(pool: int, difficulty: int, sure: int, *, below_zero: bool) -> Outcomes:
    """As :func:`_outcomes` or :func:`_raised`, where 10s are rolled again, each counted as the success that it is.

    Each die ends with one of nine faces, after any number of 10s. Counted in ``pool + MOST_TENS`` dice; throws with
    more 10s than those are, exactly, in the last count.
    """
    successes = [0] * (pool + sure + MOST_TENS + 1)
    botches = 0
    total = int(10 ** (pool + MOST_TENS))
    for tens in range(MOST_TENS + 1 if pool else 1):
        ways_to_ten = comb(max(0, pool - 1) + tens, tens) * 10 ** (MOST_TENS - tens)
        for hits, ones, ways in _throws(pool, difficulty, tens=0):
            if below_zero:
                net = max(0, tens + hits - ones + sure)
            else:
                net = max(0, tens + hits - ones) + sure
                botches += ways * ways_to_ten if tens + hits == 0 < ones and not sure else 0
            successes[net] += ways * ways_to_ten
    successes[-1] += total - sum(successes)
    return Outcomes(tuple(successes), botches, total)
