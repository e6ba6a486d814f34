"""Several actions: their places at the end of the turn, and shares of one pool (MQ-MULTI-1, MQ-ORDER-*)."""

from __future__ import annotations

import pytest

from rules.engine.violations import RuleViolation
from rules.model.choices import Defence, Modifier
from rules.model.gear import Damage
from rules.model.results import Outcome
from rules.model.state import Phase
from rules.model.system import Game
from rules.strike.attack import plan_attack
from rules.topics.commands import Act, Declare, Harm
from rules.topics.turns.decide import shares
from tests.rules.table import MASQUERADE, Table, mortal, strike_at, vampire
from tests.rules.trio import declared, places, trio


def test_further_actions_come_last_by_rating():
    """MQ-ORDER-3: Cy's rating is higher, although Bob's total is."""
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
    """MQ-INIT-2, MQ-ORDER-3: a dead combatant's further action has no place."""
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
    plan = plan_attack(Game(table.state, MASQUERADE), strike_at("bob", "ann", defence="dodge"))
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


def test_an_answer_has_its_own_share():
    """MQ-MULTI-1: a defender may choose the dice of her dodge too."""
    table = trio()
    declared(table, ["dodge", "dodge"])
    chosen = Defence("dodge", modifiers=(Modifier("split", {"dice": 4}),))
    table.does(strike_at("bob", "ann", defence=chosen), attack=[2] * 4, defence=[2] * 4)
    table.does(strike_at("cy", "ann", defence="dodge"), attack=[2] * 4, defence=[2])


# ------------------------------------------------------------------ planned shares


def planned(table: Table, *actions: str) -> tuple[int, ...]:
    """Ann's shares of these actions."""
    return shares(Game(table.state, table.ruleset), Declare("ann", actions=actions))


def test_several_actions_share_the_smallest_pool_evenly_the_first_ones_first():
    """MQ-MULTI-1: five dice to brawl with, seven to dodge with."""
    table = Table(ann=vampire(dexterity=3, brawl=2, dodge=4, celerity=1), bob=mortal())
    assert planned(table, "unarmed", "dodge") == (3, 2)
    assert planned(table, "unarmed", "dodge", "celerity", "look around") == (2, 2, 1)
    assert planned(table, "unarmed") == planned(table, "unarmed", "celerity") == ()
    assert planned(table, "look around", "shout") == ()
    with pytest.raises(RuleViolation):
        planned(table, *["unarmed"] * 6)
