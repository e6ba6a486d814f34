"""Tallies: margins of error, merging, JSON."""

from __future__ import annotations

import json
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.forecast.fight import Fate, Outcome
from rules.forecast.tally import MOST_EXAMPLES, Chance, Numbers, Tally, tally_of
from rules.model.state import Side

BOTH = frozenset({Side.ALLIES, Side.ENEMIES})


def fate(side: Side = Side.ALLIES, lost: int = 0, spent: int = 0, rounds: int = 0, **happened: bool) -> Fate:
    did = {"fallen": False, "dead": False, "left": False} | happened
    return Fate(
        side, lost={"lethal": lost} if lost else {}, spent={"blood": spent} if spent else {}, rounds=rounds, **did
    )


def of(number: int, turns: int = 3, left: frozenset[Side] = BOTH, **fates: Fate) -> Tally:
    return tally_of(Outcome(number, turns, left, fates))


def test_a_chance_has_wilsons_interval_of_99_percent() -> None:
    # By the textbook's formula: (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n).
    z, n, p = 2.5758293035489004, 200, 0.3
    centre, spread = (p + z * z / (2 * n)) / (1 + z * z / n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    found = Chance(60, 200)
    assert found.share == p
    assert found.low == pytest.approx(centre - spread / (1 + z * z / n))
    assert found.high == pytest.approx(centre + spread / (1 + z * z / n))


def test_a_chance_never_leaves_0_to_1() -> None:
    assert (Chance(0, 50).low, Chance(50, 50).high) == (0, 1)
    assert 0 < Chance(0, 50).high < 0.2
    assert 0.8 < Chance(50, 50).low < 1
    assert (Chance(0, 0).share, Chance(0, 0).low, Chance(0, 0).high) == (0, 0, 1)


def test_a_mean_has_its_standard_error_and_an_allowance_for_the_unseen() -> None:
    found = Numbers({2: 50, 4: 50})
    assert found.mean == 3
    assert found.margin == pytest.approx(2.5758293 * 1 / 10 + 2.5758293**2 / 200)
    assert Numbers({3: 100}).margin > 0
    assert (Numbers({}).mean, Numbers({}).margin) == (0, 0)


def test_a_tally_counts_what_happened_to_whom() -> None:
    tally = of(
        4, 3, frozenset({Side.ALLIES}), marek=fate(lost=2, spent=1), thug=fate(Side.ENEMIES, dead=True, fallen=True)
    )
    tally = tally.plus(
        of(5, 5, frozenset({Side.ENEMIES}), marek=fate(lost=7, fallen=True), thug=fate(Side.ENEMIES, rounds=6))
    )
    tally = tally.plus(of(6, 9, BOTH, marek=fate(), thug=fate(Side.ENEMIES, left=True)))
    tally = tally.plus(of(7, 1, frozenset(), marek=fate(fallen=True), thug=fate(Side.ENEMIES, fallen=True)))
    assert tally.sides == {"marek": Side.ALLIES, "thug": Side.ENEMIES}
    assert (tally.fights, tally.standing(Side.ALLIES).hits, tally.standing(Side.ENEMIES).hits) == (4, 1, 1)
    assert tally.undecided == Chance(1, 4)
    assert (tally.fallen("marek").hits, tally.dead("thug").hits, tally.left("thug").hits) == (2, 1, 1)
    assert tally.turns.histogram == {1: 1, 3: 1, 5: 1, 9: 1}
    assert tally.lost("marek").histogram == {0: 2, 2: 1, 7: 1}
    assert tally.lost("marek", "lethal").mean == 9 / 4
    assert tally.spent("marek", "blood").mean == 1 / 4
    assert tally.rounds("thug").histogram == {0: 3, 6: 1}
    assert tally.rounds("thug").fights == 4
    assert (tally.damages("marek"), tally.damages("thug")) == (("lethal",), ())
    assert (tally.resources("marek"), tally.resources("thug")) == (("blood",), ())
    assert tally.examples("dead", "thug") == (4,)
    assert tally.examples("standing", "enemies") == (5,)
    assert tally.examples("undecided") == (6,)
    assert tally.examples("dead", "marek") == ()


def test_a_tally_keeps_the_first_few_examples() -> None:
    tally = Tally()
    for number in (9, *range(8)):
        tally = tally.plus(of(number))
    assert tally.examples("undecided") == tuple(range(MOST_EXAMPLES))


numbers = st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3), st.booleans()), min_size=1, max_size=6)


@given(numbers, st.integers(0, 5))
def test_tallies_merge_in_any_order_and_survive_json(fights: list[tuple[int, int, bool]], cut: int) -> None:
    each = [of(number, turns, marek=fate(lost=lost, dead=dead)) for number, (turns, lost, dead) in enumerate(fights)]
    first, second, whole = Tally(), Tally(), Tally()
    for number, one in enumerate(each):
        whole = whole.plus(one)
        first, second = (first.plus(one), second) if number < cut else (first, second.plus(one))
    assert first.plus(second) == whole == second.plus(first)
    assert Tally.from_json(json.loads(json.dumps(whole.to_json()))) == whole
