"""Rolls' pools and penalties (MQ-DICE-1 to MQ-DICE-7, MQ-ARM-1, MQ-HEALTH-1)."""

from __future__ import annotations

import pytest

from rules.engine.violations import Referee, RuleViolation
from rules.model.choices import Modifier
from rules.model.gear import Armor
from rules.model.results import Outcome
from rules.model.roll import DifficultyOf, Resistance, RollTraits
from rules.model.sheet import Sheet
from rules.model.system import Game
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.topics.rolls.pools import plan_roll
from tests.rules.table import VEST, Table, mortal, parts, rolled, vampire


def plan(traits, sheet=None, **asked):
    table = Table(
        ann=sheet or mortal(dexterity=3, athletics=2, willpower=6, humanity=7), bob=mortal(perception=4, alertness=4)
    )
    return plan_roll(Game(table.state, table.ruleset), RollTraits("ann", traits, **asked))


def refusal(traits, sheet=None, **asked):
    with pytest.raises(RuleViolation) as refused:
        plan(traits, sheet, **asked)
    return refused.value.rule


def test_a_pool_is_an_attribute_plus_an_ability():
    """MQ-DICE-1."""
    made = plan(("dexterity", "athletics"))
    assert (made.pool, made.difficulty) == (5, 6)
    assert parts(made) == {
        "trait:dexterity": ("MQ-DICE-1", 3),
        "trait:athletics": ("MQ-DICE-1", 2),
        "base": ("MQ-DICE-5", 6),
    }


def test_an_attribute_may_be_rolled_alone():
    """MQ-DICE-1."""
    assert plan(("dexterity",)).pool == 3


@pytest.mark.parametrize(
    "traits",
    [
        ("dexterity", "athletics", "brawl"),
        ("dexterity", "strength"),
        ("athletics", "brawl"),
    ],
)
def test_a_third_trait_or_two_of_a_sort_are_refused(traits):
    """MQ-DICE-1."""
    assert refusal(traits) == "MQ-DICE-1"


@pytest.mark.parametrize("traits", [("brawl",), ("potence", "fortitude"), ("courage", "brawl")])
def test_a_pool_without_an_attribute_is_refused(traits):
    """MQ-DICE-1: an Attribute plus an Ability, or an Attribute alone."""
    assert refusal(traits, vampire(brawl=2, potence=1, fortitude=1)) == "MQ-DICE-1"


@pytest.mark.parametrize("traits", [(), ("",), ("dexterity", "")])
def test_a_roll_names_its_traits(traits):
    assert refusal(traits) == "input"


def test_a_number_of_dice_is_rolled_as_it_is():
    """MQ-DICE-1: neither wounds nor conditions change it; its difficulty can be chosen, Willpower spent."""
    made = plan((), mortal("//////", willpower=5), number=7, difficulty=8, modifiers=(Modifier("willpower"),))
    assert (made.pool, made.difficulty, made.sure) == (7, 8, 1)
    assert [part.key for part in made.parts][:2] == ["number", "base"]
    assert refusal(("dexterity",), number=7) == refusal((), number=-1) == refusal((), number=101) == "input"


@pytest.mark.parametrize("asked", [{"again": 9}, {"rote": True}])
def test_the_classic_dice_have_no_rerolls(asked):
    assert refusal(("dexterity",), **asked) == "input"


def test_generation_is_a_fact_and_not_rolled():
    assert refusal(("generation",)) == "input"


@pytest.mark.parametrize("trait", ["humanity", "willpower"])
def test_ten_dot_traits_stand_alone(trait):
    """MQ-DICE-2."""
    assert plan((trait,)).pool == {"humanity": 7, "willpower": 6}[trait]
    assert refusal((trait, "dexterity")) == "MQ-DICE-2"


def test_the_storyteller_may_waive_the_make_up_of_a_pool():
    table = Table(ann=mortal(dexterity=3, strength=2))
    both = RollTraits("ann", ("dexterity", "strength"))
    table.refuses("MQ-DICE-1", both)
    made = plan_roll(Game(table.state, table.ruleset, Referee({"MQ-DICE-1"})), both)
    assert made.pool == 5


def test_without_dots_in_the_ability_the_attribute_alone_is_rolled():
    """MQ-DICE-7."""
    made = plan(("dexterity", "stealth"))
    assert made.pool == 3
    assert parts(made)["trait:stealth"] == ("MQ-DICE-7", 0)


def test_an_attribute_left_out_has_one_dot_and_an_unknown_trait_is_an_ability():
    made = plan(("charisma", "rocket_science"))
    assert made.pool == 1
    assert [part.label for part in made.parts[:2]] == ["Charisma", "Rocket science, untrained"]


