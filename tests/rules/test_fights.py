"""Random fights detect numbers and Merits that the rules read without a declaration."""

from __future__ import annotations

from random import Random

import pytest

from rules.systems import RULESETS
from tests.rules.fights import Fights, Figures, Merits


def test_reading_an_undeclared_number_fails():
    figures = Figures({"rounds": 3})
    assert (figures["rounds"], figures.get("distance", 5), "fingers" in figures) == (3, 5, False)
    with pytest.raises(AssertionError, match="fingers"):
        figures.get("fingers")
    with pytest.raises(AssertionError, match="fingers"):
        figures["fingers"]


def test_a_merit_that_no_system_declares_is_found_where_it_is_asked_for():
    merits = Merits({"quick_draw"})
    assert "quick_draw" in merits
    assert "fresh_start" not in merits
    with pytest.raises(AssertionError, match="iron_will"):
        assert "iron_will" in merits


@pytest.mark.parametrize("key", RULESETS)
def test_whoever_fights_is_watched(key: str):
    fights = Fights(RULESETS[key])
    assert isinstance(fights.somebody(Random(7)).merits, Merits)
