"""Declaring, acting, waiting, several actions (MQ-TURN-1, MQ-DECL-*, MQ-ORDER-*, MQ-ABORT-1, MQ-MULTI-1)."""

from __future__ import annotations

import pytest

from rules.attack import plan_attack
from rules.commands import (
    Abort,
    Act,
    ChangeConditions,
    Declare,
    Defence,
    Delay,
    EndTurn,
    FullDefence,
    Harm,
    Leave,
    Modifier,
    RollInitiative,
    RollTraits,
    SetVisibility,
    Spend,
)
from rules.encounter import Declaration, Phase, Stage
from rules.events import Aborted, AttackResolved, Declared, Outcome, ResourceChanged
from rules.gear import Damage
from rules.rulesets import RULESETS
from tests.rules.table import KNIFE, MASQUERADE, Table, mortal, only, parts, rolled, strike_at, vampire


def trio(**first):
    """Ann acts first, then Bob, then Cy; initiative is rolled."""
    table = Table(
        ann=mortal(dexterity=3, brawl=3, dodge=2, melee=1, weapons=(KNIFE,), resources={"willpower": 3}, **first),
        bob=mortal(dexterity=2, brawl=2, dodge=2),
        cy=mortal(dexterity=2, brawl=2),
    )
    table.initiative(ann=10, bob=5, cy=1)
    return table


def declared(table, actions=(), **said):
    """Everybody declares, Ann what is given."""
    table.does(Declare("cy"))
    table.does(Declare("bob"))
    return table.does(Declare("ann", actions=tuple(actions), **said))


def places(table):
    """Who is visited to the turn's end, doing nothing."""
    visited = []
    while table.state.stage is not Stage.RESOLUTION:
        table.does(Act())
        visited.append("".join(table.state.acting))
    return visited[:-1]


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


def test_nobody_acts_in_order_before_initiative():
    """MQ-TURN-1."""
    Table(ann=mortal()).refuses("input", Act())


def test_actions_are_declared_in_reverse_order_of_initiative():
    """MQ-DECL-1."""
    table = trio()
    turns = MASQUERADE.turns
    for slower in ("cy", "bob", "ann"):
        assert turns.declaring(table.state, MASQUERADE) == (slower,)
        table.does(Declare(slower))
    assert turns.declaring(table.state, MASQUERADE) == ()


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
    assert MASQUERADE.turns.declaring(table.state, MASQUERADE) == ("bob",)
    table.refuses("MQ-HEALTH-1", Declare("cy"))


def test_those_who_share_a_rank_declare_together():
    """MQ-DECL-1, MQ-INIT-2."""
    table = Table(ann=mortal(), bob=mortal())
    table.initiative(ann=5, bob=5)
    assert MASQUERADE.turns.declaring(table.state, MASQUERADE) == ("ann", "bob")
    table.does(Declare("bob"))
    assert MASQUERADE.turns.declaring(table.state, MASQUERADE) == ("ann",)


def test_the_time_to_declare_ends_with_the_first_act():
    """MQ-DECL-1."""
    table = trio()
    table.does(Act())
    assert MASQUERADE.turns.declaring(table.state, MASQUERADE) == ()
    table.refuses("MQ-DECL-1", Declare("cy"))


def test_a_declaration_holds_words_delay_actions_disciplines_and_willpower():
    """MQ-DECL-2."""
    table = Table(ann=vampire(dexterity=3, brawl=1, potence=1, resources={"willpower": 3, "blood": 5}))
    told = table.does(Declare("ann", " I rush him. ", ("unarmed",), True, ("potence",), 1))
    assert only(Declared, told).declaration == Declaration("I rush him.", ("unarmed",), True, ("potence",), 1)
    assert table.turn("ann").delaying
    assert table.sheet("ann").resources["willpower"] == 2


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
    assert message == f"Ann is {'in torpor' if condition == 'torpor' else condition} and cannot act."
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
    """MQ-ORDER-1, MQ-INIT-2: Bob and Dee have 5, he by a rating of 4; Ann and Dee stand alike."""
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


# ------------------------------------------------------------------ several actions


