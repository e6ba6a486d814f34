"""Dodge, parry, block (MQ-DEF-1 to MQ-DEF-4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.choices import Defence, Modifier
from rules.model.gear import Armor, Damage, Fault
from rules.model.system import Game
from rules.strike.attack import plan_attack
from rules.topics.events import AttackResolved
from tests.rules.table import (
    CLAWS,
    CLUB,
    KNIFE,
    MASQUERADE,
    PISTOL,
    STONE,
    Table,
    mortal,
    only,
    parts,
    strike_at,
    vampire,
)


def pair(*weapons, kind=mortal, **defender):
    return Table(
        ann=mortal(dexterity=2, brawl=1, melee=1, stamina=2, weapons=(KNIFE, CLUB, CLAWS, PISTOL, STONE)),
        bob=kind(dexterity=3, dodge=2, melee=1, brawl=0, strength=3, weapons=weapons, **defender),
    )


def pool(table, weapon, defence):
    return (
        plan_attack(Game(table.state, MASQUERADE), strike_at("ann", "bob", weapon, defence=defence)).against[0].defence
    )


@pytest.mark.parametrize(
    ("kind", "dice", "rule"), [("dodge", 5, "MQ-DEF-1"), ("parry", 4, "MQ-DEF-2"), ("block", 3, "MQ-DEF-3")]
)
def test_each_defence_has_its_pool_at_difficulty_6(kind, dice, rule):
    """MQ-DEF-1 to MQ-DEF-3."""
    made = pool(pair(KNIFE), "", kind)
    assert (made.pool, made.difficulty) == (dice, 6)
    assert parts(made)["base"] == (rule, 6)


@pytest.mark.parametrize("weapon", ["", "knife", "claws", "pistol", "stone"])
def test_anything_may_be_dodged(weapon):
    """MQ-DEF-1."""
    assert pool(pair(), weapon, "dodge").pool == 5


def test_wounds_and_armour_hinder_a_defence():
    """MQ-HEALTH-1, MQ-ARM-1: 5 - 2 - 1."""
    table = pair(marks="////", armor=(Armor("vest", 3, penalty=-1),))
    assert pool(table, "", "dodge").pool == 2


@pytest.mark.parametrize("weapon", ["", "knife", "club", "claws"])
def test_close_attacks_may_be_parried_with_a_weapon_in_hand(weapon):
    """MQ-DEF-2."""
    assert pool(pair(CLUB), weapon, "parry").pool == 4
    pair().refuses("MQ-DEF-2", strike_at("ann", "bob", weapon, defence="parry"))


@pytest.mark.parametrize("weapon", ["pistol", "stone"])
def test_shots_and_throws_are_not_parried(weapon):
    """MQ-DEF-2."""
    pair(KNIFE).refuses("MQ-DEF-2", strike_at("ann", "bob", weapon, defence="parry"))


@pytest.mark.parametrize(
    "held", [PISTOL, STONE, CLAWS, replace(KNIFE, fault=Fault.BROKEN), replace(KNIFE, stowed=True)]
)
def test_only_a_sound_close_weapon_in_hand_parries(held):
    """MQ-DEF-2, MQ-ATK-7."""
    pair(held).refuses("MQ-DEF-2", strike_at("ann", "bob", defence="parry"))
    pair(held, CLUB).refuses("MQ-DEF-2", strike_at("ann", "bob", defence=Defence("parry", held.name)))
    assert pool(pair(held, CLUB), "", Defence("parry", "club")).pool == 4


def test_a_parry_names_a_weapon_that_is_there():
    pair(CLUB).refuses("input", strike_at("ann", "bob", defence=Defence("parry", "bazooka")))


def test_a_waived_parry_with_nothing_hurts_nobody():
    """MQ-DEF-2."""
    table = pair()
    told = table.does(strike_at("ann", "bob", defence="parry"), waive={"MQ-DEF-2"}, attack=[2] * 3, defence=[6] * 4)
    assert only(AttackResolved, told).results[0].counter is None


def test_bare_hands_parried_by_a_lethal_weapon_are_hurt():
    """MQ-DEF-2: Strength 3 + 1 of the knife + 3 - 1 successes ahead; a mortal does not soak lethal."""
    table = pair(KNIFE)
    told = table.does(
        strike_at("ann", "bob", defence="parry"), attack=[6, 2, 2], defence=[6, 6, 6, 2], damage=[6, 6, 2, 2, 2, 2]
    )
    (result,) = only(AttackResolved, told).results
    assert (result.taken_off, result.net, result.done) == (1, 0, None)
    assert (result.counter.to, result.counter.damage.plan.pool, result.counter.dealt) == ("ann", 6, 2)
    assert parts(result.counter.damage.plan)["overage"] == ("MQ-DEF-2", 2)
    assert table.health("ann") == "XX"
    assert table.health("bob") == ""


@pytest.mark.parametrize(
    ("held", "weapon", "attack", "defence"),
    [
        (CLUB, "", [6, 2, 2], [6, 6, 2, 2]),
        (KNIFE, "knife", [6, 2, 2], [6, 6, 2, 2]),
        (KNIFE, "", [6, 6, 2], [6, 6, 2, 2]),
        (KNIFE, "", [2, 2, 2], [2, 2, 2, 2]),
    ],
)
def test_a_parry_hurts_nobody_else(held, weapon, attack, defence):
    """MQ-DEF-2: not a blunt weapon's, not against a weapon, not by a tie."""
    table = pair(held)
    table.does(strike_at("ann", "bob", weapon, defence="parry"), attack=attack, defence=defence)
    assert table.health("ann") == table.health("bob") == ""


