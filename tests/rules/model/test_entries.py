"""The parts of a sheet beyond Traits that each kind of creature has."""

from __future__ import annotations

import pytest

from rules.systems import RULESETS


@pytest.mark.parametrize(
    ("ruleset", "kind", "has"),
    [
        ("masquerade", "mortal", "nature demeanour"),
        ("masquerade", "vampire", "nature demeanour clan sire sect coterie path"),
        ("apocalypse", "garou", "nature demeanour breed auspice tribe pack totem sept"),
        ("wounds", "ghoul", "nature demeanour domitor"),
        ("darkness", "mortal", "virtue vice faction"),
        ("darkness", "garou", "virtue vice faction auspice tribe lodge pack totem"),
        ("chronicles", "mortal", "virtue vice faction aspirations"),
        (
            "chronicles",
            "vampire",
            "virtue vice mask dirge faction clan bloodline covenant sire coterie aspirations touchstones",
        ),
    ],
)
def test_each_kind_has_its_own_details(ruleset: str, kind: str, has: str) -> None:
    assert [detail.key for detail in RULESETS[ruleset].layout.details_for(kind)] == has.split()


@pytest.mark.parametrize(
    ("ruleset", "kind", "has"),
    [
        ("masquerade", "mortal", "backgrounds merits flaws"),
        ("wounds", "vampire", "disciplines blood_paths rituals backgrounds merits flaws"),
        ("apocalypse", "garou", "gifts rites fetishes backgrounds merits flaws"),
        ("darkness", "vampire", "disciplines devotions rituals merits flaws"),
        ("chronicles", "garou", "gifts rites merits flaws"),
    ],
)
def test_each_kind_has_its_own_lists(ruleset: str, kind: str, has: str) -> None:
    assert [listing.key for listing in RULESETS[ruleset].layout.lists_for(kind)] == has.split()


def test_few_dots_are_drawn_and_many_are_a_number() -> None:
    lists = {listing.key: listing for listing in RULESETS["apocalypse"].layout.lists}
    assert [lists[key].dotted for key in ("backgrounds", "flaws", "gifts")] == [True, False, False]