def test_further_actions_come_last_by_rating():
    """MQ-ORDER-3: Cy's rating is the higher, though Bob's total is."""
    table = Table(ann=mortal(), bob=mortal(dexterity=2, brawl=4), cy=mortal(dexterity=4, brawl=2))
    table.initiative(ann=1, bob=10, cy=2)
    table.does(Declare("ann"))
    table.does(Declare("cy", actions=("unarmed", "unarmed")))
    table.does(Declare("bob", actions=("unarmed", "unarmed")))
    assert places(table) == ["bob", "cy", "ann", "cy", "bob"]


def test_the_third_actions_come_after_the_second_ones():
    """MQ-ORDER-3."""
    table = trio()
    declared(table, ["unarmed"] * 3)
    visited = []
    for _ in range(5):
        table.does(Act())
        visited.append((*table.state.acting, table.state.visited[-1].phase, table.state.visited[-1].index))
    assert visited == [
        ("ann", Phase.RANK, 0),
        ("bob", Phase.RANK, 1),
        ("cy", Phase.RANK, 2),
        ("ann", Phase.EXTRA, 0),
        ("ann", Phase.EXTRA, 1),
    ]


def test_equal_ratings_share_their_extra_place():
    """MQ-ORDER-3, MQ-INIT-2."""
    table = Table(ann=mortal(dexterity=2, brawl=2), bob=mortal(dexterity=2, brawl=2))
    table.initiative(ann=5, bob=3)
    table.does(Declare("bob", actions=("unarmed", "unarmed")))
    table.does(Declare("ann", actions=("unarmed", "unarmed")))
    assert places(table) == ["ann", "bob", "annbob"]


def test_defensive_further_actions_wait_for_no_place():
    """MQ-ORDER-3: they happen when they are needed."""
    table = trio()
    declared(table, ["unarmed", "dodge"])
    table.does(Act())
    table.attacks("ann", "bob", attack=[2] * 3)
    assert places(table) == ["bob", "cy"]


def test_celerity_gives_an_action_with_a_full_pool_at_the_turns_end():
    """MQ-ORDER-3, MQ-MULTI-1."""
    table = Table(ann=vampire(dexterity=3, brawl=3, celerity=1), bob=mortal())
    table.initiative(ann=9, bob=1)
    table.does(Declare("bob"))
    table.does(Declare("ann", actions=("unarmed", "celerity")))
    table.does(Act())
    table.attacks("ann", "bob", attack=[2] * 6)
    table.does(Act())
    table.does(Act())
    assert (table.state.acting, table.state.visited[-1].phase) == (("ann",), Phase.EXTRA)
    table.attacks("ann", "bob", attack=[2] * 6)
    table.refuses("MQ-MULTI-1", strike_at("ann", "bob"))


def test_who_falls_among_those_who_act_simultaneously_acts_with_them_and_no_more():
    """MQ-INIT-2, MQ-ORDER-3: the further action of somebody dead has no place."""
    table = Table(**{who: vampire(dexterity=3, brawl=3, celerity=1) for who in ("ann", "bob")})
    table.initiative(ann=5, bob=5)
    for who in ("ann", "bob"):
        table.does(Declare(who, actions=("unarmed", "celerity")))
    table.does(Act())
    assert table.state.acting == ("ann", "bob")
    table.does(Harm("bob", 7, Damage.AGGRAVATED))
    table.attacks("bob", "ann", attack=[2] * 6)
    table.does(Act())
    assert (table.state.acting, table.state.visited[-1].phase) == (("ann",), Phase.EXTRA)


def test_celerity_comes_on_top_of_an_action_left_open():
    """MQ-ORDER-3."""
    table = Table(ann=vampire(celerity=2), bob=mortal())
    table.initiative(ann=9, bob=1)
    table.does(Declare("bob"))
    table.does(Declare("ann", actions=("celerity", "celerity")))
    assert places(table) == ["ann", "bob", "ann", "ann"]


def test_nobody_is_faster_than_their_celerity():
    """MQ-ORDER-3."""
    table = Table(ann=vampire(celerity=1))
    table.refuses("MQ-ORDER-3", Declare("ann", actions=("celerity", "celerity")))


def test_several_actions_divide_the_smallest_of_their_pools():
    """MQ-MULTI-1: brawl 6 and dodge 5 give five dice, three and two."""
    table = trio()
    declared(table, ["unarmed", "dodge"])
    first = table.attacks("ann", "bob", attack=[2] * 3)
    assert first.attack.plan.pool == 3
    plan = plan_attack(table.state, strike_at("bob", "ann", defence="dodge"), MASQUERADE)
    assert plan.against[0].defence.pool == 2


