"""The damage pool, soak, and the effect of the target's kind (MQ-DMG-*, MQ-SOAK-1, MQ-VAMP-1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.choices import Modifier
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.topics.attacks.prepare import FISTS
from tests.rules.table import (
    CLAWS,
    CLUB,
    KNIFE,
    MASQUERADE,
    PISTOL,
    RIFLE,
    SHRUGGING,
    TORCH,
    VEST,
    Table,
    mortal,
    parts,
    vampire,
)

DAMAGE = MASQUERADE.attack.damage


@pytest.mark.parametrize(("weapon", "dice"), [(FISTS, 3), (KNIFE, 4), (CLUB, 5), (PISTOL, 4), (TORCH, 1)])
def test_damage_is_the_rating_some_of_it_added_to_strength(weapon, dice):
    """MQ-DMG-2, MQ-ATK-1: Strength 3."""
    made = DAMAGE.pool(mortal(strength=3), weapon)
    assert (made.pool, made.difficulty) == (dice, 6)


def test_damage_never_falls_below_one_die():
    """MQ-DMG-2."""
    twig = Weapon("twig", Mode.MELEE, -4, "strength")
    made = DAMAGE.pool(mortal(strength=1), twig)
    assert made.pool == 1
    assert parts(made)["least"] == ("MQ-DMG-2", 4)
    assert DAMAGE.with_extra(made, 2, "Overage", "MQ-DMG-1").pool == 1
    assert DAMAGE.with_extra(made, 5, "Overage", "MQ-DMG-1").pool == 2
    assert DAMAGE.with_extra(made, 0, "Overage", "MQ-DMG-1") == made


def test_wounds_and_armour_do_not_touch_damage():
    """MQ-DMG-2, MQ-HEALTH-1."""
    assert DAMAGE.pool(mortal("//////", strength=3, armor=(VEST,)), KNIFE).pool == 4


@pytest.mark.parametrize(
    ("sheet", "bashing", "lethal", "aggravated"),
    [
        (mortal(stamina=3), 3, 0, 0),
        (mortal(kind="ghoul", stamina=3, fortitude=1), 4, 1, 1),
        (vampire(stamina=3), 3, 3, 0),
        (vampire(stamina=3, fortitude=2), 5, 5, 2),
        (mortal(kind="garou", stamina=3), 3, 3, 0),
        (mortal(kind="angel", stamina=3), 3, 0, 0),
        (mortal(stamina=3, armor=(VEST,)), 6, 3, 0),
        (vampire("//////", stamina=3), 3, 3, 0),
    ],
)
def test_who_soaks_what(sheet, bashing, lethal, aggravated):
    """MQ-SOAK-1, MQ-DMG-3, MQ-DMG-4, MQ-DMG-5: at difficulty 6, regardless of wounds."""
    for damage, dice in ((Damage.BASHING, bashing), (Damage.LETHAL, lethal), (Damage.AGGRAVATED, aggravated)):
        made = DAMAGE.soak(sheet, damage, TORCH)
        assert (made.pool, made.difficulty) == (dice, 6)


def test_armour_helps_against_teeth_and_claws_never_against_fire():
    """MQ-SOAK-1, MQ-DMG-5."""
    sheet = vampire(stamina=3, fortitude=2, armor=(VEST,))
    assert DAMAGE.soak(sheet, Damage.AGGRAVATED, CLAWS).pool == 5
    assert DAMAGE.soak(sheet, Damage.AGGRAVATED, replace(CLAWS, tags=frozenset({"teeth"}))).pool == 5
    assert DAMAGE.soak(sheet, Damage.AGGRAVATED, TORCH).pool == 2
    burning = replace(CLAWS, tags=frozenset({"claws", "fire"}))
    assert DAMAGE.soak(sheet, Damage.AGGRAVATED, burning).pool == 2


def test_the_best_armour_counts_plus_supernatural_protection():
    """MQ-SOAK-1."""
    sheet = mortal(armor=(Armor("coat", 1), VEST, Armor("ward", 2, supernatural=True), Armor("rag", 0)))
    assert DAMAGE.soak(sheet, Damage.LETHAL, KNIFE).pool == 5


def test_each_success_is_a_level_and_each_success_of_the_soak_takes_one_off():
    """MQ-DMG-2, MQ-SOAK-1: 1s cancel on both."""
    table = Table(ann=mortal(strength=4), bob=mortal(stamina=3))
    done = table.attacks("ann", "bob", attack=[6], damage=[6, 7, 8, 1], soak=[9, 1, 2]).done
    assert (done.levels, done.soaked, done.dealt) == (2, 0, 2)


def test_no_more_is_soaked_than_was_dealt():
    """MQ-SOAK-1."""
    table = Table(ann=mortal(), bob=mortal(stamina=3))
    done = table.attacks("ann", "bob", attack=[6], damage=[6], soak=[6, 7, 8]).done
    assert (done.levels, done.soaked, done.dealt) == (1, 1, 0)
    assert table.health("bob") == ""


def test_nothing_is_soaked_where_nothing_was_dealt_or_nothing_soaks():
    """MQ-SOAK-1, MQ-DMG-4."""
    table = Table(ann=mortal(melee=1, weapons=(KNIFE,)), bob=mortal(stamina=3))
    assert table.attacks("ann", "bob", attack=[6], damage=[2]).done.soak is None
    assert table.attacks("ann", "bob", "knife", attack=[6, 2], damage=[6, 6]).done.soak is None
    assert table.health("bob") == "XX"


def test_a_damage_or_a_soak_roll_does_not_botch():
    """MQ-DMG-2, MQ-SOAK-1."""
    table = Table(ann=mortal(strength=2), bob=mortal(stamina=2))
    assert not table.attacks("ann", "bob", attack=[6], damage=[1, 2]).done.damage.roll.botch
    assert not table.attacks("ann", "bob", attack=[6], damage=[6, 2], soak=[1, 2]).done.soak.roll.botch


# ------------------------------------------------------------------ the house rule


@pytest.mark.parametrize(("through", "dealt"), [(0, 0), (1, 0), (2, 1), (5, 2)])
def test_blunt_force_does_vampires_half_once_the_switch_is_on(through, dealt):
    """MQ-VAMP-1: rounded down."""
    shrugged, settle = SHRUGGING.attack.damage.settle, DAMAGE.settle
    assert shrugged(through, Damage.BASHING, vampire()) == dealt
    assert settle(through, Damage.BASHING, vampire()) == through
    assert shrugged(through, Damage.BASHING, mortal()) == through
    assert shrugged(through, Damage.LETHAL, vampire()) == through


@pytest.mark.parametrize(
    ("weapon", "mods", "damage"),
    [
        (PISTOL, (), Damage.BASHING),
        (PISTOL, ("target_head",), Damage.LETHAL),
        (PISTOL, ("aimed_at_head",), Damage.LETHAL),
        (PISTOL, ("scope",), Damage.BASHING),
        (replace(RIFLE, form="ballistic"), (), Damage.BASHING),
        (replace(PISTOL, type=Damage.AGGRAVATED), (), Damage.AGGRAVATED),
        (replace(PISTOL, form="piercing"), (), Damage.LETHAL),
        (KNIFE, (), Damage.LETHAL),
    ],
)
def test_guns_do_vampires_bashing_unless_aimed_at_the_head(weapon, mods, damage):
    """MQ-VAMP-1."""
    picked = tuple(Modifier(key) for key in mods)
    shrugging = SHRUGGING.attack.damage
    assert shrugging.type(weapon, vampire(), picked) is damage
    assert DAMAGE.type(weapon, vampire(), picked) is weapon.type
    assert shrugging.type(weapon, mortal(), picked) is weapon.type


def test_a_shot_vampire_soaks_bashing_and_marks_half():
    """MQ-VAMP-1: four levels, one soaked, three through, one marked."""
    table = Table(SHRUGGING, ann=mortal(firearms=1, weapons=(PISTOL,)), bob=vampire(stamina=2))
    done = table.attacks("ann", "bob", "pistol", attack=[6, 2], damage=[6, 6, 6, 6], soak=[6, 2]).done
    assert (done.levels, done.soaked, done.dealt, done.type) == (4, 1, 1, Damage.BASHING)
    assert table.health("bob") == "/"
    assert [(step.rule, step.left) for step in done.told] == [
        ("MQ-VAMP-1", {Damage.BASHING: 3}),
        ("MQ-VAMP-1", {Damage.BASHING: 1}),
    ]


def test_a_halved_level_is_none_and_the_living_have_no_such_step():
    """MQ-VAMP-1: half of one, rounded down, is zero; a mortal's damage needs no explanation."""
    table = Table(SHRUGGING, ann=mortal(), bob=vampire(stamina=0), cat=mortal(stamina=0))
    halved = table.attacks("ann", "bob", attack=[6], damage=[6], soak=[]).done
    assert halved.told[-1].left == {}
    assert table.attacks("ann", "cat", attack=[6], damage=[6], soak=[]).done.told == ()


def test_whoever_strikes_rolls_damage_and_whoever_is_struck_soaks():
    """MQ-DMG-2, MQ-SOAK-1."""
    table = Table(ann=mortal(strength=2, stamina=2), bob=mortal(stamina=2, dexterity=2, weapons=(KNIFE,)))
    done = table.attacks("ann", "bob", attack=[6], damage={"ann": [6, 6]}, soak={"bob": [2, 2]}).done
    assert (done.damage.by, done.soak.by, done.to) == ("ann", "bob", "bob")
