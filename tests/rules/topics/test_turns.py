"""A turn: its stages, declaring, acting in order, delaying (MQ-TURN-1, MQ-DECL-*, MQ-ORDER-*)."""

from __future__ import annotations

import pytest

from rules.engine.messages import command_type
from rules.model.gear import Damage
from rules.model.roll import RollTraits
from rules.model.state import Declaration, Stage
from rules.systems import RULESETS
from rules.topics.commands import (
    Abort,
    Act,
    ChangeConditions,
    Declare,
    Delay,
    EndTurn,
    Harm,
    Leave,
    RollInitiative,
    SetVisibility,
    Spend,
)
from rules.topics.events import AttackResolved, Declared, ResourceChanged
from tests.rules.table import MASQUERADE, Table, mortal, only, rolled, strike_at, vampire
from tests.rules.trio import declared, places, trio

# ------------------------------------------------------------------ stages and declarations


def test_a_turn_has_three_stages_in_order():
    """MQ-TURN-1."""
    table = trio()
    stages = [table.state.stage]
    for _ in range(4):
        table.does(Act())
        stages.append(table.state.stage)
    table.does(EndTurn())
    assert [*stages, table.state.stage] == [
        Stage.INITIATIVE,
        Stage.ATTACK,
        Stage.ATTACK,
        Stage.ATTACK,
        Stage.RESOLUTION,
        Stage.INITIATIVE,
    ]
    assert table.state.turn == 2


def test_one_step_leads_from_the_last_action_to_the_next_turns_declarations():
    """MQ-TURN-1."""
    table = trio()
    for _ in range(3):
        table.does(Act())
    table.does(EndTurn(onward=True))
    assert (table.state.turn, table.state.stage, table.state.acting) == (2, Stage.INITIATIVE, ())


def test_nobody_acts_in_order_before_initiative():
    """MQ-TURN-1."""
    Table(ann=mortal()).refuses("input", Act())


def test_actions_are_declared_in_reverse_order_of_initiative():
    """MQ-DECL-1."""
    table = trio()
    turns = MASQUERADE.turns
    for slower in ("cy", "bob", "ann"):
        assert turns.declaring(table.state) == (slower,)
        table.does(Declare(slower))
    assert turns.declaring(table.state) == ()


def test_declaring_before_the_slower_is_refused_unless_the_storyteller_gives_leave():
    """MQ-DECL-1."""
    table = trio()
    table.refuses("MQ-DECL-1", Declare("ann"))
    assert only(Declared, table.does(Declare("ann", out_of_order=True))).out_of_order
    assert not only(Declared, table.does(Declare("cy"))).out_of_order


def test_those_who_cannot_act_are_not_waited_for():
    """MQ-DECL-1, MQ-HEALTH-1."""
    table = trio()
    table.does(Harm("cy", 7, Damage.BASHING))
    assert MASQUERADE.turns.declaring(table.state) == ("bob",)
    table.refuses("MQ-HEALTH-1", Declare("cy"))


def test_those_who_share_a_rank_declare_together():
    """MQ-DECL-1, MQ-INIT-2."""
    table = Table(ann=mortal(), bob=mortal())
    table.initiative(ann=5, bob=5)
    assert MASQUERADE.turns.declaring(table.state) == ("ann", "bob")
    table.does(Declare("bob"))
    assert MASQUERADE.turns.declaring(table.state) == ("ann",)


def test_everybody_who_has_not_declared_is_known_whoever_is_next():
    """MQ-DECL-1."""
    table = trio()
    assert MASQUERADE.turns.undeclared(table.state) == ("ann", "bob", "cy")
    table.does(Declare("cy"))
    assert MASQUERADE.turns.undeclared(table.state) == ("ann", "bob")


def test_the_time_to_declare_ends_with_the_first_act():
    """MQ-DECL-1."""
    table = trio()
    table.does(Act())
    assert MASQUERADE.turns.declaring(table.state) == ()
    table.refuses("MQ-DECL-1", Declare("cy"))


def test_a_declaration_holds_words_delay_actions_disciplines_and_willpower():
    """MQ-DECL-2."""
    table = Table(ann=vampire(dexterity=3, brawl=1, potence=1, resources={"willpower": 3, "blood": 5}))
    told = table.does(Declare("ann", " I rush him. ", ("unarmed",), True, ("potence",), 1))
    assert only(Declared, told).declaration == Declaration("I rush him.", ("unarmed",), True, ("potence",), 1)
    assert table.turn("ann").delaying
    assert table.sheet("ann").resources["willpower"] == 2