def test_the_split_may_be_chosen():
    """MQ-MULTI-1."""
    table = trio()
    declared(table, ["unarmed", "unarmed"])
    split = Modifier("split", {"dice": 5})
    assert table.attacks("ann", "bob", "", split, attack=[2] * 5).attack.plan.pool == 5
    assert table.attacks("ann", "bob", attack=[2]).attack.plan.pool == 1


@pytest.mark.parametrize("dice", [0, 6, 7, 100])
def test_each_action_keeps_at_least_one_die_and_none_has_more_than_its_pool(dice):
    """MQ-MULTI-1."""
    table = trio()
    declared(table, ["unarmed", "unarmed"])
    table.refuses("MQ-MULTI-1", strike_at("ann", "bob", "", Modifier("split", {"dice": dice})))


@pytest.mark.parametrize("figures", [{}, {"dice": -3}, {"dice": "two"}, {"dice": 101}])
def test_a_share_is_a_number_of_dice(figures):
    table = trio()
    table.refuses("input", strike_at("ann", "bob", "", Modifier("split", figures)))


def test_more_actions_than_dice_are_refused():
    """MQ-MULTI-1: Dexterity 2 and no Melee."""
    table = trio()
    table.does(Declare("cy"))
    table.refuses("MQ-MULTI-1", Declare("bob", actions=("melee", "melee", "melee")))
    table.does(Declare("bob", actions=("melee", "melee")))


def test_words_that_name_no_pool_divide_the_first_pool_that_is_used():
    """MQ-MULTI-1."""
    table = trio()
    declared(table, ["hack", "slash"])
    assert table.attacks("ann", "bob", attack=[2] * 3).attack.plan.pool == 3
    assert table.attacks("ann", "bob", attack=[2] * 3).attack.plan.pool == 3


@pytest.mark.parametrize("actions", [("",), ("  ",), ("open", "open")])
def test_an_action_is_named(actions):
    """MQ-DECL-2."""
    trio().refuses("input", Declare("cy", actions=actions))


def test_a_declared_turn_of_defence_leaves_room_for_nothing_else():
    """MQ-DEF-4."""
    trio().refuses("MQ-DEF-4", Declare("cy", actions=("full_defence", "unarmed")))


def test_who_declares_something_else_instead_defends_no_more():
    """MQ-DEF-4, MQ-DECL-2."""
    table = trio()
    declared(table, ["full_defence"])
    table.does(Declare("ann", actions=("unarmed",)), waive=["MQ-ABORT-1"])
    table.refuses("MQ-ABORT-1", strike_at("bob", "ann", defence="dodge"))
    table.attacks("ann", "bob", attack=[2] * 6)


def test_one_declared_action_keeps_its_full_pool():
    """MQ-MULTI-1."""
    table = trio()
    declared(table, ["melee"])
    assert table.attacks("ann", "bob", "knife", attack=[2] * 4).attack.plan.pool == 4


def test_undeclared_dice_may_be_kept_back_and_the_action_is_gone():
    """MQ-MULTI-1."""
    table = trio()
    table.attacks("ann", "bob", "", Modifier("split", {"dice": 2}), attack=[2, 2])
    table.refuses("MQ-MULTI-1", strike_at("ann", "bob"))


def test_before_initiative_a_split_leaves_the_rest_for_later():
    """MQ-MULTI-1."""
    table = Table(ann=mortal(dexterity=3, brawl=3, dodge=2), bob=mortal())
    table.attacks("ann", "bob", "", Modifier("split", {"dice": 2}), attack=[2, 2])
    assert table.attacks("ann", "bob", attack=[2] * 4).attack.plan.pool == 4
    table.refuses("MQ-MULTI-1", strike_at("ann", "bob"))


def test_a_waived_share_is_never_below_nothing():
    """MQ-MULTI-1."""
    table = Table(ann=mortal(dexterity=1), bob=mortal())
    one = Modifier("split", {"dice": 1})
    table.attacks("ann", "bob", "", one, attack=[2])
    result = table.attacks("ann", "bob", waive={"MQ-MULTI-1"})
    assert (result.attack.plan.pool, result.outcome) == (0, Outcome.MISS)


def test_a_second_action_that_nothing_allows_is_refused():
    """MQ-MULTI-1."""
    table = trio()
    table.attacks("ann", "bob", attack=[2] * 6)
    table.refuses("MQ-MULTI-1", strike_at("ann", "bob"))
    table.attacks("ann", "bob", waive={"MQ-MULTI-1"}, attack=[2] * 6)


