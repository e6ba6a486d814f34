"""Spending points: availability, limits per turn, and the cost of circumstances."""

from __future__ import annotations

import pytest

from rules.engine.violations import RuleViolation
from rules.model import points
from rules.model.choices import Defence, Modifier
from rules.model.gear import Damage
from rules.model.roll import Extended, RollTraits
from rules.model.system import Game
from rules.strike.attack import plan_attack
from rules.systems.classic.masquerade.system import CITES
from rules.systems.classic.modifiers import classic_modifiers
from rules.topics.commands import AnswerAttack, Declare, End, Heal, ProposeAttack, ResolveAttack, RollOn, Spend
from rules.topics.events import ResourceChanged
from rules.topics.rolls.pools import plan_roll
from tests.rules.table import Table, mortal, only, strike_at, vampire

WILLPOWER = Modifier("willpower")


def pair(**traits):
    table = Table(ann=mortal(dexterity=2, brawl=1, willpower=3, **traits), bob=mortal(dexterity=2, dodge=1))
    table.initiative(ann=9, bob=1)
    return table


def test_a_plan_shows_what_a_point_brings_and_refuses_one_that_is_not_there():
    """MQ-WILL-1."""
    table = pair()
    (against,) = plan_attack(Game(table.state, table.ruleset), strike_at("ann", "bob", "", WILLPOWER)).against
    assert (against.attack.sure, against.attack.pool) == (1, 3)
    table.does(Spend("ann", "willpower"))
    for ask in (
        lambda: plan_attack(Game(table.state, table.ruleset), strike_at("ann", "bob", "", WILLPOWER)),
        lambda: plan_roll(Game(table.state, table.ruleset), RollTraits("ann", ("wits",), modifiers=(WILLPOWER,))),
    ):
        with pytest.raises(RuleViolation) as refused:
            ask()
        assert refused.value.rule == "MQ-WILL-1"


def test_a_point_is_spent_when_an_announced_attack_is_rolled():
    """MQ-WILL-1: not before, so that withdrawing an attack costs nothing."""
    table = pair()
    attack = strike_at("ann", "bob", "", WILLPOWER)
    told = table.does(ProposeAttack("x", attack))
    assert not [event for event in told if isinstance(event, ResourceChanged)]
    table.refuses("MQ-WILL-1", ProposeAttack("y", strike_at("bob", "ann", "", WILLPOWER)))


def test_whoever_answers_is_not_told_that_the_attacker_has_no_points_left():
    """MQ-WILL-1: the attack waits for the Storyteller, who is told."""
    table = pair()
    table.does(ProposeAttack("x", strike_at("ann", "bob", "", WILLPOWER)))
    table.does(Spend("ann", "willpower", 3), waive=["MQ-WILL-1"])
    table.does(AnswerAttack("x", "bob", Defence()))
    assert table.state.exchanges[0].asked == ()
    assert "Willpower: Ann has 0 left" in table.refuses("MQ-WILL-1", ResolveAttack("x"))
    told = table.does(ResolveAttack("x"), waive=["MQ-WILL-1"], attack=[2, 3, 4], damage=[2])
    assert only(ResourceChanged, told).left == 0


def test_a_defender_without_points_does_not_defend_with_one():
    """MQ-WILL-1."""
    table = pair()
    table.refuses("MQ-WILL-1", strike_at("ann", "bob", defence=Defence("dodge", modifiers=(WILLPOWER,))))


def test_what_was_declared_is_used_before_another_point_is_spent():
    """MQ-DECL-2, MQ-WILL-1."""
    table = pair()
    table.does(Declare("ann", willpower=1, out_of_order=True))
    assert table.sheet("ann").resources["willpower"] == 2
    told = table.does(RollTraits("ann", ("wits",), modifiers=(WILLPOWER,)), roll=[2])
    assert not [event for event in told if isinstance(event, ResourceChanged)]
    assert table.turn("ann").declaration.willpower == 0
    table.refuses("MQ-WILL-1", RollTraits("ann", ("wits",), modifiers=(WILLPOWER,)))


def test_a_point_counts_for_one_roll_of_an_extended_one():
    """MQ-WILL-1."""
    table = pair()
    command = RollTraits("ann", ("wits",), modifiers=(WILLPOWER,), extended=Extended("x", 9))
    assert only(ResourceChanged, table.does(command, roll=[2])).left == 2
    told = table.does(RollOn("x"), roll=[7])
    assert not [event for event in told if isinstance(event, ResourceChanged)]
    assert table.state.extended[0].total == 2


def test_points_of_nobodys_layout_have_no_limit_and_are_refused_as_input():
    table = Table(ann=mortal(resources={"luck": 2}))
    assert points.has(Game(table.state, table.ruleset), "ann", "luck")
    assert table.ruleset.layout.per_turn(table.sheet("ann"), "luck") is None
    assert "luck" in table.refuses("input", Spend("ann", "luck", 3))
    assert only(ResourceChanged, table.does(Spend("ann", "luck", 2))).left == 0


def test_the_turns_limit_is_over_with_the_fight():
    """MQ-BLOOD-1, MQ-HEAL-1."""
    table = Table(ann=vampire("//"), bob=mortal())
    table.initiative(ann=9, bob=1)
    table.does(End())
    table.does(Heal("ann", 2, Damage.BASHING))
    assert table.sheet("ann").resources["blood"] == 8


def test_healing_counts_against_the_blood_of_a_turn():
    """MQ-BLOOD-1, MQ-HEAL-1."""
    table = Table(ann=vampire("/"), bob=mortal())
    table.initiative(ann=9, bob=1)
    table.does(Spend("ann", "blood"))
    table.refuses("MQ-BLOOD-1", Heal("ann", 1, Damage.BASHING))


def test_a_ruleset_without_a_rule_for_willpower_knows_none():
    cites = {topic: rule for topic, rule in CITES.items() if topic != "willpower"}
    assert "willpower" not in classic_modifiers(cites)
    assert "willpower" in classic_modifiers(CITES)
