"""One action per turn, delaying and its cost."""

from __future__ import annotations

from rules.model.attack import Attack
from rules.model.gear import Fault
from rules.model.state import Stage
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.topics.commands import (
    Abort,
    Act,
    ChangeConditions,
    CheckSurprise,
    ClearJam,
    Declare,
    Delay,
    EndTurn,
    FreshStart,
    FullDefence,
    HoldOver,
    Join,
    Leave,
    Newcomer,
    Reload,
    RollInitiative,
    SetInitiativeMode,
    SetOrder,
    SetVisibility,
)
from rules.topics.events import HeldOver, RankMoved
from rules.topics.turns.course import holds
from tests.rules.systems.storytelling.table import GUN, order, rated, strikes, table, totals
from tests.rules.table import only

# ------------------------------------------------------------------ one action


def test_a_turn_has_one_action(three):
    """WD-TURN-1."""
    strikes(three, "ann", "bob")
    three.refuses("WD-TURN-1", Attack("ann", ("bob",)))
    three.refuses("WD-TURN-1", Declare("bob", actions=("melee", "firearm")))
    three.does(Declare("bob", "I run for it", actions=("melee",)))
    assert three.turn("bob").declaration.text == "I run for it"
    assert DARKNESS.turns.declaring(three.state) == ()


def test_guns_take_their_action_too():
    jammed = GUN.__class__(**{**{f: getattr(GUN, f) for f in GUN.__slots__}, "fault": Fault.JAMMED, "name": "jammed"})
    at = table(ann=rated(6, weapons=(GUN, jammed)), bob=rated(4))
    at.initiative(ann=4, bob=2)
    at.does(Reload("ann", "gun"))
    at.refuses("WD-TURN-1", ClearJam("ann", "jammed"))
    at.does(EndTurn())
    at.does(ClearJam("ann", "jammed"))
    assert at.weapon("ann", "jammed").fault is None


def test_without_ranks_anybody_acts_as_often_as_they_like():
    at = table(ann=rated(6), bob=rated(4))
    strikes(at, "ann", "bob")
    strikes(at, "ann", "bob")
    at.does(HoldOver("ann"))
    strikes(at, "ann", "bob")


def test_what_a_family_has_no_rule_for_is_no_command_of_it():
    at = table(ann=rated(6), bob=rated(4))
    for command in (Abort("ann"), FullDefence("ann")):
        assert "has no such action" in at.refuses("input", command)
    for command in (HoldOver, FreshStart, SetInitiativeMode, CheckSurprise):
        assert DARKNESS.knows(command)
        assert not MASQUERADE.knows(command)


# ------------------------------------------------------------------ waiting


def test_the_roster_is_gone_down_one_by_one(three):
    visits = []
    for _ in range(4):
        three.does(Act())
        visits.append(three.state.acting)
    assert visits == [("ann",), ("bob",), ("cy",), ()]
    assert three.state.stage is Stage.RESOLUTION


def test_one_step_leads_from_the_last_action_to_the_next_turns_first(three):
    """WD-TURN-1."""
    for acts in (3, 4):
        for _ in range(acts - len(three.state.visited)):
            three.does(Act())
        three.does(EndTurn(onward=True))
        assert three.state.acting == ("ann",)
    assert three.state.turn == 3


def test_the_next_turn_waits_for_those_without_a_rank(three):
    """WD-INIT-1."""
    three.does(Join((Newcomer("dan", rated(4), hidden=True),)))
    three.does(EndTurn(onward=True))
    assert three.state.acting == ("ann",)
    three.does(SetVisibility("dan", hidden=False))
    three.does(EndTurn(onward=True))
    assert (three.state.turn, three.state.acting) == (3, ())


def test_the_next_turn_begins_without_anybody_if_nobody_can_act(three):
    for who in ("ann", "bob", "cy"):
        three.does(ChangeConditions(who, frozenset({"unconscious"})))
    three.does(EndTurn(onward=True))
    assert (three.state.turn, three.state.stage) == (2, Stage.INITIATIVE)


def test_acting_right_after_somebody_is_one_rank_lower(three):
    """WD-DELAY-1."""
    three.does(Act())
    three.does(Delay("ann", "until he moves"))
    three.does(Act())
    strikes(three, "bob", "cy")
    assert not strikes(three, "ann", "bob").out_of_order
    assert (order(three), totals(three)["ann"]) == (["bob", "ann", "cy"], 5)
    three.does(EndTurn())
    assert order(three) == ["bob", "ann", "cy"]