# ------------------------------------------------------------------ defence out of order, aborting, nothing but defence


def test_a_defence_may_be_taken_at_any_time_while_an_action_is_left():
    """MQ-ORDER-2."""
    table = trio()
    table.does(Act())
    told = table.does(strike_at("ann", "bob", defence="dodge"), attack=[2] * 6, defence=[2] * 4)
    assert only(AttackResolved, told).results[0].defence.plan.pool == 4
    table.refuses("MQ-ORDER-2", strike_at("cy", "bob", defence="dodge"))


def test_before_initiative_anybody_defends_as_often_as_they_like():
    """MQ-ORDER-2: ranks and the number of actions count only once they were rolled."""
    table = Table(ann=mortal(dexterity=2), bob=mortal())
    for _ in range(3):
        table.does(strike_at("bob", "ann", defence="dodge"), attack=[2], defence=[2, 2])
    table.attacks("ann", "bob", attack=[2, 2])


def test_a_waived_defence_is_rolled_though_no_action_is_left():
    """MQ-ORDER-2, MQ-ABORT-1."""
    table = trio()
    declared(table, ["unarmed"])
    table.does(strike_at("bob", "ann", defence="dodge"), waive={"MQ-ABORT-1"}, attack=[2] * 4, defence=[2] * 5)
    assert table.turn("ann").actions == ("unarmed",)
    table.does(strike_at("cy", "bob", defence="dodge"), waive={"MQ-ORDER-2"}, attack=[2] * 4, defence=[2] * 4)


def test_an_action_promised_to_something_else_is_no_defence():
    """MQ-ABORT-1, MQ-ORDER-2."""
    table = trio()
    declared(table, ["unarmed"])
    table.refuses("MQ-ABORT-1", strike_at("bob", "ann", defence="dodge"))


def test_a_willpower_roll_turns_an_action_into_a_defence():
    """MQ-ABORT-1: Willpower alone against 6; no action itself, so unhindered."""
    table = trio(willpower=4)
    declared(table, ["unarmed"])
    told = only(Aborted, table.does(Abort("ann"), roll=[6, 2, 3, 4]))
    assert (told.succeeded, told.roll.plan.pool, told.roll.roll.difficulty) == (True, 4, 6)
    table.does(strike_at("bob", "ann", defence="dodge"), attack=[2] * 4, defence=[2] * 5)
    table.refuses("MQ-MULTI-1", strike_at("ann", "bob"))


def test_a_failed_willpower_roll_aborts_nothing():
    """MQ-ABORT-1."""
    table = trio(willpower=2)
    declared(table, ["unarmed"])
    assert not only(Aborted, table.does(Abort("ann"), roll=[5, 2])).succeeded
    table.refuses("MQ-ABORT-1", strike_at("bob", "ann", defence="dodge"))
    table.attacks("ann", "bob", attack=[2] * 6)


def test_a_willpower_roll_is_tried_once_a_turn():
    """MQ-ABORT-1: a point is left to those who failed."""
    table = trio(willpower=2)
    declared(table, ["unarmed"])
    table.does(Abort("ann"), roll=[5, 2])
    table.refuses("MQ-ABORT-1", Abort("ann"))
    table.does(Abort("ann", "point"))


def test_a_sheet_without_willpower_dots_rolls_its_points():
    """MQ-ABORT-1."""
    table = trio()
    declared(table, ["unarmed"])
    assert only(Aborted, table.does(Abort("ann"), roll=[6, 2, 3])).succeeded


def test_a_willpower_point_aborts_for_certain():
    """MQ-ABORT-1."""
    table = trio()
    declared(table, ["unarmed", "unarmed"])
    table.does(Abort("ann", "point"))
    assert table.turn("ann").actions == ("defence", "unarmed")
    assert table.sheet("ann").resources["willpower"] == 2


def test_nothing_is_aborted_without_an_action_a_point_or_a_way_to_pay():
    """MQ-ABORT-1."""
    table = trio()
    table.refuses("MQ-ABORT-1", Abort("bob", "point"))
    table.refuses("input", Abort("ann", "promise"))
    table.attacks("ann", "cy", attack=[2] * 6)
    table.refuses("MQ-ABORT-1", Abort("ann", "point"))
    table.does(Abort("ann", "point"), waive={"MQ-ABORT-1"})
    assert table.turn("ann").actions == ()