def test_claws_parried_hurt_whoever_struck_and_what_is_left_hurts_the_target():
    """MQ-DEF-2: claws are a Brawl attack; two of three successes remain."""
    table = pair(KNIFE)
    told = table.does(
        strike_at("ann", "bob", "claws", defence="parry"), attack=[6, 6, 6], defence=[6, 2, 2, 2], damage=[6, 2, 2]
    )
    (result,) = only(AttackResolved, told).results
    assert (result.net, result.done.type, result.counter) == (2, Damage.AGGRAVATED, None)


def test_unarmed_bashing_attacks_may_be_blocked_by_anybody():
    """MQ-DEF-3."""
    assert pool(pair(), "", "block").pool == 3


@pytest.mark.parametrize("weapon", ["knife", "club", "claws"])
def test_others_are_blocked_only_with_fortitude_or_armour(weapon):
    """MQ-DEF-3."""
    pair().refuses("MQ-DEF-3", strike_at("ann", "bob", weapon, defence="block"))
    assert pool(pair(armor=(Armor("vest", 1),)), weapon, "block").pool == 3
    assert pool(pair(kind=vampire, fortitude=1), weapon, "block").pool == 3


def test_shots_are_never_blocked():
    """MQ-DEF-3."""
    for target in (pair(), pair(armor=(Armor("vest", 1),)), pair(kind=vampire, fortitude=1)):
        target.refuses("MQ-DEF-3", strike_at("ann", "bob", "pistol", defence="block"))


def test_nobody_out_of_action_defends():
    """MQ-HEALTH-1."""
    pair(marks="///////").refuses("MQ-HEALTH-1", strike_at("ann", "bob", defence="dodge"))


def test_circumstances_of_the_defender_change_the_defence():
    """MQ-DEF-1."""
    mods = (Modifier("circumstance", {"dice": 1}), Modifier("difficulty", {"by": 2, "why": "ice"}))
    made = pool(pair(), "", Defence("dodge", modifiers=mods))
    assert (made.pool, made.difficulty) == (6, 8)


@pytest.mark.parametrize("key", ["full_auto", "burst", "point_blank", "scope"])
def test_what_guns_do_is_no_circumstance_of_a_defence(key):
    """MQ-ATK-8: a burst adds dice to its own shot only."""
    pair().refuses("input", strike_at("ann", "bob", defence=Defence("dodge", modifiers=(Modifier(key),))))


def test_the_storyteller_may_strike_parts_of_a_defence():
    made = pool(pair(marks="////"), "", Defence("dodge", strike=frozenset({"wounds"})))
    assert made.pool == 5


def test_several_close_attackers_make_a_defence_harder():
    """MQ-DEF-4: the one attacking now counts, a shooter does not."""
    table = Table(ann=mortal(weapons=(PISTOL,)), bob=mortal(dexterity=2), cy=mortal())
    table.attacks("cy", "bob", attack=[2])
    close = plan_attack(Game(table.state, MASQUERADE), strike_at("ann", "bob", defence="dodge"))
    shot = plan_attack(Game(table.state, MASQUERADE), strike_at("ann", "bob", "pistol", defence="dodge"))
    assert (close.against[0].defence.difficulty, shot.against[0].defence.difficulty) == (7, 6)
