"""Whom a player's command acts for, whom it names, and which parts only the Storyteller may set."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine.inputs import Want, Wanted
from rules.engine.messages import command_type
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Damage
from rules.model.roll import DifficultyOf, Extended, Resistance, RollTraits
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter, Exchange, ExtendedRoll, Status, Step
from rules.model.system import Game, Needs
from rules.systems import RULESETS
from rules.topics.actions import AlwaysPossible
from rules.topics.commands import (
    AnswerAttack,
    Declare,
    GiveUpRoll,
    Heal,
    ProposeAttack,
    ResolveAttack,
    RollOn,
    SetDefaultDefence,
    Spend,
    TakeAction,
    WithdrawAttack,
)

CHRONICLES = RULESETS["chronicles"]
PLAIN = Attack("ann", ("bob",), near=("cy",))
OWN_FIGURE = Modifier("circumstance", {"dice": 2})


def acts_for(command, state=None) -> str:
    return command_type(type(command)).acts_for(command, state)


def reserved(command) -> bool:
    return command_type(type(command)).reserved(command, Game(Encounter(), CHRONICLES))


def named(command) -> set[str]:
    return set(command_type(type(command)).names(command, Game(Encounter(), CHRONICLES)))


def test_an_announced_attack_is_its_attackers_and_names_its_targets_and_those_who_stand_near():
    proposed = ProposeAttack("x", PLAIN)
    assert acts_for(proposed) == "ann"
    assert named(proposed) == {"bob", "cy"}


@pytest.mark.parametrize(
    ("more", "is_hers"),
    [
        ({}, False),
        ({"modifiers": (Modifier("aim"),)}, False),
        ({"modifiers": (OWN_FIGURE,)}, True),
        ({"modifiers": (Modifier("unknown"),)}, False),
        ({"strike": frozenset({"defense"})}, True),
        ({"defences": {"bob": Defence("dodge")}}, True),
        ({"others": ("dee",)}, True),
    ],
)
def test_players_attack_with_what_the_rules_give_them(more, is_hers):
    assert reserved(ProposeAttack("x", Attack("ann", ("bob",), **more))) is is_hers


def test_an_answer_is_the_targets():
    assert acts_for(AnswerAttack("x", "bob", Defence("dodge"))) == "bob"
    assert not reserved(AnswerAttack("x", "bob", Defence("dodge")))
    assert reserved(AnswerAttack("x", "bob", Defence("dodge", modifiers=(OWN_FIGURE,))))
    assert reserved(AnswerAttack("x", "bob", Defence("dodge", strike=frozenset({"wits"}))))


def test_a_default_is_set_for_one_by_whoever_plays_them_and_for_several_by_the_storyteller():
    assert acts_for(SetDefaultDefence(("bob",), "dodge")) == "bob"
    assert acts_for(SetDefaultDefence(("bob", "cy"), "dodge")) == ""


def test_an_attack_is_withdrawn_by_whoever_announced_it():
    state = Encounter(exchanges=(Exchange("x", PLAIN),))
    assert acts_for(WithdrawAttack("x"), state) == "ann"
    assert acts_for(WithdrawAttack("gone"), state) == ""


@pytest.mark.parametrize("again", [RollOn, GiveUpRoll])
def test_an_extended_roll_is_gone_on_with_by_whoever_began_it_in_the_open(again):
    def going(number: int, *, secret: bool) -> ExtendedRoll:
        return ExtendedRoll(RollTraits("ann", ("wits",), extended=Extended(f"e{number}", 10), secret=secret))

    state = Encounter(extended=(going(1, secret=False), going(2, secret=True)))
    assert acts_for(again("e1"), state) == "ann"
    for unknown in ("e2", "e3"):
        with pytest.raises(RuleViolation, match="That roll is over"):
            acts_for(again(unknown), state)


def test_a_roll_is_its_rollers_and_names_whoever_resists():
    assert acts_for(RollTraits("ann", ("wits",))) == "ann"
    assert named(RollTraits("ann", ("wits",))) == set()
    assert named(RollTraits("ann", ("wits",), resisted=Resistance("bob", ("wits",)))) == {"bob"}


@pytest.mark.parametrize(
    ("more", "is_hers"),
    [
        ({}, False),
        ({"difficulty": 7}, False),
        ({"difficulty": DifficultyOf("bob", ("wits",))}, True),
        ({"secret": True}, True),
        ({"strike": frozenset({"wits"})}, True),
        ({"modifiers": (OWN_FIGURE,)}, False),
        ({"modifiers": (Modifier("difficulty", {"by": 1}),)}, True),
    ],
)
def test_players_roll_in_the_open_and_with_dice_as_they_are_told(more, is_hers):
    assert reserved(RollTraits("ann", ("wits",), **more)) is is_hers


def test_nobody_declares_for_others_or_out_of_turn():
    assert not reserved(Declare("ann", "I wait."))
    assert reserved(Declare("ann", "I wait.", out_of_order=True))
    assert reserved(Declare("ann", "I wait.", others=("bob",)))


def test_players_spend_points_and_give_themselves_none():
    assert not reserved(Spend("ann", "willpower", 1))
    assert reserved(Spend("ann", "willpower", 0))
    assert reserved(Spend("ann", "willpower", -1))


@pytest.mark.parametrize(
    ("command", "kind", "is_hers"),
    [
        (Heal("ann", 1, Damage.LETHAL), "vampire", False),
        (Heal("ann", 1, Damage.LETHAL), "mortal", True),
        (Heal("ann", 1, Damage.AGGRAVATED), "vampire", True),
        (Heal("ann", hours=24), "vampire", True),
    ],
)
def test_players_heal_their_vampires_with_blood_and_only_what_takes_no_time(command, kind, is_hers):
    state = Encounter(status=Status.RUNNING, combatants={"ann": Combatant("ann", Sheet("Ann", kind))})
    for now, hers in ((state, is_hers), (replace(state, status=Status.ENDED), True)):
        assert command_type(Heal).reserved(command, Game(now, CHRONICLES)) is hers


def figures_of(storytellers: bool):
    """(action key, key of a number or name it asks for), for each that she may set, or may not."""
    for key, rule in CHRONICLES.actions.items():
        yield from ((key, each) for each in rule.needs.figures if each.storytellers is storytellers)


def test_an_action_may_ask_for_what_the_storyteller_alone_says():
    ((key, hers), *_more) = figures_of(storytellers=True)
    assert reserved(TakeAction(key, "ann", figures={hers.key: 1}))
    ((key, free), *_more) = figures_of(storytellers=False)
    assert not reserved(TakeAction(key, "ann", figures={free.key: 1}))
    assert reserved(TakeAction(key, "ann", modifiers=(OWN_FIGURE,)))
    assert not reserved(TakeAction("no such action", "ann"))


class Point(AlwaysPossible):
    """An action that asks for somebody."""

    label, rule = "Point at", "CD-TURN-1"
    needs = Needs(figures=(Wanted("whom", "Whom", Want.SOMEBODY),))


def test_an_action_names_its_targets_and_whoever_it_asks_for():
    game = Game(Encounter(), replace(CHRONICLES, actions={"point": Point()}))
    names = command_type(TakeAction).names
    assert set(names(TakeAction("point", "ann", ("bob",), figures={"whom": "cy"}), game)) == {"bob", "cy"}
    assert set(names(TakeAction("point", "ann", ("bob",)), game)) == {"bob"}
    assert named(TakeAction("no such action", "ann", ("bob",))) == {"bob"}


@pytest.mark.parametrize(
    ("exchange", "theirs"),
    [
        (Exchange("x", Attack("ann", ("bob",)), by_hand=True), True),
        (Exchange("x", Attack("ann", ("bob", "cy")), by_hand=True), False),
        (Exchange("x", Attack("ann", ("bob",)), by_hand=True, asked=("bob",)), False),
        (Exchange("x", Attack("ann", ("bob",)), by_hand=True, step=Step.PENDING), False),
        (Exchange("x", Attack("ann", ("bob",))), False),
    ],
)
def test_players_roll_an_attack_with_their_own_dice_on_one_target_who_has_answered(
    exchange: Exchange, theirs: bool
) -> None:
    game = Game(Encounter(exchanges=(exchange,)), RULESETS["masquerade"])
    assert command_type(ResolveAttack).reserved(ResolveAttack("x"), game) is not theirs