def test_a_waived_point_is_not_taken_below_zero():
    """MQ-ABORT-1."""
    table = trio()
    table.does(Abort("bob", "point"), waive={"MQ-ABORT-1"})
    assert table.sheet("bob").resources["willpower"] == 0


def test_a_character_who_does_nothing_else_defends_with_one_die_fewer_each_time():
    """MQ-DEF-4: 5, then 4, then 3."""
    table = trio()
    table.does(FullDefence("ann"))
    for dice in (5, 4, 3):
        told = table.does(
            strike_at("bob", "ann", defence="dodge"), waive={"MQ-MULTI-1"}, attack=[2] * 4, defence=[2] * dice
        )
        plan = only(AttackResolved, told).results[0].defence.plan
        assert plan.pool == dice
        assert parts(plan).get("again") == (("MQ-DEF-4", dice - 5) if dice < 5 else None)


def test_full_defence_is_full_whatever_defences_were_declared():
    """MQ-DEF-4: no share of a split."""
    table = trio()
    declared(table, ["dodge", "parry"])
    table.does(FullDefence("ann"))
    table.does(strike_at("bob", "ann", defence="dodge"), attack=[2] * 4, defence=[2] * 5)
    table.does(strike_at("cy", "ann", defence="dodge"), attack=[2] * 4, defence=[2] * 4)


def test_full_defence_may_be_declared():
    """MQ-DEF-4."""
    table = trio()
    declared(table, ["full_defence"])
    table.does(strike_at("bob", "ann", defence="dodge"), attack=[2] * 4, defence=[2] * 5)
    table.does(strike_at("cy", "ann", defence="dodge"), attack=[2] * 4, defence=[2] * 4)


def test_a_character_in_full_defence_does_nothing_else():
    """MQ-DEF-4."""
    table = trio()
    table.does(FullDefence("ann"))
    table.refuses("MQ-DEF-4", strike_at("ann", "bob"))
    assert places(table) == ["bob", "cy"]


def test_who_has_acted_or_promised_to_cannot_do_nothing_but_defend():
    """MQ-DEF-4, MQ-ABORT-1."""
    table = trio()
    declared(table, ["unarmed"])
    table.refuses("MQ-ABORT-1", FullDefence("ann"))
    table.attacks("bob", "cy", attack=[2] * 4)
    table.refuses("MQ-DEF-4", FullDefence("bob"))


def test_a_new_turn_wipes_what_was_said_and_done():
    """MQ-TURN-1."""
    table = trio()
    declared(table, ["unarmed", "dodge"], delay=True)
    table.attacks("ann", "bob", attack=[2] * 3)
    table.does(EndTurn())
    fresh = Table(ann=mortal()).turn("ann")
    assert all(combatant.turn == fresh for combatant in table.state.combatants.values())
    assert (table.state.acting, table.state.visited, table.state.rank_start) == ((), (), {})


def test_an_answer_has_its_own_share():
    """MQ-MULTI-1: a defender may choose the dice of her dodge too."""
    table = trio()
    declared(table, ["dodge", "dodge"])
    chosen = Defence("dodge", modifiers=(Modifier("split", {"dice": 4}),))
    table.does(strike_at("bob", "ann", defence=chosen), attack=[2] * 4, defence=[2] * 4)
    table.does(strike_at("cy", "ann", defence="dodge"), attack=[2] * 4, defence=[2])


@pytest.mark.parametrize(
    ("ruleset", "at_will"), [("masquerade", False), ("apocalypse", False), ("darkness", False), ("wounds", True)]
)
def test_only_those_who_split_without_being_asked_declare_at_will(ruleset, at_will):
    """WL-SPLIT-1 offers a split; MQ-DECL-1 asks everybody, and WD-TURN-1 leaves nothing to split."""
    assert RULESETS[ruleset].turns.at_will is at_will


def test_a_hidden_one_who_is_slower_holds_nobody_up_who_is_in_sight():
    """MQ-DECL-1: a refusal would tell a player that somebody unseen has still to speak; the hidden wait as all do."""
    table = trio()
    table.does(SetVisibility("cy", hidden=True))
    table.does(Declare("bob"))
    table.does(SetVisibility("ann", hidden=True))
    table.refuses("MQ-DECL-1", Declare("ann"))