def test_a_declared_target_is_somebody_in_the_fight_until_they_leave():
    """MQ-DECL-2."""
    table = Table(ann=mortal(), bob=mortal())
    table.refuses("input", Declare("ann", at="cy"))
    assert command_type(Declare).names(Declare("ann", at="bob"), None) == ("bob",)
    table.does(Declare("ann", "Him.", at="bob"))
    table.does(Leave("bob"))
    assert table.turn("ann").declaration == Declaration("Him.")


def test_declaring_anew_settles_the_difference_in_willpower():
    """MQ-DECL-2, MQ-WILL-1."""
    table = trio(willpower=3)
    declared(table, willpower=1)
    anew = ["MQ-ABORT-1"]
    assert only(ResourceChanged, table.does(Declare("ann"), waive=anew)).spent == -1
    assert table.sheet("ann").resources["willpower"] == 3
    table.refuses("MQ-WILL-1", Declare("ann", willpower=2), waive=anew)
    table.refuses("MQ-WILL-1", Declare("ann", willpower=4), waive=anew)
    table.refuses("input", Declare("ann", willpower=-1), waive=anew)
    table.refuses("MQ-WILL-1", Declare("ann", willpower=10**30), waive=anew)
    table.does(Declare("ann", willpower=10**30), waive=["MQ-WILL-1", *anew])
    assert table.sheet("ann").resources["willpower"] == 0


def test_declaring_anew_never_brings_willpower_above_its_maximum():
    """MQ-DECL-2."""
    table = Table(ann=mortal(willpower=5))
    table.initiative(ann=5)
    table.does(Declare("ann", willpower=3), waive=["MQ-WILL-1"])
    table.does(Spend("ann", "willpower", -3))
    table.does(Declare("ann"), waive=["MQ-ABORT-1"])
    assert table.sheet("ann").resources["willpower"] == 5


# ------------------------------------------------------------------ order of acting


def test_ranks_act_highest_first_and_each_once():
    """MQ-INIT-1."""
    assert places(trio()) == ["ann", "bob", "cy"]


def test_the_dead_and_the_gone_are_passed_over():
    """MQ-HEALTH-1."""
    table = trio()
    table.does(Harm("bob", 7, Damage.LETHAL))
    table.does(Leave("cy"))
    assert places(table) == ["ann"]


@pytest.mark.parametrize("condition", ["staked", "unconscious", "immobilized", "torpor"])
def test_conditions_take_somebody_out_of_action(condition):
    """MQ-HEALTH-1."""
    table = trio()
    table.does(ChangeConditions("ann", add=frozenset({condition})))
    message = table.refuses("MQ-HEALTH-1", strike_at("ann", "bob"))
    words = {"torpor": "in torpor", "immobilized": "immobilised"}.get(condition, condition)
    assert message == f"Ann is {words} and can’t act."
    assert places(table) == ["bob", "cy"]


def test_what_one_does_to_the_other_does_not_stop_the_others_action_of_that_rank():
    """MQ-INIT-2."""
    table = Table(ann=mortal(dexterity=1, strength=1), bob=mortal(dexterity=1))
    table.initiative(ann=5, bob=5)
    table.does(Act())
    assert table.state.acting == ("ann", "bob")
    table.does(Harm("bob", 7, Damage.LETHAL))
    assert table.attacks("bob", "ann", attack=[2]).attack.plan.pool == 1
    table.does(EndTurn())
    table.refuses("MQ-HEALTH-1", strike_at("bob", "ann"))


@pytest.mark.parametrize("hurt", [6, 7])
def test_a_roll_in_the_same_rank_is_made_as_the_rank_began(hurt):
    """MQ-INIT-2: neither Crippled nor Incapacitated counts yet."""
    table = Table(ann=mortal(), bob=mortal("//", strength=3, dexterity=2))
    table.initiative(ann=5, bob=5)
    table.does(Act())
    assert table.state.acting == ("ann", "bob")
    table.does(Harm("bob", hurt - 2, Damage.LETHAL))
    assert rolled(table.does(RollTraits("bob", ("strength",)), roll=[6, 6])).roll.plan.pool == 2


def test_whoever_can_act_no_more_has_no_place_in_the_next_turn():
    """MQ-INIT-1, MQ-HEALTH-1."""
    table = trio()
    table.does(Harm("bob", 7, Damage.BASHING))
    table.does(EndTurn())
    table.does(RollInitiative(), initiative={"ann": [5], "cy": [9]})
    assert table.state.order == (("cy",), ("ann",))


def test_a_delaying_character_acts_after_her_own_rank():
    """MQ-ORDER-1."""
    table = trio()
    table.does(Delay("ann", " until he turns "))
    assert places(table) == ["bob", "cy", "ann"]


def test_a_delaying_character_may_interrupt_a_slower_one():
    """MQ-ORDER-1."""
    table = trio()
    table.does(Delay("ann"))
    table.does(Act())
    assert table.state.acting == ("bob",)
    told = only(AttackResolved, table.does(strike_at("ann", "bob"), attack=[2] * 6))
    assert not told.out_of_order
    assert places(table) == ["cy"]


