"""The storytelling dice, verified by hand, against icepool, and against themselves."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import icepool
import pytest

from rules.model.plan import PoolPlan
from rules.odds.success_count import MOST, SuccessCount

MECHANIC = SuccessCount()
DEEP = 40
"""icepool's rerolls: the remainder is smaller than any fraction compared."""


FAILS = tuple(range(1, 8))
"""The faces that a rote action rolls once more."""


def pool(dice: int, again: int = 10, *, chance: bool = False, once: tuple[int, ...] = ()) -> PoolPlan:
    return PoolPlan((), dice, 0, again, chance, once=once)


class Faces:
    """Faces in order, handed out as needed."""

    def __init__(self, *faces: int) -> None:
        self.left = list(faces)
        self.asked: list[int] = []

    def __call__(self, count: int) -> tuple[int, ...]:
        self.asked.append(count)
        found, self.left = tuple(self.left[:count]), self.left[count:]
        assert len(found) == count
        return found


@pytest.mark.parametrize(
    ("faces", "plan", "successes", "asked"),
    [
        ((1, 4, 8, 8, 9), pool(5), 3, [5]),
        ((10, 10, 7, 10, 3, 8), pool(3), 4, [3, 2, 1]),
        ((9, 10, 3), pool(1, 9), 2, [1, 1, 1]),
        ((8, 8, 8, 7), pool(1, 8), 3, [1, 1, 1, 1]),
        ((10, 10), pool(2, 11), 2, [2]),
        ((10, 10), pool(2, 0), 2, [2]),
    ],
)
def test_eights_succeed_and_what_is_rolled_again_counts(faces, plan, successes, asked):
    """WD-DICE-1."""
    thrown = Faces(*faces)
    roll = MECHANIC.roll(plan, thrown)
    assert (roll.faces, roll.successes, roll.difficulty, roll.botch) == (faces, successes, 8, False)
    assert roll.again == (plan.again or 11)
    assert thrown.asked == asked
    assert not thrown.left


@pytest.mark.parametrize(
    ("faces", "successes", "dramatic"),
    [((9,), 0, False), ((8,), 0, False), ((1,), 0, True), ((10, 9), 1, False), ((10, 10, 1), 2, False)],
)
def test_a_chance_die_wants_a_ten(faces, successes, dramatic):
    """WD-DICE-2."""
    roll = MECHANIC.roll(pool(0, 8, chance=True), Faces(*faces))
    assert (roll.faces, roll.successes, roll.dramatic, roll.chance) == (faces, successes, dramatic, True)


@pytest.mark.parametrize(
    ("faces", "plan", "successes", "dramatic", "asked"),
    [
        ((1, 8, 10, 9, 7), pool(3, once=FAILS), 3, False, [3, 1, 1]),
        ((2, 7, 10, 3, 1), pool(2, once=FAILS), 1, False, [2, 2, 1]),
        ((8, 9, 7), pool(1, 8, once=FAILS), 2, False, [1, 1, 1]),
        ((5, 10, 2), pool(0, chance=True, once=tuple(range(2, 10))), 1, False, [1, 1, 1]),
        ((5, 1), pool(0, chance=True, once=tuple(range(2, 10))), 0, True, [1, 1]),
        ((1,), pool(0, chance=True, once=tuple(range(2, 10))), 0, True, [1]),
    ],
)
def test_a_rote_action_rolls_its_failures_once_more(faces, plan, successes, dramatic, asked):
    """WD-DICE-7, CD-DICE-5: rerolls of rerolls stay as they fall."""
    thrown = Faces(*faces)
    roll = MECHANIC.roll(plan, thrown)
    assert (roll.faces, roll.successes, roll.dramatic) == (faces, successes, dramatic)
    assert thrown.asked == asked


def test_a_one_is_dramatic_on_a_chance_die_alone():
    assert not MECHANIC.roll(pool(1), Faces(1)).dramatic


