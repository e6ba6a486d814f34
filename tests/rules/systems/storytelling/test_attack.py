"""Attacks: the parts of a pool, and successes as damage."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.engine.violations import Referee
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Armor, Damage, Fault
from rules.model.results import Outcome
from rules.model.system import Game
from rules.odds.attacks import odds
from rules.strike.attack import plan_attack
from rules.systems.storytelling.first_edition.attack import has_finesse
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.topics.commands import ChangeConditions, ProposeAttack, ResolveAttack
from rules.topics.events import AttackProposed, AttackResolved
from tests.rules.systems.storytelling.attacks import VEST, fight, plan, pool
from tests.rules.systems.storytelling.table import GUN, KNIFE, STONE, TOWER, sheet, table
from tests.rules.table import only, parts, strike_at

BLUNTING = DARKNESS.with_options({"ballistic_armor_blunts": True})


@pytest.mark.parametrize(
    ("weapon", "rule", "expected"),
    [
        ("", "WD-ATK-1", {"trait:strength": 3, "trait:brawl": 2}),
        ("knife", "WD-ATK-2", {"trait:strength": 3, "trait:weaponry": 2, "rating": 1}),
        ("gun", "WD-ATK-4", {"trait:dexterity": 3, "trait:firearms": 2, "rating": 2}),
        ("stone", "WD-ATK-5", {"trait:dexterity": 3, "trait:athletics": 2, "rating": 1}),
    ],
)
def test_each_mode_has_its_traits_and_the_weapons_rating(weapon, rule, expected):
    found = pool(fight(), weapon)
    assert {key: dice for key, (cited, dice) in found.items() if cited == rule} == expected
    assert ("defense" in found) is (weapon != "gun")


def test_a_pool_without_difficulty_is_rolled_all_the_same():
    at = table(ann=sheet(), bob=sheet())
    attack = plan_attack(Game(at.state, DARKNESS), strike_at("ann", "bob")).against[0].attack
    assert (attack.difficulty, attack.outright) == (0, False)


def test_a_weapons_own_traits_come_first():
    own = replace(KNIFE, attribute="wits", ability="larceny")
    found = pool(fight(ann=sheet(wits=4, larceny=1, weapons=(own,))), "knife")
    assert (found["trait:wits"][1], found["trait:larceny"][1]) == (4, 1)


@pytest.mark.parametrize(
    ("merits", "weapon", "fine"),
    [
        (("fighting_finesse",), "knife", True),
        (("fighting_finesse_knife",), "knife", True),
        (("Fighting Finesse (Knife)",), "knife", True),
        (("fighting_finesse_rapier",), "knife", False),
        (("fighting_finesse_шашка",), "knife", False),
        (("fast_reflexes",), "knife", False),
        ((), "knife", False),
    ],
)
def test_fighting_finesse_is_for_the_weapon_it_names(merits, weapon, fine):
    """WD-ATK-3."""
    ann = sheet(strength=1, dexterity=4, weaponry=1, weapons=(KNIFE,), merits=frozenset(merits))
    assert has_finesse(ann, KNIFE) is fine
    found = pool(fight(ann=ann), weapon)
    assert ("trait:dexterity" in found) is fine
    assert not fine or found["trait:dexterity"] == ("WD-ATK-3", 4)


def test_fighting_finesse_reads_the_letters_of_every_script():
    """WD-ATK-3."""
    sabre = replace(KNIFE, name="Alter Säbel")
    assert has_finesse(sheet(merits=frozenset({"fighting_finesse_säbel"})), sabre)
    assert not has_finesse(sheet(merits=frozenset({"fighting_finesse_шашка"})), sabre)


def test_finesse_is_for_strength_and_weaponry_alone():
    ann = sheet(dexterity=4, merits=frozenset({"fighting_finesse"}), weapons=(replace(KNIFE, ability="larceny"),))
    assert "trait:strength" in pool(fight(ann=ann), "knife")


def test_close_attacks_reach_so_far_and_no_further():
    """WD-ATK-1, WD-ATK-2."""
    at = fight()
    at.refuses("WD-ATK-1", strike_at("ann", "bob", distance=2))
    at.refuses("WD-ATK-2", strike_at("ann", "bob", "knife", distance=3))
    at.refuses("input", strike_at("ann", "bob", "knife", distance=-1))
    assert pool(at, "knife", distance=2)


@pytest.mark.parametrize(
    ("distance", "penalty"), [(0, 0), (20, 0), (21, -2), (40, -2), (41, -4), (80, -4), (81, None), (160, None)]
)
def test_range_takes_dice_or_leaves_a_chance(distance, penalty):
    """WD-RANGE-1."""
    at = fight(bob=sheet(defense=0))
    found = plan(at, "gun", distance=distance).against[0].attack
    assert found.chance is (penalty is None)
    if penalty:
        assert sum(dice for rule, dice in parts(found).values() if rule == "WD-RANGE-1") == penalty
    at.refuses("WD-RANGE-1", strike_at("ann", "bob", "gun", distance=161))
    assert (
        plan_attack(Game(at.state, DARKNESS, Referee({"WD-RANGE-1"})), strike_at("ann", "bob", "gun", distance=161))
        .against[0]
        .attack.chance
    )


@pytest.mark.parametrize(
    ("mods", "penalty"),
    [
        ((), 0),
        (("short_range",), 0),
        (("medium_range",), -2),
        ((Modifier("range", {"band": "long"}),), -4),
        (("medium_range", Modifier("range", {"band": "medium"})), -2),
    ],
)
def test_range_can_be_picked_by_name(mods, penalty):
    found = pool(fight(), "gun", *mods)
    assert sum(dice for rule, dice in found.values() if rule == "WD-RANGE-1") == penalty


def test_ranges_that_cannot_be_are_refused():
    at = fight()
    at.refuses("input", strike_at("ann", "bob", "gun", Modifier("range", {"band": "point_blank"})))
    at.refuses("input", strike_at("ann", "bob", "gun", Modifier("range", {"band": [1]})))  # type: ignore[dict-item]
    at.refuses("input", strike_at("ann", "bob", "gun", "medium_range", "long_range"))
    at.refuses("input", strike_at("ann", "bob", "", "medium_range"))


def test_a_measured_distance_comes_before_a_picked_range():
    assert "long_range" not in pool(fight(), "gun", "long_range", distance=10)


@pytest.mark.parametrize(
    ("ranges", "distance", "chance"),
    [((), 5000, False), ((10,), 40, False), ((10,), 41, True), ((0,), 5, False)],
)
def test_ranges_that_are_not_all_written(ranges, distance, chance):
    ann = sheet(dexterity=5, firearms=5, weapons=(replace(GUN, range=ranges),))
    assert plan(fight(ann=ann), "gun", distance=distance).against[0].attack.chance is chance


@pytest.mark.parametrize(
    ("change", "distance", "takes"),
    [
        ({}, 7, 0),
        ({}, 8, -2),
        ({"size": None}, 8, 0),
        ({"aerodynamic": True}, 14, 0),
        ({"range": (3, 6, 9)}, 7, -4),
    ],
)
def test_thrown_weapons_fly_as_far_as_their_thrower_can(change, distance, takes):
    """WD-RANGE-1: Strength 3 + Dexterity 3 + Athletics 2 - Size 1."""
    ann = sheet(strength=3, dexterity=3, athletics=2, weapons=(replace(STONE, **change),))
    found = pool(fight(ann=ann), "stone", distance=distance)
    assert sum(dice for rule, dice in found.values() if rule == "WD-RANGE-1") == takes


def test_what_is_as_large_as_one_is_strong_is_not_thrown():
    ann = sheet(strength=3, weapons=(replace(STONE, size=3),))
    at = fight(ann=ann)
    at.refuses("WD-RANGE-1", strike_at("ann", "bob", "stone"))
    assert plan_attack(Game(at.state, DARKNESS, Referee({"WD-RANGE-1"})), strike_at("ann", "bob", "stone"))


def test_a_shot_needs_its_target_in_sight():
    """WD-ATK-6."""
    at = fight()
    for key in ("unseen", "obscured", "out_of_sight"):
        at.refuses("WD-ATK-6", strike_at("ann", "bob", "gun", key))
    let_go = plan_attack(Game(at.state, DARKNESS, Referee({"WD-ATK-6"})), strike_at("ann", "bob", "gun", "unseen"))
    assert let_go.against[0].attack.chance


def test_too_little_strength_costs_a_die():
    """WD-GEAR-1."""
    ann = sheet(strength=2, weapons=(replace(KNIFE, strength=3), replace(GUN, strength=2)))
    assert pool(fight(ann=ann), "knife")["strength"] == ("WD-GEAR-1", -1)
    assert "strength" not in pool(fight(ann=ann), "gun")


# ------------------------------------------------------------------ damage


@pytest.mark.parametrize(
    ("kind", "change", "armor", "ruleset", "damage", "told"),
    [
        ("mortal", {}, (), DARKNESS, "lethal", ()),
        ("vampire", {}, (), DARKNESS, "bashing", ("WD-DMG-4",)),
        ("vampire", {"form": ""}, (), DARKNESS, "bashing", ("WD-DMG-4",)),
        ("vampire", {"form": "piercing"}, (), DARKNESS, "lethal", ()),
        ("vampire", {"tags": frozenset({"fire"})}, (), DARKNESS, "aggravated", ("WD-DMG-5",)),
        (
            "vampire",
            {"type": Damage.AGGRAVATED, "tags": frozenset({"silver"})},
            (),
            DARKNESS,
            "bashing",
            ("WD-DMG-5", "WD-DMG-4"),
        ),
        ("mortal", {}, (VEST,), DARKNESS, "lethal", ()),
        ("mortal", {}, (VEST,), BLUNTING, "bashing", ("WD-ARM-1",)),
        ("mortal", {}, (Armor("coat", 1, ballistic=0),), BLUNTING, "lethal", ()),
        ("mortal", {"type": Damage.AGGRAVATED}, (VEST,), BLUNTING, "aggravated", ()),
    ],
)
def test_what_a_shot_does_to_whom(kind, change, armor, ruleset, damage, told):
    """WD-DMG-4, WD-DMG-5, WD-ARM-1."""
    at = fight(ruleset, ann=sheet(weapons=(replace(GUN, **change),)), bob=sheet(kind=kind, armor=armor))
    found = plan(at, "gun")
    assert found.against[0].damage_type == damage
    assert tuple(flag.rule for flag in found.flags) == told


@pytest.mark.parametrize(
    ("faces", "outcome", "points"),
    [
        ([1, 1, 1, 1, 1], Outcome.MISS, 0),
        ([8, 1, 1, 1, 1], Outcome.HIT, 1),
        ([8, 8, 8, 8, 8], Outcome.EXCEPTIONAL, 5),
        ([10, 1, 1, 1, 1, 10, 9], Outcome.HIT, 3),
    ],
)
def test_each_success_is_a_point(faces, outcome, points):
    """WD-DMG-1, WD-DICE-3."""
    at = fight(bob=sheet(**TOWER))
    result = at.attacks("ann", "bob", attack=faces)
    assert (result.outcome, result.net) == (outcome, points)
    assert at.health("bob") == "/" * points
    if result.done is None:
        assert points == 0
    else:
        assert (result.done.damage, result.done.soak, result.done.dealt) == (None, None, points)


def test_a_dramatic_failure_wants_the_storytellers_words_and_no_mishap():
    """WD-DICE-2."""
    at = fight(bob=sheet(dexterity=9, wits=9))
    assert at.attacks("ann", "bob", attack=[1]).outcome is Outcome.DRAMATIC_FAILURE
    assert (at.state.mishaps, at.state.unnarrated) == ((), ("r1",))


def test_an_attack_has_one_target_who_has_no_answer():
    at = fight()
    at.refuses("input", Attack("ann", ("bob", "ann")))
    at.refuses("input", Attack("ann", ("ann",)))
    at.refuses("input", strike_at("ann", "bob", defence="dodge"))
    assert plan(at, defence=Defence("")).against[0].defence is None


def test_a_gun_fires_what_it_holds():
    """WD-ATK-4."""
    at = fight(ann=sheet(firearms=1, weapons=(replace(GUN, rounds=1),)))
    at.attacks("ann", "bob", "gun", attack=[1] * 5)
    at.refuses("WD-ATK-4", strike_at("ann", "bob", "gun"))
    jammed = fight(ann=sheet(firearms=1, weapons=(replace(GUN, fault=Fault.JAMMED),)))
    jammed.refuses("WD-DICE-2", strike_at("ann", "bob", "gun"))


def test_an_announced_attack_waits_for_nobody():
    at = fight(bob=sheet(**TOWER))
    told = at.does(ProposeAttack("x", strike_at("ann", "bob")), attack=[8, 1, 1, 1, 1])
    assert only(AttackResolved, told).exchange == "x"
    assert (at.state.exchanges, at.health("bob")) == ((), "/")


def test_an_announced_attack_waits_for_dice_that_are_typed():
    at = fight(bob=sheet(**TOWER))
    told = at.does(ProposeAttack("x", strike_at("ann", "bob"), by_hand=True))
    assert only(AttackProposed, told).exchange.asked == ()
    at.does(ResolveAttack("x"), attack=[8, 8, 1, 1, 1])
    assert at.health("bob") == "//"


def test_the_pool_of_a_weapon_in_hand():
    at = fight(ann=sheet("//////", strength=3, weaponry=2, weapons=(replace(KNIFE, again=9),)))
    found = DARKNESS.attack.pool_of(at.sheet("ann"), at.weapon("ann", "knife"))
    assert (found.pool, found.again) == (3 + 2 + 1 - 2, 9)


# ------------------------------------------------------------------ how likely


def test_odds_are_exact_without_an_end_to_the_dice():
    """One die: 7 of 10 miss; each success is a point; two or more fill the last two boxes."""
    ann, bob = sheet(strength=2), sheet("XXXXX", defense=0)
    at = fight(ann=ann, bob=bob)
    found = odds(plan(at).against[0], Game(at.state, DARKNESS))
    assert found.hit == found.harms == Fraction(3, 10)
    assert found.levels[:3] == (Fraction(7, 10), Fraction(27, 100), Fraction(27, 1000))
    assert sum(found.levels) == 1
    assert found.expected == Fraction(1, 3)
    # Bashing in the last boxes fells nobody; the third point turns a box, the fourth the other.
    assert found.states["dying"] == 1 - sum(found.levels[:4]) - found.kills
    assert found.at_least(5) == found.exceptional
    assert (found.botch, found.dramatic) == (0, 0)


def test_the_odds_of_a_chance():
    at = fight(bob=sheet(dexterity=9, wits=9))
    found = odds(plan(at).against[0], Game(at.state, DARKNESS))
    assert (found.hit, found.dramatic, found.expected) == (Fraction(1, 10), Fraction(1, 10), Fraction(1, 9))


def test_defense_that_does_not_apply_stays_to_be_seen():
    """WD-DEF-1, WD-SURP-1: it is listed as struck out in full; without any there is nothing to list."""
    at = fight(bob=sheet(dexterity=3, wits=2))
    at.does(ChangeConditions("bob", frozenset({"surprised"})))
    struck = [part for part in plan(at).against[0].attack.parts if part.struck]
    assert [(part.key, part.dice, part.rule) for part in struck] == [("defense", -2, "WD-SURP-1")]
    at = fight(bob=sheet(defense=0))
    at.does(ChangeConditions("bob", frozenset({"surprised"})))
    assert not [part for part in plan(at).against[0].attack.parts if part.struck]