def test_of_two_who_delay_the_higher_total_goes_first():
    """MQ-ORDER-1."""
    table = trio()
    table.does(Delay("bob"))
    table.does(Delay("ann"))
    assert places(table) == ["cy", "ann", "bob"]


def test_of_two_who_delay_with_equal_totals_the_higher_rating_goes_first_and_equals_at_once():
    """MQ-ORDER-1, MQ-INIT-2: Bob and Dee have 5, he with a rating of 4; Ann and Dee are equal."""
    table = Table(ann=mortal(), bob=mortal(dexterity=2, wits=2), dee=mortal(), cy=mortal())
    table.initiative(ann=3, bob=1, dee=3, cy=1)
    for who in ("dee", "bob", "ann"):
        table.does(Delay(who))
    assert places(table) == ["cy", "bob", "anndee"]


def test_delaying_in_ones_own_rank():
    """MQ-ORDER-1."""
    table = trio()
    table.does(Act())
    table.does(Delay("ann"))
    assert places(table) == ["bob", "cy", "ann"]


def test_without_an_action_left_there_is_nothing_to_delay():
    """MQ-ORDER-1."""
    table = trio()
    table.attacks("ann", "bob", attack=[2] * 6)
    table.refuses("MQ-ORDER-1", Delay("ann"))


def test_acting_out_of_order_is_noted_and_never_refused():
    table = trio()
    assert only(AttackResolved, table.does(strike_at("cy", "ann"), attack=[2] * 4)).out_of_order
    assert places(table) == ["ann", "bob"]


def test_a_new_turn_wipes_what_was_said_and_done():
    """MQ-TURN-1."""
    table = trio()
    declared(table, ["unarmed", "dodge"], delay=True)
    table.attacks("ann", "bob", attack=[2] * 3)
    table.does(EndTurn())
    fresh = Table(ann=mortal()).turn("ann")
    assert all(combatant.turn == fresh for combatant in table.state.combatants.values())
    assert (table.state.acting, table.state.visited, table.state.rank_start) == ((), (), {})


@pytest.mark.parametrize(
    ("ruleset", "at_will"), [("masquerade", False), ("apocalypse", False), ("darkness", False), ("wounds", True)]
)
def test_only_those_who_split_without_being_asked_declare_at_will(ruleset, at_will):
    """WL-SPLIT-1 offers a split; MQ-DECL-1 asks everybody, and WD-TURN-1 has nothing to split."""
    assert RULESETS[ruleset].turns.at_will is at_will


def test_a_hidden_one_who_is_slower_holds_nobody_up_who_is_in_sight():
    """MQ-DECL-1: a refusal would reveal a hidden combatant; hidden combatants themselves do wait."""
    table = trio()
    table.does(SetVisibility("cy", hidden=True))
    table.does(Declare("bob"))
    table.does(SetVisibility("ann", hidden=True))
    table.refuses("MQ-DECL-1", Declare("ann"))


# ------------------------------------------------------------------ who has yet to act


def owing(table):
    return MASQUERADE.turns.owing(table.state)


def test_who_acts_now_owes_an_action_until_it_is_taken():
    """MQ-ORDER-1."""
    table = trio()
    declared(table)
    assert owing(table) == ()
    table.does(Act())
    assert owing(table) == ("ann",)
    table.attacks("ann", "bob", attack=[2] * 6)
    assert owing(table) == ()


def test_those_who_wait_owe_nothing_before_their_last_moment():
    """MQ-ORDER-1."""
    table = trio()
    declared(table, delay=True)
    for at in ("bob", "cy", "ann"):
        table.does(Act())
        assert owing(table) == (at,)
    table.does(EndTurn())
    table.does(Act())
    table.does(Delay("ann"))
    assert owing(table) == ()


def test_each_further_action_is_owed_at_its_own_place():
    """MQ-ORDER-3."""
    table = trio()
    declared(table, ["unarmed"] * 3)
    table.does(Act())
    table.attacks("ann", "bob", attack=[2] * 2)
    assert owing(table) == ()
    for _ in range(3):
        table.does(Act())
    assert owing(table) == ("ann",)
    table.attacks("ann", "bob", attack=[2] * 2)
    assert owing(table) == ()
    table.does(Act())
    assert owing(table) == ("ann",)


def test_nobody_owes_a_defence_or_acts_once_down():
    """MQ-ORDER-2, MQ-HEALTH-1."""
    table = trio()
    table.does(Act())
    table.does(Abort("ann", pay="point"))
    assert owing(table) == ()
    table.does(Act())
    assert owing(table) == ("bob",)
    table.does(Harm("bob", 7, Damage.BASHING))
    assert owing(table) == ()