@pytest.mark.parametrize(("hits", "exceptional"), [(4, False), (5, True), (6, True)])
def test_five_successes_are_exceptional(hits, exceptional):
    """WD-DICE-3."""
    assert MECHANIC.roll(pool(6), Faces(*[8] * hits, *[1] * (6 - hits))).exceptional is exceptional


def test_the_target_number_never_changes():
    assert (MECHANIC.default, MECHANIC.lowest, MECHANIC.highest) == (8, 8, 8)
    assert MECHANIC.read((10, 8, 1), 8).successes == 2


# ------------------------------------------------------------------ how likely


def successes_of(again: int):
    """One die's successes, by icepool: its faces are summed up as successes."""
    counted = icepool.d10.map(lambda face: int(face >= 8))
    if again > 10:
        return counted

    def once_more(deeper):
        return icepool.d10.map(lambda face: deeper + 1 if face >= again else int(face >= 8))

    found = counted
    for _ in range(DEEP):
        found = once_more(found)
    return found


@pytest.mark.parametrize("again", [8, 9, 10, 11])
@pytest.mark.parametrize("dice", [1, 2, 3, 5, 8])
def test_chances_are_as_icepool_counts_them(dice, again):
    """Exact for all successes that need no more rerolls than icepool computes."""
    ours, theirs = MECHANIC.outcomes_of(pool(dice, again)), dice @ successes_of(again)
    for count in range(12):
        chance = Fraction(ours.successes[count], ours.total)
        assert chance == theirs.probability(count)
    assert sum(ours.successes) == ours.total


@pytest.mark.parametrize("again", [8, 9, 10])
@pytest.mark.parametrize("dice", [1, 3])
def test_chances_of_a_rote_action_are_as_icepool_counts_them(dice, again):
    """WD-DICE-7, CD-DICE-5."""
    once = successes_of(again)
    one = icepool.d10.map(
        lambda face: once + 1 if face >= again else icepool.Die([int(face >= 8)]) if face >= 8 else once
    )
    ours, theirs = MECHANIC.outcomes_of(pool(dice, again, once=FAILS)), dice @ one
    for count in range(12):
        assert Fraction(ours.successes[count], ours.total) == theirs.probability(count)
    assert sum(ours.successes) == ours.total
    assert float(ours.mean) == pytest.approx(float(theirs.mean()))


def test_a_rote_chance_die_by_hand():
    """CD-DICE-5: a first 1 is dramatic; eight faces get a second roll, of which one is dramatic and one succeeds."""
    found = MECHANIC.outcomes_of(pool(0, chance=True, once=tuple(range(2, 10))))
    assert Fraction(found.successes[0], found.total) == Fraction(10 + 8 * 9, 100)
    assert Fraction(found.dramatic, found.total) == Fraction(18, 100)


@pytest.mark.parametrize("again", [8, 9, 10, 11])
@pytest.mark.parametrize("dice", [1, 4, 12, 30])
def test_nothing_is_lost_beyond_the_last_count(dice, again):
    found = MECHANIC.outcomes_of(pool(dice, again))
    assert len(found.successes) == MOST + 1
    assert sum(found.successes) == found.total
    assert all(count >= 0 for count in found.successes)
    assert found.mean == dice * Fraction(3, 10 - max(0, 11 - again))
    told_apart = sum(count * ways for count, ways in enumerate(found.successes))
    assert Fraction(told_apart, found.total) <= found.mean


def test_one_die_by_hand():
    """Seven faces fail; two simply succeed; a ten succeeds and is rerolled."""
    found = MECHANIC.outcomes_of(pool(1))
    chances = [Fraction(ways, found.total) for ways in found.successes[:4]]
    assert chances == [Fraction(7, 10), Fraction(27, 100), Fraction(27, 1000), Fraction(27, 10000)]
    assert found.dramatic == found.botches == 0


