"""The initiative roster: rolled once or every turn, ties, changes of rank, surprise."""

from __future__ import annotations

from rules.engine.dice import Purpose, Throw
from rules.model.attack import Attack
from rules.model.results import Outcome
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.topics.commands import (
    ChangeConditions,
    CheckSurprise,
    EndTurn,
    FreshStart,
    Join,
    Newcomer,
    RollInitiative,
    SetInitiativeMode,
)
from rules.topics.events import ConditionsChanged, FreshStartTaken, InitiativeModeSet, RankMoved, TraitsRolled
from tests.rules.systems.storytelling.table import order, rated, sheet, table, totals
from tests.rules.table import only

EVERY_TURN = DARKNESS.with_options({"initiative_every_turn": True})


# ------------------------------------------------------------------ initiative


def test_initiative_is_rolled_once_for_the_whole_fight(three):
    """WD-INIT-1."""
    assert (order(three), totals(three)) == (["ann", "bob", "cy"], {"ann": 10, "bob": 6, "cy": 5})
    three.refuses("input", RollInitiative())
    three.does(EndTurn())
    three.refuses("input", RollInitiative())
    assert order(three) == ["ann", "bob", "cy"]


def test_wounds_do_not_slow():
    at = table(ann=rated(6, marks="//////"))
    at.initiative(ann=4)
    assert totals(at) == {"ann": 10}


def test_the_storyteller_may_have_anybody_roll_anew(three):
    three.does(RollInitiative(("cy",)), initiative={"cy": [10]})
    assert order(three) == ["cy", "ann", "bob"]


def test_a_newcomer_is_put_among_those_who_are_there(three):
    three.does(Join((Newcomer("dee", rated(5)),)))
    assert DARKNESS.initiative.due(three.state, ["ann", "dee"]) == ("dee",)
    three.does(RollInitiative(), initiative={"dee": [3]})
    assert order(three) == ["ann", "dee", "bob", "cy"]


def test_nobody_rolls_who_cannot_act():
    at = table(ann=rated(5, marks="XXXXXXX"))
    assert "act" in at.refuses("input", RollInitiative())


def test_ties_are_broken_by_rating_then_by_dice_again_and_again():
    """WD-INIT-2."""
    at = table(ann=rated(5), bob=rated(5), cy=rated(5), dan=rated(7))
    dice = {"ann": [6], "bob": [6], "cy": [6], "dan": [4]}
    at.does(RollInitiative(), initiative=dice, tie={"ann": [5, 2], "bob": [5, 9], "cy": [7]})
    assert order(at) == ["dan", "cy", "bob", "ann"]
    assert [at.state.initiative[who].ties for who in order(at)] == [(), (7,), (5, 9), (5, 2)]


def test_who_ties_later_rolls_against_the_dice_that_lie():
    """WD-INIT-2: the order among earlier ties stays."""
    at = table(ann=rated(5), bob=rated(5))
    at.does(RollInitiative(), initiative={"ann": [6], "bob": [6]}, tie={"ann": [3, 4], "bob": [3, 8]})
    at.does(Join((Newcomer("cy", rated(5)),)))
    at.does(RollInitiative(), initiative={"cy": [6]}, tie={"cy": [3, 5]})
    assert order(at) == ["bob", "cy", "ann"]


def test_a_rating_of_ones_own_comes_before_the_traits():
    at = table(ann=sheet(initiative=9))
    at.initiative(ann=1)
    assert totals(at) == {"ann": 10}


# ------------------------------------------------------------------ every turn, and fresh starts


def test_every_turn_is_a_switch_of_the_chronicle_or_of_the_fight():
    """WD-INIT-4."""
    part, every_turn = DARKNESS.initiative, EVERY_TURN.initiative
    at = table(ann=rated(5))
    assert every_turn.notice(at.state)
    assert not part.notice(at.state)
    assert only(InitiativeModeSet, at.does(SetInitiativeMode(every_turn=True))).every_turn
    assert part.each_turn(at.state)
    assert part.notice(at.state)
    at.does(SetInitiativeMode(every_turn=False))
    assert not every_turn.each_turn(at.state)
    assert not every_turn.notice(at.state)


def test_the_classic_family_rolls_every_turn_and_says_nothing_of_it():
    at = table(MASQUERADE, ann=sheet())
    assert MASQUERADE.initiative.each_turn(at.state)
    assert MASQUERADE.initiative.notice(at.state) == ""


