"""Turns in Apocalypse, and the effect of daze on them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.gear import Damage
from rules.model.results import Outcome
from rules.model.roll import RollTraits
from rules.model.sheet import Sheet
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.topics.commands import (
    Abort,
    ChangeConditions,
    Declare,
    EndTurn,
    FullDefence,
    Harm,
    Join,
    Newcomer,
    RollInitiative,
    SetOrder,
    TakeAction,
)
from rules.topics.commands import Act as Act_
from rules.topics.events import ResourceChanged, StandingsChanged
from tests.rules.systems.apocalypse.hunt import garou, plain, table
from tests.rules.table import PISTOL, Table, mortal, only, strike_at

# ------------------------------------------------------------------ initiative and turns


def test_initiative_is_rolled_once_and_newcomers_join_in():
    """AP-INIT-1."""
    played = plain()
    assert "kept" in played.refuses("AP-INIT-1", RollInitiative())
    played.does(Join((Newcomer("cyd", mortal(dexterity=2, wits=2)),)))
    assert played.refuses("AP-INIT-1", RollInitiative(("cyd", "bob")))
    played.does(RollInitiative(), initiative={"cyd": [1]})
    assert played.state.order == (("ann",), ("cyd",), ("bob",))
    assert {who: score.total for who, score in played.state.initiative.items()} == {"ann": 8, "cyd": 5, "bob": 3}
    played.does(RollInitiative(), waive=["AP-INIT-1"], initiative={"ann": [1], "bob": [9], "cyd": [1]})
    assert played.state.order == (("bob",), ("ann",), ("cyd",))


def test_a_standing_moves_with_the_wounds_and_leaves_the_storytellers_order_alone():
    """AP-INIT-3: it is inserted before the first that is not better."""
    played = plain(cyd=mortal(dexterity=3, wits=3), dee=mortal())
    played.does(SetOrder((("bob",), ("ann",), ("cyd",), ("dee",))))
    assert not [event for event in played.does(EndTurn()) if isinstance(event, StandingsChanged)]
    played.does(Harm("cyd", 5, Damage.LETHAL))
    told = only(StandingsChanged, played.does(EndTurn()))
    assert told.scores["cyd"].total == 5
    # The Storyteller set Bob's place; Cyd (5) acts before Dee (3), whose total equals Bob's.
    assert told.order == (("cyd",), ("bob",), ("ann",), ("dee",))


def test_several_standings_that_move_find_their_places_among_each_other():
    """AP-INIT-3: wounds reduce 8 and 7 to 6 each, with a rating of 4; Dee keeps 3."""
    played = table(ann=mortal(dexterity=3, wits=3), bob=mortal(dexterity=3, wits=2), dee=mortal())
    played.initiative(ann=2, bob=2, dee=1)
    assert played.state.order == (("ann",), ("bob",), ("dee",))
    played.does(Harm("ann", 4, Damage.BASHING))
    played.does(Harm("bob", 2, Damage.BASHING))
    played.does(EndTurn())
    assert {who: score.total for who, score in played.state.initiative.items()} == {"ann": 6, "bob": 6, "dee": 3}
    # Equal in total and in rating, 4 each: they share a rank, in the order of the cast.
    assert played.state.order == (("ann", "bob"), ("dee",))
    played.does(Harm("bob", 2, Damage.BASHING))
    played.does(Harm("dee", 2, Damage.BASHING))
    played.does(EndTurn())
    assert played.state.order == (("ann",), ("bob",), ("dee",))


def test_equal_standings_are_shared_in_the_order_of_the_cast():
    """AP-INIT-2, AP-INIT-3: Ann falls to 3 with a rating of 1 (Dexterity + Wits 2 less 1)."""
    played = table(ann=mortal(), bob=mortal("//"))
    played.initiative(ann=1, bob=1)
    assert played.state.order == (("ann",), ("bob",))
    played.does(Harm("ann", 2, Damage.BASHING))
    played.does(EndTurn())
    assert played.state.order == (("ann", "bob"),)
    played.does(Harm("bob", 4, Damage.BASHING))
    played.does(EndTurn())
    assert played.state.order == (("ann",), ("bob",))


def test_initiative_of_every_turn_is_not_touched_by_its_end():
    """AP-INIT-1: the house rule."""
    played = table(APOCALYPSE.with_options({"initiative_every_turn": True}), ann=mortal(), bob=mortal())
    played.initiative(ann=5, bob=1)
    played.does(Harm("ann", 5, Damage.BASHING))
    played.does(TakeAction("knockdown", "bob"), check=[6])
    assert not [event for event in played.does(EndTurn()) if isinstance(event, StandingsChanged)]
    played.initiative(ann=5, bob=6)
    assert played.state.initiative["bob"].total == 6 + 2 - 2


def test_all_declare_at_once_or_the_slowest_first():
    """AP-DECL-1."""
    assert APOCALYPSE.turns.declaring(plain().state) == ("ann", "bob")
    strict = APOCALYPSE.with_options({"slowest_declare_first": True})
    assert strict.turns.declaring(plain().state) == ("bob",)


def test_rage_buys_actions_and_is_given_back_when_it_is_declared_anew():
    """AP-ORDER-3."""
    played = plain(ann=garou(dexterity=3, wits=3, rage=3))
    told = only(ResourceChanged, played.does(Declare("ann", actions=("unarmed", "rage", "rage"))))
    assert (told.resource, told.left, told.spent) == ("rage", 1, 2)
    told = only(ResourceChanged, played.does(Declare("ann", actions=("unarmed", "rage"))))
    assert (told.left, told.spent) == (2, -1)
    assert played.turn("ann").actions == ("unarmed", "rage")
    assert APOCALYPSE.turns.most_fast(played.sheet("ann")) == 2
    assert "Rage" in played.refuses("AP-RAGE-1", Declare("ann", actions=("rage",) * 4))


def test_points_that_are_meant_to_be_spent_are_there_and_stay():
    """AP-DECL-1."""
    played = plain(ann=garou(dexterity=3, wits=3, rage=3, gnosis=1))
    played.does(Declare("ann", points={"gnosis": 1}))
    assert played.turn("ann").declaration.points == {"gnosis": 1}
    assert played.sheet("ann").resources == {}
    assert "Gnosis" in played.refuses("AP-GNOSIS-1", Declare("ann", points={"gnosis": 2}))
    played.refuses("input", Declare("ann", points={"rage": -1}))


def test_nothing_but_defences_is_a_turn_of_defence():
    """AP-MULTI-1, AP-DEF-4; an action that was bought is something else."""
    played = plain(ann=garou(dexterity=3, wits=3, rage=3))
    played.does(Declare("ann", actions=("dodge", "block")))
    assert played.turn("ann").full_defence
    played.does(Declare("ann", actions=("dodge", "block", "rage")))
    assert not played.turn("ann").full_defence


def test_any_action_left_becomes_a_defence_and_none_is_aborted():
    """AP-ORDER-2."""
    played = plain()
    played.does(Declare("bob", actions=("unarmed",)))
    assert played.refuses("input", Abort("bob", "point"))
    played.does(strike_at("ann", "bob", defence="dodge"), attack=[2] * 5, defence=[2])
    assert played.turn("bob").actions == ()
    played.refuses("AP-ORDER-2", strike_at("ann", "bob", defence="dodge"), waive=["AP-MULTI-1"])
    played.does(EndTurn())
    played.does(Declare("bob", actions=("unarmed",)))
    played.does(FullDefence("bob"))
    assert played.turn("bob").full_defence


# ------------------------------------------------------------------ dazed


def dazed(**more: Sheet) -> Table:
    played = plain(**more)
    played.does(ChangeConditions("bob", add=frozenset({"dazed"})))
    return played


def test_the_dazed_lose_the_turn_that_they_still_had():
    """AP-SIT-4."""
    played = dazed()
    assert played.refuses("AP-SIT-4", strike_at("bob", "ann"))
    played.refuses("AP-SIT-4", strike_at("ann", "bob", defence="dodge"))
    assert APOCALYPSE.turns.declaring(played.state) == ("ann",)
    played.does(Act_())
    played.does(Act_())
    assert played.state.acting == ()
    played.does(EndTurn())
    assert played.conditions("bob") == set()


def test_the_dazed_who_have_acted_or_defend_lose_the_next():
    """AP-SIT-4."""
    played = plain()
    played.does(strike_at("bob", "ann"), attack=[2])
    played.does(FullDefence("ann"))
    played.does(ChangeConditions("bob", add=frozenset({"dazed"})))
    played.does(ChangeConditions("ann", add=frozenset({"dazed"})))
    played.does(EndTurn())
    assert played.conditions("ann") == played.conditions("bob") == {"dazed"}
    assert played.refuses("AP-SIT-4", RollTraits("bob", ("wits",)))
    played.does(EndTurn())
    assert played.conditions("ann") == played.conditions("bob") == set()


def test_what_is_done_simultaneously_stops_nobody():
    """AP-INIT-2, AP-SIT-4."""
    played = table(ann=mortal(strength=5), bob=mortal())
    played.initiative(ann=5, bob=5)
    played.does(Act_())
    played.attacks("ann", "bob", attack=[6], damage=[6, 6, 6, 6, 2], soak=[2])
    assert "dazed" in played.conditions("bob")
    assert played.attacks("bob", "ann", attack=[2]).outcome is Outcome.MISS


def test_without_ranks_no_turn_is_lost():
    """AP-SIT-4: neither dice nor lost actions block anybody before initiative."""
    played = table(ann=mortal(), bob=mortal())
    played.does(ChangeConditions("bob", add=frozenset({"dazed"})))
    played.attacks("bob", "ann", attack=[2])
    played.does(EndTurn())
    assert played.conditions("bob") == {"dazed"}


@pytest.mark.parametrize(
    ("target", "levels", "is_dazed"),
    [
        (mortal(stamina=2), 2, False),
        (mortal(stamina=2), 3, True),
        (mortal(kind="ghoul", stamina=2), 3, True),
        (garou(stamina=2), 4, False),
        (garou(stamina=2), 5, True),
        (mortal("XXXX", stamina=2), 3, True),
        (mortal("XXXXX", stamina=2), 3, False),
    ],
)
def test_who_is_dazed_by_how_much(target, levels, is_dazed):
    """AP-SIT-4: the dead are past it."""
    gun = replace(PISTOL, damage=levels)
    played = table(ann=mortal(dexterity=5, weapons=(gun,)), bob=target)
    soak = {"soak": [2, 2]} if target.kind == "garou" else {}
    played.attacks("ann", "bob", "pistol", attack=[6] * 5, **soak)
    assert ("dazed" in played.conditions("bob")) is is_dazed
