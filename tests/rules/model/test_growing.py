"""Full sheets that grow from a few fixed pools."""

from __future__ import annotations

import pytest

from rules.model.growing import grown
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.second_edition.system import CHRONICLES

PLAIN = dict.fromkeys(("strength", "dexterity", "stamina", "perception", "wits", "composure"), 2)


@pytest.mark.parametrize(
    ("pools", "traits"),
    [
        ({"attack": 6}, {"dexterity": 2, "brawl": 4, "melee": 4, "firearms": 4, "athletics": 4}),
        ({"attack": 6, "brawl": 3}, {"brawl": 1, "melee": 4}),
        ({"attack": 9}, {"dexterity": 4, "brawl": 5}),
        ({"attack": 40}, {"dexterity": 5, "brawl": 5}),
        ({"attack": 1}, {"dexterity": 2, "brawl": 0}),
        ({"attack": 6, "dodge": 5}, {"dodge": 3}),
        ({"defence": 5}, {"dodge": 3, "melee": 3, "brawl": 3}),
        ({"attack": 6, "defence": 3}, {"dodge": 1, "melee": 4, "brawl": 4}),
        ({"soak": 4}, {"stamina": 4}),
        ({"soak": 9}, {"stamina": 5}),
        ({"perception": 6}, {"perception": 2, "alertness": 4}),
        ({"stealth": 5}, {"stealth": 3}),
        ({"initiative": 9, "health": 12}, PLAIN),
    ],
)
def test_traits_come_near_to_the_pools(pools, traits):
    found = grown(MASQUERADE, "mortal", PLAIN, pools)
    assert {key: found[key] for key in traits} == traits


def test_defense_follows_from_attributes_that_stay():
    assert grown(CHRONICLES, "mortal", PLAIN, {"defence": 5}) == PLAIN


def test_perception_is_two_attributes_in_the_storytelling_family():
    found = grown(CHRONICLES, "mortal", PLAIN, {"perception": 6})
    assert (found["wits"], found["composure"]) == (2, 4)


def test_what_the_kind_has_no_trait_for_is_left_out():
    assert grown(MASQUERADE, "mortal", PLAIN, {"nonsense": 4}) == PLAIN
