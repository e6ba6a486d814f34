"""The system's dice: ten sides, fair, and without a seed."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from combat.commands.dice import SystemDice, TypedDice
from rules.engine.dice import Purpose, Throw
from rules.engine.violations import RuleViolation

THROW = Throw(Purpose.ATTACK, "somebody", 5)


def test_each_face_is_as_likely() -> None:
    """Chi-squared with nine degrees of freedom: above 46 once in two million runs."""
    rolls = 20_000
    seen = Counter(SystemDice().roll(Throw(Purpose.ROLL, "somebody", rolls)))
    assert set(seen) == set(range(1, 11))
    assert sum((count - rolls / 10) ** 2 / (rolls / 10) for count in seen.values()) < 46


def test_no_seed_settles_it() -> None:
    random.seed(1)
    first = SystemDice().roll(Throw(Purpose.ROLL, "somebody", 40))
    random.seed(1)
    assert SystemDice().roll(Throw(Purpose.ROLL, "somebody", 40)) != first


def test_chance_picks_among_all() -> None:
    assert {SystemDice().pick(3) for _ in range(200)} == {0, 1, 2}


def test_typed_dice_are_taken_as_they_fell() -> None:
    assert TypedDice({(Purpose.ATTACK, "somebody"): (1, 2, 10, 7, 7)}).roll(THROW) == (1, 2, 10, 7, 7)


@pytest.mark.parametrize("faces", [(), (1,), (1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4), (1, 2, 3, 4, 11)])
def test_other_dice_than_were_asked_for_are_refused(faces: tuple[int, ...]) -> None:
    with pytest.raises(RuleViolation):
        TypedDice({(Purpose.ATTACK, "somebody"): faces}).roll(THROW)


def test_whoever_types_nothing_is_rolled_for() -> None:
    assert len(TypedDice({}).roll(THROW)) == 5
    assert TypedDice({}).pick(1) == 0
