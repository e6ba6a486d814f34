"""Other actions in Apocalypse: falls, ambushes, movement."""

from __future__ import annotations

import pytest

from rules.model.results import Outcome
from rules.model.state import Ambush
from rules.topics.commands import EndTurn, Join, Newcomer, TakeAction
from rules.topics.events import KnockedDown, Moved
from tests.rules.systems.apocalypse.hunt import plain, table
from tests.rules.table import MASQUERADE, Table, mortal, only, strike_at

# ------------------------------------------------------------------ falls


def test_a_fall_and_getting_up():
    """AP-SIT-8."""
    played = plain()
    told = only(KnockedDown, played.does(TakeAction("knockdown", "ann", ("bob",)), check=[2]))
    assert (told.who, told.outcome, played.conditions("bob")) == ("bob", Outcome.FAIL, {"prone"})
    assert not played.does(TakeAction("knockdown", "bob"), check=[2])[1:]
    played.does(TakeAction("rise", "bob"))
    assert (played.conditions("bob"), played.turn("bob").actions) == (set(), ())
    played.refuses("input", TakeAction("rise", "bob"))


def test_a_success_costs_initiative_for_one_turn():
    """AP-SIT-8."""
    played = plain()
    assert only(KnockedDown, played.does(TakeAction("knockdown", "ann"), check=[6, 2, 2])).outcome is Outcome.SUCCESS
    totals = []
    for _ in range(2):
        played.does(EndTurn())
        totals.append(played.state.initiative["ann"].total)
    assert totals == [6, 8]


def test_a_tackle_fells_and_a_botched_fall_hurts():
    """AP-SIT-8."""
    played = table(ann=mortal(), bob=mortal("//////"))
    played.attacks("ann", "bob", "", "knockdown", attack=[6], damage=[6], soak=[2])
    assert played.conditions("bob") == {"incapacitated", "prone"}
    played = table(ann=mortal(), bob=mortal())
    told = played.does(strike_at("ann", "bob", "", "tackle"), attack=[6], damage=[2], check=[1])
    assert only(KnockedDown, told).outcome is Outcome.BOTCH
    assert (played.health("bob"), played.conditions("bob")) == ("/", {"prone"})


# ------------------------------------------------------------------ ambush


def lurking() -> Table:
    return table(ann=mortal(dexterity=2), bob=mortal(), cyd=mortal())


def test_an_ambush_is_kept_until_it_is_used():
    """AP-SIT-1."""
    played = lurking()
    played.does(TakeAction("ambush", "ann", ("bob",)), roll=[6, 6], resist=[2])
    assert played.turn("ann").ambush == Ambush("bob", 2)
    # Against somebody else it gives nothing.
    assert played.attacks("ann", "cyd", attack=[2, 2]).outcome is Outcome.MISS
    played.refuses("AP-SIT-1", strike_at("ann", "bob", defence="dodge"))
    played.attacks("ann", "bob", attack=[2, 2, 2, 2])
    assert played.turn("ann").ambush is None
    played.refuses("AP-SIT-1", TakeAction("ambush", "cyd", ("bob",)))
    played.refuses("input", TakeAction("ambush", "ann", ("ann",)))
    played.refuses("input", TakeAction("ambush", "ann", ("zed",)))


@pytest.mark.parametrize(("faces", "ambush"), [([6, 2], Ambush("bob", 0, seen=True)), ([2, 2], None)])
def test_a_tie_and_a_failure(faces, ambush):
    """AP-SIT-1."""
    played = lurking()
    played.does(TakeAction("ambush", "ann", ("bob",)), roll=faces, resist=[6])
    assert played.turn("ann").ambush == ambush
    told = played.does(strike_at("ann", "bob", defence="dodge"), attack=[2, 2], defence=[2])
    assert told


def test_an_ambush_is_free():
    """AP-SIT-1: it takes no action of the turn."""
    played = plain(cyd=mortal())
    played.does(Join((Newcomer("dee", mortal()),)))
    played.does(TakeAction("ambush", "ann", ("dee",)), roll=[6, 2, 2], resist=[2])
    played.attacks("ann", "dee", attack=[2] * 6)
    assert played.turn("ann").actions
    played.refuses("AP-SIT-1", TakeAction("ambush", "ann", ("bob",)))


# ------------------------------------------------------------------ movement


def test_half_the_running_distance_and_an_action():
    """AP-SIT-9: Bob runs 23 metres in a turn, and 11 of them are no more than half."""
    played = plain()

    def goes(**figures):
        return only(Moved, played.does(TakeAction("move", "bob", figures=figures)))

    assert (goes().distance, played.turn("bob").moved) == (11, 11)
    assert goes(distance=0).as_action is False
    assert goes(distance=1).as_action is True
    # The action pays for the whole distance.
    assert goes(distance=1).as_action is False
    played.refuses("AP-SIT-9", TakeAction("move", "bob", figures={"distance": 11}))
    played.refuses("input", TakeAction("move", "bob", figures={"distance": -1}))
    played.does(EndTurn())
    assert goes(distance=2, action=True).as_action is True
    played.refuses("AP-MULTI-1", strike_at("bob", "ann"))
    assert "no action" in played.refuses("AP-SIT-9", TakeAction("move", "bob", figures={"distance": 10}))
    assert played.does(TakeAction("move", "bob", figures={"distance": 10}), waive=["AP-SIT-9"])


def test_without_ranks_each_way_is_measured_alone():
    """AP-SIT-9."""
    played = table(bob=mortal())
    for _ in range(3):
        played.does(TakeAction("move", "bob", figures={"distance": 23}))
    assert played.turn("bob").moved == 69


def test_a_ruleset_knows_its_own_actions_alone():
    """AP-SIT-9 doesn't exist in Masquerade."""
    played = Table(MASQUERADE, bob=mortal())
    assert "Masquerade has no action" in played.refuses("input", TakeAction("move", "bob"))
    table(bob=mortal()).refuses("input", TakeAction("fly", "bob"))
    table(bob=mortal()).refuses("input", TakeAction("move", "zed"))
