"""The odds of rolls outside attacks, compared with every possible throw."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rules.model.plan import PoolPlan
from rules.model.roll import Extended, RollTraits
from rules.model.state import ExtendedRoll
from rules.odds.rolls import extended_odds, roll_odds
from rules.odds.target_number import TargetNumber
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS

READ = TargetNumber().read
FACES = range(1, 11)


def classic(pool: int, difficulty: int = 6) -> PoolPlan:
    return PoolPlan((), pool, difficulty)


def storytelling(pool: int) -> PoolPlan:
    return PoolPlan((), pool, 0, again=10, chance=not pool)


def going(target: int, rolls: int = 0, total: int = 0, made: int = 0) -> ExtendedRoll:
    return ExtendedRoll(RollTraits("ann", ("wits",), extended=Extended("x", target, rolls)), total, made)


@pytest.mark.parametrize(("pool", "difficulty"), [(0, 6), (1, 6), (2, 8), (3, 4), (3, 10)])
def test_a_plain_roll(pool, difficulty):
    """MQ-DICE-3."""
    rolls = [READ(faces, difficulty) for faces in product(FACES, repeat=pool)]
    odds = roll_odds(classic(pool, difficulty), MASQUERADE.mechanic)
    assert odds.succeeds == Fraction(sum(roll.successes > 0 for roll in rolls), len(rolls))
    assert odds.botch == Fraction(sum(roll.botch for roll in rolls), len(rolls))
    assert odds.mean == Fraction(sum(roll.successes for roll in rolls), len(rolls))
    assert odds.dramatic == odds.exceptional == 0


@pytest.mark.parametrize(("pool", "other"), [(1, 1), (2, 1), (1, 3), (2, 2), (0, 2), (2, 0)])
def test_a_resisted_roll(pool, other):
    """MQ-DICE-6: a tie is not a success."""
    mine = [READ(faces, 6).successes for faces in product(FACES, repeat=pool)]
    theirs = [READ(faces, 7).successes for faces in product(FACES, repeat=other)]
    won = sum(a > b for a in mine for b in theirs)
    odds = roll_odds(classic(pool), MASQUERADE.mechanic, classic(other, 7))
    assert odds.succeeds == Fraction(won, len(mine) * len(theirs))


def test_the_storytelling_dice():
    """WD-DICE-1, WD-DICE-2, WD-DICE-3: one die brings 0.3 / 0.9 successes, a chance die 0.1 / 0.9."""
    one = roll_odds(storytelling(1), DARKNESS.mechanic)
    assert (one.succeeds, one.mean, one.dramatic) == (Fraction(3, 10), Fraction(1, 3), 0)
    assert one.exceptional == Fraction(3, 10) * Fraction(1, 10) ** 4
    chance = roll_odds(storytelling(0), DARKNESS.mechanic)
    assert (chance.succeeds, chance.mean, chance.dramatic) == (Fraction(1, 10), Fraction(1, 9), Fraction(1, 10))


@pytest.mark.parametrize(("pool", "target", "rolls"), [(1, 1, 1), (1, 2, 3), (2, 3, 2), (1, 3, 2), (2, 1, 2)])
def test_an_extended_roll_with_a_limit(pool, target, rolls):
    """MQ-DICE-3: a botch in between ends it."""

    def reaches(days) -> bool:
        total = 0
        for faces in days:
            roll = READ(faces, 6)
            if roll.botch:
                return False
            total += roll.successes
            if total >= target:
                return True
        return False

    days = list(product(product(FACES, repeat=pool), repeat=rolls))
    expected = Fraction(sum(map(reaches, days)), len(days))
    assert extended_odds(classic(pool), going(target, rolls), MASQUERADE.mechanic) == expected


def test_an_extended_roll_without_a_limit():
    """One die at 6: five faces advance it, a 1 ends it, four change nothing. So five in six, for each success."""
    assert extended_odds(classic(1), going(1), MASQUERADE.mechanic) == Fraction(5, 6)
    assert extended_odds(classic(1), going(2), MASQUERADE.mechanic) == Fraction(25, 36)
    assert extended_odds(classic(1), going(3, total=1, made=4), MASQUERADE.mechanic) == Fraction(25, 36)


def test_what_was_gathered_and_rolled_counts():
    assert extended_odds(classic(1), going(3, 3, total=2, made=2), MASQUERADE.mechanic) == Fraction(1, 2)


def test_a_pool_of_nothing_never_gets_there():
    assert extended_odds(classic(0), going(1), MASQUERADE.mechanic) == 0
    assert extended_odds(classic(0), going(1, 5), MASQUERADE.mechanic) == 0


def test_without_botches_and_limits_it_is_only_a_matter_of_time():
    """WD-DICE-2: except for a chance die, which fails dramatically as often as it succeeds."""
    assert extended_odds(storytelling(2), going(7), DARKNESS.mechanic) == 1
    assert extended_odds(storytelling(0), going(1), DARKNESS.mechanic) == Fraction(1, 2)
    assert extended_odds(storytelling(1), going(1, 2), DARKNESS.mechanic) == 1 - Fraction(7, 10) ** 2


def test_the_longest_is_quick_enough_to_show():
    assert 0 < extended_odds(storytelling(10), going(50, 50), DARKNESS.mechanic) <= 1


def test_what_was_paid_for_counts_for_the_next_roll_alone():
    """MQ-WILL-1. One die and a sure success, then one die: the first gives 2 (a half) or 1 (a half, no botch)."""
    sure = PoolPlan((), 1, 6, sure=1)
    half = Fraction(1, 2)
    assert extended_odds(sure, going(2, 1), MASQUERADE.mechanic, classic(1)) == half
    assert extended_odds(sure, going(2, 2), MASQUERADE.mechanic, classic(1)) == half + half * half
    assert extended_odds(sure, going(2), MASQUERADE.mechanic, classic(1)) == half + half * Fraction(5, 6)
    assert extended_odds(sure, going(1, 1), MASQUERADE.mechanic, classic(1)) == 1