@pytest.mark.parametrize(
    ("asked", "difficulty"), [(None, 6), (2, 2), (9, 9), (10, 10), (1, 2), (0, 2), (11, 10), (10**9, 10)]
)
def test_difficulty_is_kept_within_2_and_10_and_6_when_nothing_is_said(asked, difficulty):
    """MQ-DICE-5."""
    made = plan(("dexterity",), difficulty=asked)
    assert made.difficulty == difficulty
    assert sum(part.difficulty for part in made.parts) == difficulty


@pytest.mark.parametrize(
    ("traits", "difficulty"), [(("perception", "alertness"), 8), (("perception",), 4), (("wits", "stealth"), 2)]
)
def test_difficulty_may_be_an_opponents_trait_total(traits, difficulty):
    """MQ-DICE-5: a bodyguard's Perception + Alertness."""
    assert plan(("dexterity",), difficulty=DifficultyOf("bob", traits)).difficulty == difficulty


def test_an_opponents_difficulty_needs_an_opponent_and_a_proper_pool():
    assert refusal(("dexterity",), difficulty=DifficultyOf("zed", ("wits",))) == "input"
    assert refusal(("dexterity",), difficulty=DifficultyOf("bob", ())) == "input"
    assert refusal(("dexterity",), difficulty=DifficultyOf("bob", ("wits", "strength"))) == "MQ-DICE-1"


def test_a_plan_for_nobody_is_refused():
    table = Table(ann=mortal())
    with pytest.raises(RuleViolation):
        plan_roll(Game(table.state, table.ruleset), RollTraits("zed", ("strength",)))
    table.refuses("input", RollTraits("zed", ("strength",)))


@pytest.mark.parametrize(
    ("marks", "pool"),
    [("", 5), ("/", 5), ("//", 4), ("XXX", 4), ("////", 3), ("*////", 3), ("//////", 0)],
)
def test_the_worst_box_takes_its_penalty_from_the_pool(marks, pool):
    """MQ-HEALTH-1: 0, -1, -1, -2, -2, -5 from a pool of five."""
    assert plan(("dexterity", "athletics"), mortal(marks, dexterity=3, athletics=2)).pool == pool


def test_a_pool_that_wounds_eat_up_has_no_dice_and_fails_without_a_throw():
    table = Table(ann=mortal("//////", strength=2))
    told = rolled(table.does(RollTraits("ann", ("strength",))))
    assert (told.roll.plan.pool, told.roll.roll.faces, told.outcome) == (0, (), Outcome.FAIL)
    assert sum(part.dice for part in told.roll.plan.parts) == 0


def test_armour_is_taken_from_pools_based_on_dexterity_alone():
    """MQ-ARM-1; the heaviest armour counts."""
    sheet = mortal(dexterity=3, strength=3, armor=(VEST, Armor("plate", 5, penalty=-2), Armor("charm", 1)))
    made = plan(("dexterity",), sheet)
    assert made.pool == 1
    assert parts(made)["armor"] == ("MQ-ARM-1", -2)
    assert plan(("strength",), sheet).pool == 3
    assert plan(("dexterity",), mortal(dexterity=3, armor=(Armor("charm", 1),))).pool == 3


def test_circumstances_change_dice_and_difficulty():
    mods = (
        Modifier("circumstance", {"dice": -1, "why": "rain"}),
        Modifier("circumstance", {"dice": 2}),
        Modifier("difficulty", {"by": 2, "why": "dark"}),
    )
    made = plan(("dexterity", "athletics"), modifiers=mods)
    assert (made.pool, made.difficulty) == (6, 8)
    assert [part.label for part in made.parts[3:]] == ["rain", "Circumstance", "dark"]
    assert [part.key for part in made.parts[3:]] == ["circumstance", "circumstance:2", "difficulty"]


@pytest.mark.parametrize(
    ("key", "figures"),
    [
        ("circumstance", {}),
        ("circumstance", {"dice": "2"}),
        ("circumstance", {"dice": True}),
        ("circumstance", {"dice": 21}),
        ("circumstance", {"dice": -(10**40)}),
        ("difficulty", {"by": 10}),
        ("difficulty", {"why": "dark"}),
        ("levitation", {}),
        ("", {}),
    ],
)
def test_unknown_circumstances_and_bad_figures_are_refused(key, figures):
    assert refusal(("dexterity",), modifiers=(Modifier(key, figures),)) == "input"


@pytest.mark.parametrize("key", ["full_auto", "burst", "point_blank"])
def test_what_guns_do_is_no_circumstance_of_a_roll(key):
    """MQ-ATK-8: a burst adds dice to its own shot only."""
    assert refusal(("strength",), modifiers=(Modifier(key),)) == "input"


def test_the_storyteller_may_strike_any_part():
    sheet = mortal("////", dexterity=3, athletics=2)
    made = plan(("dexterity", "athletics"), sheet, strike=frozenset({"wounds"}))
    assert made.pool == 5
    assert [part.dice for part in made.parts if part.struck] == [-2]


