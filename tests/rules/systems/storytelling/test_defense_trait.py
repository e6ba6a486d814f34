"""What a target subtracts from a pool: Defense, reduced or struck out, and armour."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.gear import Armor, Fault, Mode, Weapon
from rules.systems.storytelling.defense_trait import defense_of, speed
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.topics.commands import ChangeConditions, EndTurn
from tests.rules.systems.storytelling.attacks import VEST, fight, plan, pool
from tests.rules.systems.storytelling.table import GUN, TOWER, sheet


def test_defense_is_worn_down_by_what_it_is_applied_to():
    """WD-DEF-1."""
    at = fight(bob=sheet(dexterity=3, wits=4))
    for left in (3, 2, 1, 0, 0):
        found = pool(at)
        assert sum(dice for key, (_, dice) in found.items() if key.startswith("defense")) == -left
        at.attacks("ann", "bob", attack=[1] * (5 - left))
    at.does(EndTurn())
    assert pool(at)["defense"] == ("WD-DEF-1", -3)


@pytest.mark.parametrize(("distance", "applies"), [(None, False), (2, True), (3, False)])
def test_defense_meets_shots_within_a_yard_or_two(distance, applies):
    """WD-ATK-4."""
    at = fight()
    assert ("defense" in pool(at, "gun", distance=distance)) is applies
    at.attacks("ann", "bob", "gun", distance=distance, attack=[1] * (5 if applies else 7))
    assert at.turn("bob").defences == int(applies)
    assert "defense" in pool(at, "gun", "close_quarters")


def test_what_is_held_and_worn_changes_defense():
    """WD-GEAR-1."""
    spear = Weapon("spear", Mode.MELEE, 3, defense=1)
    at = fight(bob=sheet(dexterity=3, wits=3, weapons=(spear,), armor=(Armor("riot gear", 0, defense=-2, speed=-1),)))
    found = pool(at)
    assert found["defense"] == ("WD-DEF-1", -3)
    assert found["defense:held"] == ("WD-GEAR-1", -1)
    assert found["defense:worn"] == ("WD-GEAR-1", 2)
    broken = sheet(dexterity=1, wits=1, weapons=(replace(spear, fault=Fault.BROKEN),))
    assert defense_of(DARKNESS.attack).full(broken) == 1
    assert defense_of(DARKNESS.attack).full(replace(broken, armor=(Armor("plate", defense=-4),))) == 0
    assert speed(at.sheet("bob"), DARKNESS.layout) == 2 + 3 + 5 - 1
    assert speed(sheet(speed=12), DARKNESS.layout) == 12
    assert speed(sheet(speed=1, armor=(Armor("safe", 5, speed=-4),)), DARKNESS.layout) == 0


def test_armor_asks_for_as_much_strength_as_it_says():
    """WD-GEAR-1: exactly enough, and one too little."""
    for strength, dice in ((3, None), (2, ("WD-GEAR-1", -1))):
        suit = Armor("plate", 3, strength=3)
        at = fight(ann=sheet(strength=strength, brawl=2, armor=(suit,)))
        assert pool(at).get("armor") == dice


def test_what_the_target_wears_is_told_apart_from_all_else():
    """WD-ARM-1: players are not told of parts with this key."""
    at = fight(bob=sheet(defense=0, armor=(Armor("vest", 1, ballistic=3),)))
    assert pool(at)["target_armor"] == ("WD-ARM-1", -1)
    assert pool(at, "gun")["target_armor"] == ("WD-ARM-1", -3)


def test_of_two_things_in_hand_the_one_that_guards_better_counts():
    """WD-GEAR-1."""
    held = (Weapon("axe", Mode.MELEE, 3, defense=2), Weapon("zweihander", Mode.MELEE, 4, defense=1))
    found = pool(fight(bob=sheet(dexterity=3, wits=3, weapons=held)))
    assert found["defense:held"] == ("WD-GEAR-1", -2)


def test_a_struck_defense_is_not_worn():
    at = fight()
    at.attacks("ann", "bob", strike=["defense"], attack=[1] * 5)
    assert at.turn("bob").defences == 0


def test_no_defense_of_none_takes_nothing():
    assert "defense" not in pool(fight(bob=sheet(**TOWER)))


@pytest.mark.parametrize(
    ("conditions", "rule"), [({"surprised"}, "WD-SURP-1"), ({"unconscious"}, "WD-DEF-1"), ({"held"}, "")]
)
def test_who_cannot_act_has_no_defense(conditions, rule):
    at = fight()
    at.does(ChangeConditions("bob", add=frozenset(conditions)))
    found = next(part for part in plan(at).against[0].attack.parts if part.key == "defense")
    assert found.struck is bool(rule)
    assert not rule or found.rule == rule
    at.does(EndTurn())
    empty = fight(bob=sheet(defense=0))
    empty.does(ChangeConditions("bob", add=frozenset(conditions)))
    assert "defense" not in pool(empty)


@pytest.mark.parametrize(
    ("armor", "weapon", "takes"),
    [
        ((VEST,), "gun", -3),
        ((VEST,), "knife", -1),
        ((Armor("leather", 2),), "gun", -2),
        ((Armor("coat", 1, ballistic=0),), "gun", 0),
        ((VEST, Armor("leather", 2)), "knife", -2),
        ((VEST, Armor("ward", 2, supernatural=True)), "gun", -5),
        ((), "gun", 0),
    ],
)
def test_armour_takes_dice(armor, weapon, takes):
    """WD-ARM-1."""
    found = plan(fight(bob=sheet(armor=armor)), weapon).against[0].attack.parts
    assert sum(part.dice for part in found if part.rule == "WD-ARM-1") == takes


@pytest.mark.parametrize(("piercing", "back"), [(0, 0), (2, 2), (9, 3)])
def test_armour_piercing_lowers_what_it_meets(piercing, back):
    """WD-GEAR-1."""
    ann = sheet(weapons=(replace(GUN, armor_piercing=piercing),))
    found = pool(fight(ann=ann, bob=sheet(armor=(VEST,))), "gun")
    assert found.get("armor_piercing", ("", 0))[1] == back
