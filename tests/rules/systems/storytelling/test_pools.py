"""Pools: Traits, hindrances, conditions, and the rule of five."""

from __future__ import annotations

import pytest

from rules.engine.violations import Referee
from rules.model.choices import Modifier
from rules.model.gear import Armor
from rules.model.results import Outcome
from rules.model.roll import RollTraits
from rules.model.system import Game
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.topics.commands import Describe, SetCircumstances
from rules.topics.events import CircumstancesSet, Described
from rules.topics.rolls.pools import plan_roll
from tests.rules.systems.storytelling.table import sheet, table
from tests.rules.table import only, parts, rolled


def circumstance(dice: int, why: str = "") -> Modifier:
    return Modifier("circumstance", {"dice": dice, "why": why})


@pytest.mark.parametrize(
    ("traits", "said"),
    [
        ((), "Choose"),
        (("",), "Choose"),
        (("wits", "resolve", "brawl", "stealth"), "three"),
        (("size",), "can’t be rolled"),
    ],
)
def test_what_is_no_pool_is_refused(traits, said):
    assert said in table(ann=sheet()).refuses("input", RollTraits("ann", traits))


def test_a_pool_may_hold_two_attributes_or_a_power():
    at = table(ann=sheet(kind="vampire", presence=3, persuasion=2, majesty=1))
    plan = plan_roll(Game(at.state, DARKNESS), RollTraits("ann", ("presence", "persuasion", "majesty")))
    assert (plan.pool, plan.difficulty, plan.again, plan.chance) == (6, 0, 10, False)
    assert plan_roll(Game(at.state, DARKNESS), RollTraits("ann", ("wits", "composure"))).pool == 4


def test_nobody_rolls_by_a_name_that_is_not_there():
    at = table(ann=sheet())
    at.refuses("input", RollTraits("zed", ("wits",)))
    with pytest.raises(Exception, match="in this fight"):
        plan_roll(Game(at.state, DARKNESS), RollTraits("zed", ("wits",)))


def test_no_roll_has_a_difficulty():
    """WD-DICE-1."""
    table(ann=sheet()).refuses("input", RollTraits("ann", ("wits",), 6))
    table(ann=sheet()).refuses("input", RollTraits("ann", ("wits",), modifiers=(Modifier("difficulty", {"by": 1}),)))


@pytest.mark.parametrize(
    ("skill", "missing"), [("occult", -3), ("science", -3), ("stealth", -1), ("empathy", -1), ("juggling", -1)]
)
def test_without_dots_dice_are_missing(skill, missing):
    """WD-DICE-4."""
    at = table(ann=sheet(intelligence=4))
    found = parts(plan_roll(Game(at.state, DARKNESS), RollTraits("ann", ("intelligence", skill))))
    assert found[f"trait:{skill}"] == ("WD-DICE-4", missing)


def test_wounds_and_heavy_armour_are_itemised():
    """WD-HEALTH-2, WD-GEAR-1."""
    mail = Armor("mail", 2, strength=3)
    at = table(ann=sheet("//////", strength=2, brawl=2, athletics=2, armor=(mail,)))
    with_brawl = parts(plan_roll(Game(at.state, DARKNESS), RollTraits("ann", ("strength", "brawl"))))
    assert with_brawl["wounds"] == ("WD-HEALTH-2", -2)
    assert with_brawl["armor"] == ("WD-GEAR-1", -1)
    assert "armor" not in parts(plan_roll(Game(at.state, DARKNESS), RollTraits("ann", ("strength", "athletics"))))


def test_no_dice_left_are_a_chance():
    """WD-DICE-2."""
    at = table(ann=sheet(wits=2))
    for taken, over in ((-2, 0), (-4, 2)):
        plan = plan_roll(Game(at.state, DARKNESS), RollTraits("ann", ("wits",), modifiers=(circumstance(taken),)))
        assert (plan.pool, plan.chance) == (0, True)
        assert sum(part.dice for part in plan.parts) == 0
        assert parts(plan).get("chance", ("WD-DICE-2", 0)) == ("WD-DICE-2", over)
    event = rolled(at.does(RollTraits("ann", ("wits",), modifiers=(circumstance(-2),)), roll=[1]))
    assert event.outcome is Outcome.DRAMATIC_FAILURE
    assert at.state.unnarrated == (event.resolution,)


def test_more_than_anybody_throws_is_refused():
    lifted = DARKNESS.with_options({"rule_of_five": False})
    many = tuple(circumstance(20) for _ in range(6))
    table(lifted, ann=sheet()).refuses("input", RollTraits("ann", ("wits",), modifiers=many))