def test_a_mortals_pool_above_ten_is_flagged_and_still_rolled():
    """MQ-DICE-4."""
    table = Table(
        ann=mortal(strength=6, athletics=5), bob=vampire(strength=6, athletics=5), cy=mortal(strength=5, athletics=5)
    )
    told = rolled(table.does(RollTraits("ann", ("strength", "athletics")), roll=[6] * 11))
    assert [flag.rule for flag in told.flags] == ["MQ-DICE-4"]
    assert told.roll.roll.successes == 11
    for who, dice in (("bob", 11), ("cy", 10)):
        assert rolled(table.does(RollTraits(who, ("strength", "athletics")), roll=[6] * dice)).flags == ()


def test_a_mortal_who_resists_with_more_than_ten_dice_is_flagged():
    """MQ-DICE-4."""
    table = Table(ann=mortal(strength=1), bob=mortal(strength=11))
    told = rolled(
        table.does(
            RollTraits("ann", ("strength",), resisted=Resistance("bob", ("strength",))), roll=[6], resist=[6] * 11
        )
    )
    assert [flag.rule for flag in told.flags] == ["MQ-DICE-4"]


@pytest.mark.parametrize(
    ("roll", "resist", "margin", "outcome"),
    [
        ([6, 7, 8], [6, 2], 2, Outcome.SUCCESS),
        ([6, 2, 2], [6, 2], 0, Outcome.FAIL),
        ([6, 2, 2], [7, 8], -1, Outcome.FAIL),
        ([1, 2, 2], [2, 2], 0, Outcome.BOTCH),
        ([1, 6, 6], [1, 6], 1, Outcome.SUCCESS),
    ],
)
def test_in_a_resisted_roll_the_net_successes_of_the_higher_side_count(roll, resist, margin, outcome):
    """MQ-DICE-6: a tie gives neither any."""
    table = Table(ann=mortal(charisma=3), bob=mortal(charisma=2))
    command = RollTraits("ann", ("charisma", "intimidation"), resisted=Resistance("bob", ("charisma", "intimidation")))
    told = rolled(table.does(command, roll=roll, resist=resist))
    assert (told.margin, told.outcome) == (margin, outcome)
    assert table.state.resolutions == 1


def test_a_resister_has_a_difficulty_of_their_own():
    """MQ-DICE-6."""
    table = Table(ann=mortal(charisma=1), bob=mortal(charisma=1))
    told = rolled(
        table.does(
            RollTraits("ann", ("charisma",), 4, resisted=Resistance("bob", ("charisma",), 8)), roll=[4], resist=[7]
        )
    )
    assert (told.margin, told.resisted.roll.difficulty) == (1, 8)
    table.refuses("input", RollTraits("ann", ("charisma",), resisted=Resistance("zed", ("charisma",))), roll=[4])


@pytest.mark.parametrize(("roll", "outcome"), [([6], Outcome.SUCCESS), ([2], Outcome.FAIL), ([1], Outcome.BOTCH)])
def test_a_roll_succeeds_fails_or_botches(roll, outcome):
    """MQ-DICE-3."""
    table = Table(ann=mortal(strength=1))
    told = rolled(table.does(RollTraits("ann", ("strength",), label=" Lift ", secret=True), roll=roll))
    assert (told.outcome, told.margin, told.resisted, told.label, told.secret) == (outcome, None, None, "Lift", True)


def test_nobody_out_of_action_rolls():
    """MQ-HEALTH-1."""
    table = Table(ann=mortal("///////", strength=3))
    table.refuses("MQ-HEALTH-1", RollTraits("ann", ("strength",)))


def test_nobody_rolls_hundreds_of_dice_nor_picks_circumstances_without_end():
    many = tuple(Modifier("circumstance", {"dice": 20}) for _ in range(20))
    assert refusal(("dexterity",), modifiers=many) == "input"
    assert refusal(("dexterity",), modifiers=(*many, Modifier("difficulty", {"by": 1}))) == "input"
    assert plan(("dexterity",), modifiers=many[:4]).pool == 83


def test_a_pool_calls_morality_as_the_rollers_kind_does():
    """WD-DICE-1: Renown is rolled with other Traits."""
    table = Table(DARKNESS, wolf=Sheet("Wolf", "garou", {"morality": 4, "glory": 2}), ann=Sheet("Ann", "mortal"))
    game = Game(table.state, table.ruleset)
    made = plan_roll(game, RollTraits("wolf", ("morality", "glory", "resolve")))
    assert [(part.label, part.dice) for part in made.parts[:3]] == [("Harmony", 4), ("Glory", 2), ("Resolve", 2)]
    assert plan_roll(game, RollTraits("ann", ("morality",))).parts[0].label == "Morality"


def test_garou_roll_renown_alone():
    """MQ-DICE-2."""
    table = Table(wolf=Sheet("Wolf", "garou", {"glory": 6}))
    assert plan_roll(Game(table.state, table.ruleset), RollTraits("wolf", ("glory",))).pool == 6
    table.refuses("MQ-DICE-2", RollTraits("wolf", ("glory", "dexterity")))