def test_a_chance_die_by_hand():
    found = MECHANIC.outcomes_of(pool(0, 10, chance=True))
    chances = [Fraction(ways, found.total) for ways in found.successes[:3]]
    assert chances == [Fraction(9, 10), Fraction(9, 100), Fraction(9, 1000)]
    assert Fraction(found.dramatic, found.total) == Fraction(1, 10)
    assert found.mean == Fraction(1, 9)


def test_exceptional_is_five_or_more():
    found = MECHANIC.outcomes_of(pool(5, 11))
    assert Fraction(found.exceptional, found.total) == Fraction(3, 10) ** 5


def test_a_hundred_dice_are_counted_too():
    found = MECHANIC.outcomes_of(pool(100))
    assert sum(found.successes) == found.total
    assert found.mean == Fraction(100, 3)


@pytest.mark.parametrize(("least", "ways"), [(1, 51), (2, 9)])
def test_a_chronicles_own_figure_is_in_the_chances_as_in_the_roll(least, ways):
    """WD-DICE-3, CD-DICE-1: of a hundred throws of two dice, nothing rolled again."""
    mechanic = MECHANIC.played({"exceptional_from": least})
    counted = mechanic.outcomes_of(pool(2, 11))
    assert Fraction(counted.exceptional, counted.total) == Fraction(ways, 100)
    assert mechanic.read((8,) * least, 8).exceptional
    assert not mechanic.read((8,) * (least - 1), 8).exceptional


@pytest.mark.parametrize("successes", [0, 3])
def test_what_is_the_result_itself_is_not_rolled(successes):
    """CD-COND-1, CD-DEF-3: it is certain."""
    outright = PoolPlan((), successes, 0, outright=True)
    throw = Faces()
    rolled, found = MECHANIC.roll(outright, throw), MECHANIC.outcomes_of(outright)
    assert (rolled.faces, rolled.successes, rolled.dramatic, throw.asked) == ((), successes, False, [])
    assert (found.at_least(successes), found.at_least(successes + 1)) == (1, 0)


# ------------------------------------------------------------------ successes that are sure


@pytest.mark.parametrize(
    ("faces", "plan", "sure", "successes", "exceptional", "dramatic"),
    [
        ((8, 2, 3), pool(3), 2, 3, False, False),
        ((8, 9, 8), pool(3), 2, 5, True, False),
        ((8, 9, 2), pool(3), -1, 1, False, False),
        ((2, 3, 4), pool(3), -1, 0, False, False),
        ((1,), pool(0, chance=True), 1, 1, False, False),
        ((1,), pool(0, chance=True), -1, 0, False, True),
    ],
)
def test_sure_successes_add_to_those_of_the_dice(faces, plan, sure, successes, exceptional, dramatic):
    """WD-POW-1: what powers add or take off counts with the dice, never below none."""
    roll = MECHANIC.roll(replace(plan, sure=sure), Faces(*faces))
    assert (roll.successes, roll.exceptional, roll.dramatic) == (successes, exceptional, dramatic)


@pytest.mark.parametrize("sure", [-2, -1, 1, 3])
@pytest.mark.parametrize("plan", [pool(1), pool(4), pool(3, 8), pool(0, chance=True)])
def test_the_odds_shift_by_what_is_sure(plan, sure):
    """WD-POW-1: exactly, for every count, and for the average."""
    thrown, found = MECHANIC.outcomes_of(plan), MECHANIC.outcomes_of(replace(plan, sure=sure))
    assert sum(found.successes) == found.total == thrown.total
    for count in range(10):
        assert found.at_least(count) == (thrown.at_least(count - sure) if count else 1)
    assert Fraction(found.exceptional, found.total) == thrown.at_least(MECHANIC.exceptional - sure)
    assert found.dramatic == (thrown.dramatic if sure < 0 else 0)
    lost = sum(min(count, -sure) * ways for count, ways in enumerate(thrown.successes)) if sure < 0 else 0
    assert found.expected == thrown.expected + max(sure, 0) - Fraction(lost, thrown.total)
