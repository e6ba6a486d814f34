"""Distance and ammunition (MQ-ATK-1 to MQ-ATK-5, MQ-ATK-8)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine.violations import Referee
from rules.model.choices import Modifier
from rules.model.gear import loaded
from rules.model.system import Game
from rules.strike.attack import plan_attack
from tests.rules.table import BOW, CLUB, KNIFE, PISTOL, RIFLE, STONE, Table, mortal, parts, strike_at


def shooters(*weapons):
    return Table(
        ann=mortal(
            dexterity=3,
            firearms=2,
            athletics=2,
            melee=1,
            brawl=1,
            weapons=weapons or (PISTOL, RIFLE, STONE, BOW, KNIFE),
        ),
        bob=mortal(),
    )


def planned(weapon, *mods, distance=None, waive=(), table=None):
    table = table or shooters()
    plan = plan_attack(
        Game(table.state, table.ruleset, Referee(waive)), strike_at("ann", "bob", weapon, *mods, distance=distance)
    )
    return plan.against[0].attack


def band(name):
    return Modifier("range", {"band": name})


# ------------------------------------------------------------------ distance


@pytest.mark.parametrize(("weapon", "reach", "rule"), [("", 1, "MQ-ATK-1"), ("knife", 2, "MQ-ATK-2")])
def test_close_attacks_reach_a_metre_or_two(weapon, reach, rule):
    """MQ-ATK-1, MQ-ATK-2."""
    for metres in (None, 0, reach):
        assert planned(weapon, distance=metres).difficulty == 6
    shooters().refuses(rule, strike_at("ann", "bob", weapon, distance=reach + 1))
    assert planned(weapon, distance=reach + 1, waive={rule}).difficulty == 6


@pytest.mark.parametrize(("metres", "difficulty"), [(None, 6), (0, 4), (2, 4), (3, 6), (20, 6), (21, 8), (40, 8)])
def test_a_gun_shoots_to_its_range_and_to_twice_the_range_at_plus_2(metres, difficulty):
    """MQ-ATK-3, MQ-ATK-5: point blank is difficulty 4."""
    assert planned("pistol", distance=metres).difficulty == difficulty


@pytest.mark.parametrize(
    ("weapon", "metres", "rule"), [("pistol", 41, "MQ-ATK-3"), ("stone", 21, "MQ-ATK-4"), ("bow", 121, "MQ-ATK-3")]
)
def test_beyond_twice_the_range_there_is_no_shot(weapon, metres, rule):
    """MQ-ATK-3, MQ-ATK-4."""
    shooters().refuses(rule, strike_at("ann", "bob", weapon, distance=metres))
    shooters().refuses(rule, strike_at("ann", "bob", weapon, band("beyond")))


def test_a_waived_shot_beyond_the_range_is_no_easier_than_one_at_long_range():
    """MQ-ATK-3, MQ-ATK-5."""
    assert planned("pistol", distance=500, waive={"MQ-ATK-3"}).difficulty >= 8


@pytest.mark.parametrize("metres", [-1, -(10**20)])
def test_a_distance_is_zero_or_more(metres):
    for weapon in ("pistol", "knife"):
        shooters().refuses("input", strike_at("ann", "bob", weapon, distance=metres))


def test_a_weapon_without_a_range_is_never_out_of_it():
    """MQ-ATK-3."""
    assert planned("pistol", distance=10**9, table=shooters(replace(PISTOL, range=()))).difficulty == 6


@pytest.mark.parametrize(
    ("picked", "difficulty"),
    [("long_range", 8), ("point_blank", 4), (band("long"), 8), (band("point_blank"), 4), (band("short"), 6)],
)
def test_the_range_may_be_picked(picked, difficulty):
    """MQ-ATK-5."""
    made = planned("pistol", picked)
    assert made.difficulty == difficulty
    assert all(rule == "MQ-ATK-5" for key, (rule, _) in parts(made).items() if "range" in key or "blank" in key)


@pytest.mark.parametrize("named", ["close", "far", "", 3, True, None, [1]])
def test_a_range_has_one_of_four_names(named):
    shooters().refuses("input", strike_at("ann", "bob", "pistol", band(named)))
    shooters().refuses("input", strike_at("ann", "bob", "pistol", Modifier("range")))


def test_a_weapons_own_difficulty_is_where_circumstances_start():
    """MQ-ATK-3, MQ-ATK-5: the weapon may change the difficulty; point blank is 4 all the same."""
    table = shooters(replace(PISTOL, difficulty=7))
    assert planned("pistol", table=table).difficulty == 7
    assert planned("pistol", "long_range", table=table).difficulty == 9
    assert planned("pistol", "point_blank", table=table).difficulty == 4


def test_cramped_quarters_add_one():
    """MQ-ATK-5."""
    assert planned("knife", "cramped").difficulty == 7
    assert planned("knife", "cramped_quarters", Modifier("difficulty", {"by": 2, "why": "mud"})).difficulty == 9


@pytest.mark.parametrize("picked", ["long_range", "point_blank", band("short")])
def test_ranges_are_no_matter_of_close_attacks(picked):
    """MQ-ATK-2."""
    shooters().refuses("input", strike_at("ann", "bob", "knife", picked))


def test_a_distance_comes_before_a_range_that_was_picked():
    """MQ-ATK-3: beyond twice the range there is no shot, whichever range was picked."""
    assert planned("pistol", "point_blank", distance=30).difficulty == 8
    shooters().refuses("MQ-ATK-3", strike_at("ann", "bob", "pistol", "point_blank", distance=500))


def test_a_target_is_at_one_range():
    """MQ-ATK-5."""
    shooters().refuses("input", strike_at("ann", "bob", "pistol", "point_blank", "long_range"))
    assert planned("pistol", "long_range", band("long")).difficulty == 8


# ------------------------------------------------------------------ pools


@pytest.mark.parametrize(
    ("weapon", "pool", "rule"),
    [
        ("pistol", 5, "MQ-ATK-3"),
        ("stone", 5, "MQ-ATK-4"),
        ("knife", 4, "MQ-ATK-2"),
        ("", 4, "MQ-ATK-1"),
        ("bow", 5, "MQ-ATK-3"),
    ],
)
def test_each_kind_of_attack_has_its_ability(weapon, pool, rule):
    """MQ-ATK-1 to MQ-ATK-4: Firearms 2, Athletics 2, Melee 1, Brawl 1 beside Dexterity 3."""
    made = planned(weapon)
    assert made.pool == pool
    assert {rule for key, (rule, _) in parts(made).items() if key.startswith("trait")} == {rule}


def test_a_weapon_may_name_its_own_traits():
    """MQ-ATK-3: the weapon may change the pool."""
    table = Table(
        ann=mortal(strength=4, athletics=3, weapons=(replace(CLUB, attribute="strength", ability="athletics"),)),
        bob=mortal(),
    )
    assert planned("club", table=table).pool == 7


# ------------------------------------------------------------------ rounds


def test_a_single_shot_spends_one_round():
    """MQ-ATK-8."""
    table = shooters()
    table.attacks("ann", "bob", "pistol", attack=[2] * 5)
    assert (table.weapon("ann", "pistol").rounds, table.weapon("ann", "rifle").rounds) == (6, 20)


def test_a_clip_that_nobody_counted_is_full():
    """MQ-ATK-8."""
    assert loaded(replace(PISTOL, rounds=None)) == 7
    table = shooters(replace(PISTOL, rounds=None))
    table.attacks("ann", "bob", "pistol", attack=[2] * 5)
    assert table.weapon("ann", "pistol").rounds == 6


def test_a_weapon_without_a_clip_never_runs_dry():
    """MQ-ATK-8."""
    table = shooters(replace(PISTOL, clip=None, rounds=None))
    table.attacks("ann", "bob", "pistol", attack=[2] * 5)
    assert table.weapon("ann", "pistol").rounds is None


def test_a_thrown_weapon_and_a_blade_spend_no_rounds():
    """MQ-ATK-4, MQ-ATK-8."""
    table = shooters()
    for weapon, dice in (("stone", 5), ("knife", 4)):
        table.attacks("ann", "bob", weapon, attack=[2] * dice)
    assert table.turn("ann").shots == {}


def test_no_more_shots_in_a_turn_than_the_weapons_rate():
    """MQ-ATK-8: a rate of three."""
    table = shooters()
    for _ in range(3):
        table.attacks("ann", "bob", "pistol", attack=[2] * 5)
    table.refuses("MQ-ATK-8", strike_at("ann", "bob", "pistol"))
    table.attacks("ann", "bob", "pistol", waive={"MQ-ATK-8"}, attack=[2] * 5)
    assert table.weapon("ann", "pistol").rounds == 3


def test_full_automatic_is_a_shot_too_and_keeps_to_the_rate():
    """MQ-ATK-8."""
    uncounted = replace(RIFLE, clip=None, rounds=None, rate=1)
    table = shooters(uncounted)
    table.attacks("ann", "bob", "rifle", "full_auto", attack=[2] * 15)
    table.refuses("MQ-ATK-8", strike_at("ann", "bob", "rifle", "full_auto"))


def test_a_three_round_burst_adds_two_dice_one_difficulty_and_spends_three_rounds():
    """MQ-ATK-8."""
    table = shooters()
    result = table.attacks("ann", "bob", "rifle", "burst", attack=[2] * 7)
    assert (result.attack.plan.pool, result.attack.plan.difficulty) == (7, 7)
    assert parts(result.attack.plan)["burst"] == ("MQ-ATK-8", 2)
    assert table.weapon("ann", "rifle").rounds == 17


def test_full_automatic_adds_ten_dice_two_difficulty_and_empties_the_clip():
    """MQ-ATK-8."""
    table = shooters()
    result = table.attacks("ann", "bob", "rifle", "full_auto", attack=[2] * 15)
    assert (result.attack.plan.pool, result.attack.plan.difficulty) == (15, 8)
    assert table.weapon("ann", "rifle").rounds == 0
    table.refuses("MQ-ATK-8", strike_at("ann", "bob", "rifle"))


@pytest.mark.parametrize(("rounds", "fires"), [(20, True), (10, True), (9, False), (0, False)])
def test_full_automatic_needs_half_of_the_clip(rounds, fires):
    """MQ-ATK-8."""
    table = shooters(replace(RIFLE, rounds=rounds))
    if fires:
        table.attacks("ann", "bob", "rifle", "full_auto", attack=[2] * 15)
    else:
        table.refuses("MQ-ATK-8", strike_at("ann", "bob", "rifle", "full_auto"))


@pytest.mark.parametrize(("clip", "rounds", "fires"), [(2, 1, True), (1, 1, True), (1, 0, False), (3, 1, False)])
def test_full_auto_needs_at_least_half_a_clip(clip, rounds, fires):
    """MQ-ATK-8."""
    table = shooters(replace(RIFLE, clip=clip, rounds=rounds))
    if fires:
        table.attacks("ann", "bob", "rifle", "full_auto", attack=[2] * 15)
        assert table.weapon("ann", "rifle").rounds == 0
    else:
        table.refuses("MQ-ATK-8", strike_at("ann", "bob", "rifle", "full_auto"))


def test_a_weapon_whose_rounds_nobody_counts_fires_none_of_them():
    """MQ-ATK-8."""
    table = shooters(replace(RIFLE, clip=None, rounds=None))
    command = strike_at("ann", "bob", "rifle", "full_auto")
    assert plan_attack(Game(table.state, table.ruleset), command).rounds == 0


def test_full_automatic_needs_an_automatic_weapon():
    """MQ-ATK-8."""
    shooters().refuses("MQ-ATK-8", strike_at("ann", "bob", "pistol", "full_auto"))


def test_with_fewer_rounds_than_needed_the_attack_is_refused():
    """MQ-ATK-8."""
    table = shooters(replace(RIFLE, rounds=2))
    table.refuses("MQ-ATK-8", strike_at("ann", "bob", "rifle", "burst"))
    table.attacks("ann", "bob", "rifle", "burst", waive={"MQ-ATK-8"}, attack=[2] * 7)
    assert table.weapon("ann", "rifle").rounds == 0


def test_a_scope_adds_two_dice_at_long_range_only():
    """MQ-ATK-8."""
    assert planned("rifle", "scope", distance=150).pool == 7
    near = planned("rifle", "scope", distance=50)
    assert near.pool == 5
    assert [part.label for part in near.parts if part.struck] == ["Scope: only at long range"]


@pytest.mark.parametrize("twice", ["scope", "cramped", "burst"])
def test_what_happens_once_is_picked_once(twice):
    """MQ-ATK-5, MQ-ATK-8: no second scope on one gun."""
    shooters().refuses("input", strike_at("ann", "bob", "rifle", twice, twice, distance=150))


@pytest.mark.parametrize(
    ("weapon", "mods"),
    [("rifle", ("burst", "full_auto")), ("knife", ("burst",)), ("bow", ("full_auto",)), ("stone", ("burst",))],
)
def test_one_burst_from_a_gun_alone(weapon, mods):
    """MQ-ATK-8."""
    shooters().refuses("input", strike_at("ann", "bob", weapon, *mods))
