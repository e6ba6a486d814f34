"""Reading faces against a difficulty (MQ-DICE-3, MQ-DICE-5)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.model.plan import PoolPlan
from rules.odds.target_number import TargetNumber

MECHANIC = TargetNumber()


@pytest.mark.parametrize(
    ("faces", "difficulty", "successes"),
    [
        ((6,), 6, 1),
        ((5,), 6, 0),
        ((2,), 2, 1),
        ((9, 10), 10, 1),
        ((6, 7, 8, 9, 10), 6, 5),
        ((), 6, 0),
    ],
)
def test_each_die_at_or_above_the_difficulty_is_a_success(faces, difficulty, successes):
    """MQ-DICE-3."""
    assert MECHANIC.read(faces, difficulty).successes == successes


@pytest.mark.parametrize(
    ("faces", "successes"),
    [((1, 9, 9), 1), ((1, 1, 9, 9), 0), ((1, 1, 1, 10), 0), ((1, 6), 0), ((1, 10, 10, 10), 2)],
)
def test_each_1_cancels_one_success_and_never_below_zero(faces, successes):
    """MQ-DICE-3, starting with the soak roll of the ruling's example."""
    assert MECHANIC.read(faces, 6).successes == successes


@pytest.mark.parametrize(
    ("faces", "botch"),
    [
        ((1,), True),
        ((1, 2, 5), True),
        ((1, 1, 1), True),
        ((2, 3), False),
        ((1, 6), False),
        ((1, 1, 6), False),
        ((), False),
    ],
)
def test_a_botch_is_a_1_without_any_die_that_came_up_a_success(faces, botch):
    """MQ-DICE-3: cancelled successes prevent a botch."""
    assert MECHANIC.read(faces, 6).botch is botch


def test_a_damage_or_soak_roll_cannot_botch():
    """MQ-DMG-2, MQ-SOAK-1."""
    assert not MECHANIC.read((1, 1), 6, may_botch=False).botch


def test_difficulty_is_6_when_nothing_is_said_and_lies_between_2_and_10():
    """MQ-DICE-5."""
    assert (MECHANIC.default, MECHANIC.lowest, MECHANIC.highest) == (6, 2, 10)


def test_what_a_pool_owes_and_how_likely_a_result_was_by_hand():
    """One die at difficulty 6: five faces of ten succeed, a 1 is a botch. Two: 0.5 each, less what 1s cancel."""
    one = MECHANIC.outcomes(1, 6)
    assert (one.expected, one.at_least(1), one.at_most(0), one.at_most(1)) == (
        Fraction(1, 2),
        Fraction(1, 2),
        Fraction(1, 2),
        1,
    )
    # Two dice: both hit 25 of 100; one hit, no 1: 2 x 5 x 4 = 40; a hit and a 1 cancel out.
    two = MECHANIC.outcomes(2, 6)
    assert two.expected == Fraction(2 * 25 + 40, 100)
    assert two.at_least(0) == 1


def test_what_is_sure_is_added_to_the_dice_and_leaves_no_room_for_a_botch():
    """MQ-WILL-1: no 1 cancels it."""
    plan = PoolPlan((), 2, 6, sure=1)
    roll = TargetNumber().roll(plan, lambda count: (1,) * count)
    assert (roll.successes, roll.botch) == (1, False)
    found, plain = TargetNumber().outcomes_of(plan), TargetNumber().outcomes(2, 6)
    assert (found.successes, found.botches, found.total) == ((0, *plain.successes), 0, 100)