def test_a_number_of_dice_is_rolled_as_it_is():
    """WD-DICE-1: only what is chosen for this roll changes it; none are a chance die (WD-DICE-2)."""
    at = table(ann=sheet("//////"))
    at.does(SetCircumstances("", (circumstance(-1, "rain"),)))
    made = plan_roll(Game(at.state, DARKNESS), RollTraits("ann", (), number=5, modifiers=(circumstance(2),)))
    assert (made.pool, [part.key for part in made.parts]) == (7, ["number", "circumstance"])
    assert plan_roll(Game(at.state, DARKNESS), RollTraits("ann", (), number=0)).chance


def test_rerolls_can_be_chosen():
    """WD-DICE-1, WD-DICE-7: 1 of 2 dice fails and is rolled once more; with 8-again each 8 brings another die."""
    at = table(ann=sheet(wits=2))
    told = rolled(at.does(RollTraits("ann", ("wits",), again=8, rote=True), roll=[8, 3, 9, 8, 2, 7]))
    assert (told.roll.roll.successes, told.roll.roll.again) == (3, 8)
    assert [(part.key, part.rule) for part in told.roll.plan.parts[1:]] == [
        ("rote", "WD-DICE-7"),
    ]
    assert rolled(at.does(RollTraits("ann", (), number=0, rote=True), roll=[9, 1])).outcome is Outcome.DRAMATIC_FAILURE
    at.refuses("input", RollTraits("ann", ("wits",), again=7))


def test_a_mortal_may_roll_many_dice():
    at = table(ann=sheet(wits=10, composure=5))
    assert rolled(at.does(RollTraits("ann", ("wits", "composure")), roll=[1] * 15)).flags == ()


@pytest.mark.parametrize(("given", "counts"), [(5, 5), (6, 5), (-5, -5), (-9, -5), (20, 5)])
def test_one_circumstance_is_at_most_five_dice(given, counts):
    """WD-DICE-5."""
    at = table(ann=sheet(wits=10))
    plan = plan_roll(Game(at.state, DARKNESS), RollTraits("ann", ("wits",), modifiers=(circumstance(given),)))
    assert plan.pool == 10 + counts
    assert ("five:circumstance" in parts(plan)) is (given != counts)


def test_the_limit_is_lifted_for_one_or_for_all_or_for_good():
    """WD-DICE-5."""
    at = table(ann=sheet(wits=1))
    two = (circumstance(7), circumstance(8))
    command = RollTraits("ann", ("wits",), modifiers=two)
    assert plan_roll(Game(at.state, DARKNESS), command).pool == 11
    one = RollTraits("ann", ("wits",), modifiers=two, strike=frozenset({"five:circumstance:2"}))
    assert plan_roll(Game(at.state, DARKNESS), one).pool == 14
    assert plan_roll(Game(at.state, DARKNESS, Referee({"WD-DICE-5"})), command).pool == 16
    assert plan_roll(Game(at.state, DARKNESS.with_options({"rule_of_five": False})), command).pool == 16
    struck = RollTraits("ann", ("wits",), modifiers=two, strike=frozenset({"circumstance"}))
    assert plan_roll(Game(at.state, DARKNESS), struck).pool == 6


def test_circumstances_lie_on_somebody_or_on_the_whole_scene():
    """WD-DICE-6."""
    at = table(ann=sheet(wits=4), bob=sheet(wits=4))
    told = only(CircumstancesSet, at.does(SetCircumstances("", (circumstance(-1, "rain"), circumstance(2, "moon")))))
    assert told.who == ""
    at.does(SetCircumstances("ann", (circumstance(-2, "poison"),)))
    ann = plan_roll(Game(at.state, DARKNESS), RollTraits("ann", ("wits",)))
    assert (ann.pool, plan_roll(Game(at.state, DARKNESS), RollTraits("bob", ("wits",))).pool) == (3, 5)
    assert {key: dice for key, (_, dice) in parts(ann).items()} == {
        "trait:wits": 4,
        "scene:1": -1,
        "scene:2": 2,
        "standing:1": -2,
    }
    at.does(SetCircumstances("ann"))
    at.does(SetCircumstances())
    assert plan_roll(Game(at.state, DARKNESS), RollTraits("ann", ("wits",))).pool == 4


def test_a_description_is_for_some_who_are_there():
    """WD-SCENE-2."""
    at = table(ann=sheet())
    assert only(Described, at.does(Describe(("ann",), " A draught. "))) == Described(("ann",), "A draught.")
    assert at.state.combatants["ann"].told == "A draught."
    for command in (Describe(("zed",), "x"), Describe((), "x")):
        at.refuses("input", command)
    at.does(Describe(("ann",), " "))
    assert not at.state.combatants["ann"].told
    at.refuses("input", Describe(("ann",), " "))


def test_circumstances_that_cannot_be_are_refused():
    at = table(ann=sheet())
    at.refuses("input", SetCircumstances("zed"))
    at.refuses("input", SetCircumstances("ann", (Modifier("gloom"),)))
    at.refuses("input", SetCircumstances("ann", (Modifier("circumstance"),)))
    at.refuses("input", SetCircumstances("ann", (Modifier("medium_range"),)))
