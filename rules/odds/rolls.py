"""Exact chances of a roll outside an attack: counted, not sampled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from rules.model.outcomes import Outcomes
from rules.model.plan import PoolPlan
from rules.model.state import ExtendedRoll
from rules.model.system import Mechanic
from rules.odds.attacks import wins


@dataclass(frozen=True, slots=True)
class RollOdds:
    """Possible results of a roll. All chances are exact.

    ``succeeds`` is the chance of any success, or of more than the opponent's; ``mean`` is the average number of
    successes before any resistance, counting results below zero as none. ``botch``, ``dramatic`` and ``exceptional``
    are the roll's own.
    """

    succeeds: Fraction
    mean: Fraction
    botch: Fraction
    dramatic: Fraction
    exceptional: Fraction


def roll_odds(plan: PoolPlan, mechanic: Mechanic, resisted: PoolPlan | None = None) -> RollOdds:
    """The chances of a planned roll, alone or resisted by the pool ``resisted``."""
    own = mechanic.outcomes_of(plan)
    against = mechanic.outcomes_of(resisted) if resisted else None
    return RollOdds(
        wins(own, against),
        own.expected,
        Fraction(own.botches, own.total),
        Fraction(own.dramatic, own.total),
        Fraction(own.exceptional, own.total),
    )


def extended_odds(plan: PoolPlan, roll: ExtendedRoll, mechanic: Mechanic, later: PoolPlan | None = None) -> Fraction:
    """The chance that an extended roll reaches its target from its present state, if its pool stays as planned.

    A botch or a dramatic failure ends it; without a limit on rolls nothing else does. ``later`` is the pool of all
    rolls but the next, if the next has a paid bonus.
    """
    lacks = roll.asked.target - roll.total
    ways, total = _steps(mechanic.outcomes_of(plan), lacks)
    if later is not None:
        stands = (replace(roll, total=roll.total + got, made=roll.made + 1) for got in range(lacks))
        onwards = sum(some * extended_odds(later, each, mechanic) for some, each in zip(ways, stands, strict=False))
        return (ways[lacks] + onwards) / Fraction(total)
    return _at_last(ways, total, lacks) if roll.left is None else _within(ways, total, lacks, roll.left)


def _steps(outcomes: Outcomes, lacks: int) -> tuple[list[int], int]:
    """In how many of how many throws a roll brings 0, 1, 2 ... successes and goes on; ``lacks`` stands for more too."""
    ways = list(outcomes.successes[:lacks])
    ways += [0] * (lacks - len(ways))
    ways[0] -= outcomes.botches + outcomes.dramatic
    return [*ways, sum(outcomes.successes[lacks:])], outcomes.total


def _at_last(ways: list[int], total: int, lacks: int) -> Fraction:
    """The chance of reaching the target eventually. A roll without effect is rerolled until it has one."""
    chance = [Fraction(1)]
    moves = total - ways[0]
    for missing in range(1, lacks + 1):
        there = sum(ways[missing:]) + sum(ways[got] * chance[missing - got] for got in range(1, missing))
        chance.append(Fraction(there, moves) if moves else Fraction(0))
    return chance[lacks]


def _within(ways: list[int], total: int, lacks: int, rolls: int) -> Fraction:
    """The chance of getting there in so many rolls. ``open_ways[n]`` are the throws so far that have n successes."""
    open_ways, there = [1, *[0] * (lacks - 1)], 0
    for _roll in range(rolls):
        there *= total
        fresh = [0] * lacks
        for had, count in enumerate(open_ways):
            for got, more in enumerate(ways) if count else ():
                if had + got >= lacks:
                    there += count * more
                else:
                    fresh[had + got] += count * more
        open_ways = fresh
    return Fraction(there, total**rolls)