def test_a_prepared_action_goes_right_before(three):
    """WD-DELAY-1."""
    three.does(Delay("ann"))
    three.does(Act())
    assert three.state.acting == ("bob",)
    strikes(three, "ann", "bob")
    assert (order(three), totals(three)["ann"]) == (["ann", "bob", "cy"], 7)


def test_a_held_action_can_be_taken_until_it_is_spent(three):
    """WD-DELAY-1, WD-DELAY-3: from one's own place on, or at any moment of the turn after it was held over."""
    three.does(Delay("bob"))
    held = [holds(three.state, "bob")]
    for _ in range(2):
        three.does(Act())
        held.append(holds(three.state, "bob"))
    strikes(three, "bob", "cy")
    assert [*held, holds(three.state, "bob")] == [False, False, True, False]
    three.does(HoldOver("cy"))
    assert not holds(three.state, "cy")
    three.does(EndTurn())
    assert holds(three.state, "cy")


def test_nobody_waits_their_way_up():
    at = table(ann=rated(6), bob=rated(4))
    at.does(RollInitiative(), initiative={"ann": [1], "bob": [3]})
    at.does(Delay("ann"))
    at.does(Act())
    strikes(at, "ann", "bob")
    assert totals(at)["ann"] == 7


def test_ones_own_place_is_not_left_by_waiting_in_it(three):
    three.does(Delay("ann"))
    assert not [event for event in three.does(Attack("ann", ("bob",)), attack=[1, 1, 1]) if type(event) is RankMoved]
    three.does(EndTurn())
    three.does(Act())
    three.does(Delay("ann"))
    strikes(three, "ann", "bob")
    assert totals(three)["ann"] == 10


def test_loading_a_gun_late_costs_the_same_places():
    at = table(ann=rated(6, weapons=(GUN,)), bob=rated(4))
    at.initiative(ann=4, bob=2)
    at.does(Delay("ann"))
    at.does(Act())
    strikes(at, "bob", "ann")
    at.does(Reload("ann", "gun"))
    assert order(at) == ["bob", "ann"]


def test_after_one_who_waits_or_holds_over_is_after_their_place(three):
    for command in (Delay("bob"), HoldOver("bob")):
        three.does(Delay("ann"))
        three.does(Act())
        three.does(command)
        strikes(three, "ann", "cy")
        assert order(three)[:2] == ["bob", "ann"]
        three.does(EndTurn())
        three.does(SetOrder((("ann",), ("bob",), ("cy",))))
        three.does(RollInitiative(("ann",)), initiative={"ann": [4]})


def test_who_waited_to_the_end_comes_last(three):
    three.does(Delay("ann"))
    for _ in range(3):
        three.does(Act())
    assert three.state.acting == ("ann",)
    strikes(three, "ann", "bob")
    assert (order(three), totals(three)["ann"]) == (["bob", "cy", "ann"], 4)


def test_who_waits_alone_keeps_the_rank():
    at = table(ann=rated(6), bob=rated(4))
    at.initiative(ann=4, bob=2)
    at.does(ChangeConditions("bob", add=frozenset({"unconscious"})))
    at.does(Delay("ann"))
    at.does(Act())
    assert at.state.acting == ("ann",)
    strikes(at, "ann", "bob")
    assert totals(at)["ann"] == 10


def test_after_the_last_of_all_have_acted_it_is_after_them(three):
    three.does(HoldOver("ann"))
    three.does(EndTurn())
    for _ in range(2):
        three.does(Act())
    three.does(Leave("cy"))
    strikes(three, "ann", "bob")
    assert totals(three)["ann"] == 5
    three.does(EndTurn())
    assert totals(three)["ann"] == 10


def test_whose_predecessor_has_left_stays_where_they_are(three):
    three.does(Delay("ann"))
    three.does(Act())
    three.does(Leave("bob"))
    strikes(three, "ann", "cy")
    assert totals(three)["ann"] == 10


def test_two_at_the_same_moment_go_by_rating(three):
    """WD-DELAY-2."""
    three.does(Delay("ann"))
    three.does(Delay("bob"))
    three.does(Act())
    strikes(three, "cy", "ann")
    strikes(three, "bob", "cy")
    strikes(three, "ann", "cy")
    assert (order(three), totals(three)) == (["cy", "ann", "bob"], {"ann": 4, "bob": 4, "cy": 5})