def test_a_fresh_start_rolls_twice_where_everybody_rolls_every_turn():
    """WD-INIT-4."""
    merit = frozenset({"fresh_start"})
    at = table(EVERY_TURN, ann=rated(4, merits=merit), bob=rated(5))
    at.does(RollInitiative(), initiative={"ann": [3, 8], "bob": [5]})
    assert totals(at) == {"ann": 12, "bob": 10}
    at.refuses("WD-INIT-4", FreshStart("ann", 20))
    at.does(EndTurn())
    at.does(ChangeConditions("bob", add=frozenset({"unconscious"})))
    at.does(RollInitiative(), initiative={"ann": [1, 2]})
    assert totals(at) == {"ann": 6}


def test_a_fresh_start_is_a_new_rank_from_the_next_turn_on():
    """WD-INIT-3."""
    at = table(ann=rated(4, merits=frozenset({"fresh_start"})), bob=rated(6))
    at.refuses("input", FreshStart("ann", 13))
    at.initiative(ann=3, bob=6)
    at.refuses("WD-INIT-3", FreshStart("bob", 20))
    for rank in (0, 101):
        at.refuses("input", FreshStart("ann", rank))
    assert only(FreshStartTaken, at.does(FreshStart("ann", 13))).rank == 13
    at.refuses("WD-TURN-1", Attack("ann", ("bob",)))
    assert order(at) == ["bob", "ann"]
    at.does(EndTurn())
    assert (order(at), totals(at)["ann"]) == (["ann", "bob"], 13)
    at.does(EndTurn())
    assert order(at) == ["ann", "bob"]


def test_a_rank_that_somebody_has_is_settled_as_a_tie():
    """WD-INIT-3, WD-INIT-2."""
    at = table(ann=rated(4, merits=frozenset({"fresh_start"})), bob=rated(4))
    at.initiative(ann=1, bob=8)
    at.does(FreshStart("ann", 12))
    moved = only(RankMoved, at.does(EndTurn(), tie={"ann": [9], "bob": [2]}))
    assert set(moved.scores) == {"ann", "bob"}
    assert order(at) == ["ann", "bob"]


# ------------------------------------------------------------------ surprise


def test_an_ambush_is_seen_or_not():
    """WD-SURP-1."""
    at = table(ann=rated(6), bob=sheet(wits=3, composure=2), cy=sheet(wits=1, composure=1))
    told = at.does(CheckSurprise(("bob", "cy")), roll={"bob": [8, 1, 1, 1, 1], "cy": [1, 1]})
    rolls = [event for event in told if isinstance(event, TraitsRolled)]
    assert [(event.by, event.outcome, event.resolution) for event in rolls] == [
        ("bob", Outcome.SUCCESS, "r1"),
        ("cy", Outcome.FAIL, "r2"),
    ]
    assert only(ConditionsChanged, told).who == "cy"
    at.does(RollInitiative(), initiative={"ann": [1], "bob": [1]})
    assert "cy" not in order(at)
    at.refuses("WD-SURP-1", Attack("cy", ("ann",)))
    at.refuses("WD-SURP-1", CheckSurprise(("bob",)))
    at.does(EndTurn())
    assert at.conditions("cy") == set()
    at.does(RollInitiative(), initiative={"cy": [10]})
    assert order(at)[0] == "cy"


def test_surprise_can_be_said_with_the_roll():
    at = table(ann=rated(6), bob=rated(4))
    at.does(RollInitiative(surprised=("bob",)), initiative={"ann": [1]})
    assert (order(at), at.conditions("bob")) == (["ann"], {"surprised"})
    at.refuses("WD-SURP-1", RollInitiative(surprised=("ann",)))
    at.refuses("input", RollInitiative(surprised=("zed",)))


def test_nobody_is_surprised_twice_or_by_no_name():
    at = table(ann=rated(6))
    for names in ((), ("ann", "ann"), ("zed",)):
        at.refuses("input", CheckSurprise(names))


def test_a_family_without_surprise_has_all_of_them_roll():
    at = table(MASQUERADE, ann=sheet(), bob=sheet())
    at.does(RollInitiative(surprised=("bob",)), initiative={"ann": [5], "bob": [1]})
    assert order(at) == ["ann", "bob"]


def test_only_ties_and_what_is_rolled_again_go_on():
    assert Throw(Purpose.TIE, "ann", 1).may_go_on
    assert Throw(Purpose.ATTACK, "ann", 1, again=10).may_go_on
    assert not Throw(Purpose.ATTACK, "ann", 1).may_go_on
