"""Specialties in rolls, attacks, defences and grapples (MQ-DICE-9, AP-DICE-3, WL-DICE-3, WD-DICE-8, CD-DICE-6)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.plan import PoolPlan
from rules.model.roll import RollTraits
from rules.model.sheet import Category
from rules.model.system import Game
from rules.odds.attacks import odds
from rules.odds.target_number import TargetNumber
from rules.strike.attack import plan_attack
from rules.systems import RULESETS
from rules.topics.rolls.pools import plan_roll
from tests.rules.table import Table, mortal, rolled

THROWS = Modifier("specialty", {"name": "Throws"})
RULES = {
    "masquerade": ("MQ-DICE-9", 0),
    "apocalypse": ("AP-DICE-3", 0),
    "wounds": ("WL-DICE-3", 0),
    "darkness": ("WD-DICE-8", 1),
    "chronicles": ("CD-DICE-6", 1),
}


def wrestler(**written):
    sheet = mortal(strength=3, dexterity=3, brawl=2, **written)
    return replace(sheet, specialties={"brawl": ("Throws", "Kicks"), "stealth": ("Alleys",)})


def plan(key, *modifiers, traits=("dexterity", "brawl"), options=None, **more):
    system = RULESETS[key].with_options(options or {})
    table = Table(system, ann=wrestler(), bob=mortal())
    return plan_roll(Game(table.state, table.ruleset), RollTraits("ann", traits, modifiers=modifiers, **more))


@pytest.mark.parametrize("key", RULES)
def test_a_specialty_counts_in_a_roll_with_its_trait(key):
    rule, dice = RULES[key]
    before, made = plan(key), plan(key, THROWS)
    assert made.pool == before.pool + dice
    assert made.again == 10
    (part,) = (part for part in made.parts if part.key == "specialty")
    assert (part.rule, part.dice, part.label) == (rule, dice, "Specialty: Throws")


@pytest.mark.parametrize("key", RULES)
def test_a_specialty_counts_in_an_attack_with_its_trait(key):
    rule, dice = RULES[key]
    table = Table(RULESETS[key], ann=wrestler(), bob=mortal())
    game = Game(table.state, table.ruleset).waiving(frozenset())
    game = game.asking()
    without, made = (
        plan_attack(game, Attack("ann", ("bob",), modifiers=picked)).against[0].attack for picked in ((), (THROWS,))
    )
    assert made.pool == without.pool + dice
    assert [part.rule for part in made.parts if part.key == "specialty"] == [rule]


@pytest.mark.parametrize(("key", "kind"), [("masquerade", "block"), ("apocalypse", "block"), ("wounds", "parry")])
def test_a_specialty_counts_in_a_defence_with_its_trait(key, kind):
    """The defender's own: the attacker's odds get worse, by the rule of specialties."""
    table = Table(RULESETS[key], ann=mortal(strength=3, dexterity=3, brawl=3), bob=wrestler())
    game = Game(table.state, table.ruleset).waiving(frozenset()).asking()

    def against(*modifiers):
        answer = Defence(kind, modifiers=modifiers)
        return plan_attack(game, Attack("ann", ("bob",), defences={"bob": answer})).against[0]

    without, made = against(), against(THROWS)
    assert (without.defence.again, made.defence.again) == (0, 10)
    assert [part.rule for part in made.defence.parts if part.key == "specialty"] == [RULES[key][0]]
    assert odds(made, game).hit < odds(without, game).hit
    with pytest.raises(RuleViolation):
        against(Modifier("specialty", {"name": "Alleys"}))


@pytest.mark.parametrize(("key", "options"), [("chronicles", {}), ("darkness", {"grapple": True})])
def test_a_specialty_counts_in_a_grapples_roll_with_its_trait(key, options):
    system = RULESETS[key].with_options(options)
    table = Table(system, ann=wrestler(), bob=mortal(dexterity=2))
    game, grip = Game(table.state, table.ruleset), table.ruleset.grappling
    (without, theirs), (made, same) = (grip.planned(game, "ann", "bob", "", picked) for picked in ((), (THROWS,)))
    assert (made.pool, same) == (without.pool + 1, theirs)
    assert [part.rule for part in made.parts if part.key == "specialty"] == [RULES[key][0]]
    with pytest.raises(RuleViolation):
        grip.planned(game, "ann", "bob", "", (Modifier("specialty", {"name": "Alleys"}),))


def test_without_a_name_all_of_the_traits_are_meant():
    assert [part.label for part in plan("masquerade", Modifier("specialty")).parts if part.key == "specialty"] == [
        "Specialty: Throws and Kicks"
    ]


@pytest.mark.parametrize(
    ("modifier", "traits", "options"),
    [
        (THROWS, ("dexterity", "athletics"), {}),
        (Modifier("specialty", {"name": "Alleys"}), ("dexterity", "brawl"), {}),
        (Modifier("specialty"), ("dexterity",), {}),
        (THROWS, ("dexterity", "brawl"), {"specialties": False}),
    ],
)
def test_a_specialty_elsewhere_or_of_nobody_is_refused(modifier, traits, options):
    with pytest.raises(RuleViolation) as refused:
        plan("masquerade", modifier, traits=traits, options=options)
    assert refused.value.rule == "input"


def test_a_struck_specialty_does_not_count():
    assert plan("masquerade", THROWS, strike=frozenset({"specialty"})).again == 0


def test_10s_are_rolled_again_and_every_face_counts():
    """MQ-DICE-9: 10, 7, 1, then 10 for the 10, then 1: three hits and two 1s."""
    table = Table(ann=wrestler(), bob=mortal())
    asked = RollTraits("ann", ("dexterity", "brawl"), modifiers=(THROWS,), strike=frozenset({"trait:brawl"}))
    done = rolled(table.does(asked, roll=[10, 7, 1, 10, 1]))
    assert (done.roll.roll.faces, done.roll.roll.successes, done.roll.roll.botch) == ((10, 7, 1, 10, 1), 1, False)


DEEP = 4


def die(difficulty):
    """The chains of one die with at most DEEP 10s: (hits, ones) -> chance."""
    found = Counter()
    for tens, face in product(range(DEEP + 1), range(1, 10)):
        found[tens + (face >= difficulty), int(face == 1)] += Fraction(1, 10 ** (tens + 1))
    return found


@pytest.mark.parametrize(("pool", "difficulty", "sure"), [(1, 6, 0), (2, 6, 0), (2, 9, 1), (3, 10, 0)])
@pytest.mark.parametrize("below_zero", [False, True])
def test_odds_with_rerolls_are_those_of_all_throws(pool, difficulty, sure, below_zero):
    found = TargetNumber(below_zero=below_zero).outcomes_of(PoolPlan((), pool, difficulty, 10, sure=sure))
    expected, botches = Counter(), Fraction(0)
    for dice in product(die(difficulty).items(), repeat=pool):
        chance = Fraction(1)
        for _result, each in dice:
            chance *= each
        hits, ones = (sum(result[place] for result, _each in dice) for place in (0, 1))
        expected[max(0, hits - ones + sure) if below_zero else max(0, hits - ones) + sure] += chance
        botches += chance if hits == 0 < ones and not sure and not below_zero else 0
    assert Fraction(found.botches, found.total) == botches
    assert sum(found.successes) == found.total
    # One more 10 than the chains have would change these.
    for successes in range(DEEP - pool):
        assert abs(Fraction(found.successes[successes], found.total) - expected[successes]) < Fraction(pool, 10**DEEP)


def test_no_dice_are_rolled_again_of_none():
    found = TargetNumber().outcomes_of(PoolPlan((), 0, 6, 10))
    assert found.at_least(1) == 0


@pytest.mark.parametrize("key", RULES)
def test_what_can_have_specialties(key):
    categories = {trait.category for trait in RULESETS[key].layout.special_traits("mortal")}
    storytelling = key in ("darkness", "chronicles")
    assert categories == ({Category.ABILITY} if storytelling else {Category.ABILITY, Category.ATTRIBUTE})