def test_two_at_the_same_moment_with_one_rating_roll():
    """WD-DELAY-2."""
    at = table(ann=rated(5), bob=rated(5), cy=rated(3))
    at.initiative(ann=9, bob=5, cy=1)
    at.does(Delay("ann"))
    at.does(Delay("bob"))
    at.does(Act())
    strikes(at, "ann", "cy")
    strikes(at, "bob", "cy", tie={"ann": [3], "bob": [8]})
    assert (order(at), totals(at)) == (["bob", "ann", "cy"], {"ann": 5, "bob": 5, "cy": 4})


def test_two_who_waited_to_the_end_are_settled_when_their_time_comes():
    """WD-DELAY-2."""
    at = table(ann=rated(5), bob=rated(5), cy=rated(3))
    at.initiative(ann=9, bob=5, cy=1)
    at.does(Delay("ann"))
    at.does(Delay("bob"))
    at.does(Act())
    at.does(Act(), tie={"ann": [4, 2], "bob": [4, 6]})
    assert at.state.acting == ("bob",)
    assert DARKNESS.turns.next_visit(at.state).ids == ("ann",)
    strikes(at, "bob", "cy")
    at.does(Act())
    assert at.state.acting == ("ann",)


def test_ranks_that_the_storyteller_made_one_are_left_to_act_together(three):
    three.does(SetOrder((("ann", "bob"), ("cy",))))
    three.does(Act())
    assert three.state.acting == ("ann", "bob")
    three.does(Delay("ann"))
    three.does(Act())
    strikes(three, "ann", "cy")
    assert sorted(order(three)) == ["ann", "bob", "cy"]


def test_a_turn_held_over_is_any_moment_of_the_next(three):
    """WD-DELAY-3."""
    assert only(HeldOver, three.does(HoldOver("cy"))).by == "cy"
    three.refuses("WD-DELAY-3", Attack("cy", ("ann",)))
    three.refuses("WD-DELAY-3", HoldOver("cy"))
    three.does(EndTurn())
    assert not strikes(three, "cy", "ann").out_of_order
    assert (order(three), totals(three)["cy"]) == (["cy", "ann", "bob"], 11)
    three.refuses("WD-TURN-1", Attack("cy", ("ann",)))
    three.does(EndTurn())
    assert (order(three), totals(three)["cy"]) == (["ann", "bob", "cy"], 5)
    assert strikes(three, "cy", "ann").out_of_order


def test_who_held_over_may_also_come_late_or_not_at_all(three):
    three.does(HoldOver("ann"))
    three.does(EndTurn())
    visits = []
    for _ in range(4):
        three.does(Act())
        visits.append(three.state.acting)
    assert visits == [("bob",), ("cy",), ("ann",), ()]
    three.does(EndTurn())
    assert totals(three) == {"ann": 10, "bob": 6, "cy": 5}


def test_alone_in_the_order_a_free_moment_is_ones_own():
    at = table(ann=rated(6), bob=rated(4))
    at.does(RollInitiative(("ann",)), initiative={"ann": [4]})
    at.does(HoldOver("ann"))
    at.does(EndTurn())
    strikes(at, "ann", "bob")
    assert totals(at) == {"ann": 10}


# ------------------------------------------------------------------ beside somebody hidden


def test_nobody_is_slotted_in_beside_a_hidden_one(three):
    """Players read the rank: it must be the same with or without Ann, who is first."""
    three.does(SetVisibility("ann", hidden=True))
    three.does(HoldOver("cy"))
    three.does(EndTurn())
    strikes(three, "cy", "bob")
    assert (order(three), totals(three)["cy"]) == (["cy", "ann", "bob"], 7)


def test_where_all_others_are_hidden_a_free_moment_changes_no_rank():
    at = table(ann=rated(6), bob=rated(4))
    at.does(RollInitiative(), initiative={"ann": [4], "bob": [1]})
    at.does(SetVisibility("ann", hidden=True))
    at.does(HoldOver("bob"))
    at.does(EndTurn())
    strikes(at, "bob", "ann")
    assert totals(at)["bob"] == 5


def test_whoever_waits_for_hidden_ones_alone_keeps_the_rank():
    at = table(ann=rated(6), bob=rated(4))
    at.does(RollInitiative(), initiative={"ann": [1], "bob": [9]})
    at.does(SetVisibility("ann", hidden=True))
    at.does(Act())
    at.does(Delay("bob"))
    at.does(Act())
    assert not strikes(at, "bob", "ann").out_of_order
    assert (order(at), totals(at)["bob"]) == (["bob", "ann"], 13)
