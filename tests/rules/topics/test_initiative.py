"""Who acts first (MQ-INIT-1 to MQ-INIT-3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine.messages import evolve
from rules.model.gear import Damage
from rules.model.state import Score, Stage
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.commands import (
    Act,
    Begin,
    EndTurn,
    Harm,
    Join,
    Leave,
    Newcomer,
    RollInitiative,
    SetOrder,
    SetVisibility,
)
from rules.topics.events import InitiativeRolled
from tests.rules.table import MASQUERADE, Table, mortal, only


def trio():
    """Ratings 5, 4 and 2."""
    return Table(ann=mortal(dexterity=3, wits=2), bob=mortal(dexterity=2, wits=2), cy=mortal())


def test_where_nobody_rolls_for_it_none_is_rolled():
    """MQ-INIT-1."""
    table = trio()
    table.ruleset = replace(MASQUERADE, initiative=replace(MASQUERADE.initiative, rolled=False))
    table.refuses("MQ-INIT-1", RollInitiative())


def test_one_die_is_added_to_dexterity_and_wits_and_the_highest_acts_first():
    """MQ-INIT-1: 1 + 5, 9 + 4, 5 + 2."""
    table = trio()
    assert table.initiative(ann=1, bob=9, cy=5) == (("bob",), ("cy",), ("ann",))
    assert table.state.initiative["bob"] == Score((9,), 4, 13)


def test_equal_totals_go_by_rating():
    """MQ-INIT-2: 3 + 5 = 4 + 4."""
    assert trio().initiative(ann=3, bob=4, cy=1) == (("ann",), ("bob",), ("cy",))


def test_equal_ratings_too_act_simultaneously():
    """MQ-INIT-2."""
    table = Table(ann=mortal(dexterity=2), bob=mortal(), cy=mortal(wits=2))
    assert table.initiative(ann=4, bob=5, cy=4) == (("ann", "cy"), ("bob",))


def test_equal_totals_go_by_the_rating_that_wounds_leave():
    """MQ-INIT-2, MQ-INIT-3: Ann's 5 becomes 3, so Bob's 4 is the higher."""
    table = Table(ann=mortal("////", dexterity=3, wits=2), bob=mortal(dexterity=2, wits=2))
    assert table.initiative(ann=6, bob=5) == (("bob",), ("ann",))


@pytest.mark.parametrize(("marks", "rating"), [("", 5), ("//", 4), ("////", 3), ("//////", 0), ("///////", 0)])
def test_wounds_slow(marks, rating):
    """MQ-INIT-3; out of action keeps the last numeric penalty."""
    assert MASQUERADE.initiative.rating(mortal(marks, dexterity=3, wits=2)) == rating


def test_a_sheets_own_figure_stands_in_place_of_the_traits():
    """MQ-INIT-1, MQ-INIT-3: still less the wound penalty."""
    assert MASQUERADE.initiative.rating(mortal("//", initiative=9, dexterity=3)) == 8


def test_a_track_without_figures_slows_nobody():
    """MQ-INIT-3."""
    bare = MASQUERADE.with_options({"health_levels": (("Out", None),)})
    assert bare.initiative.rating(mortal("/")) == 2


def test_wounds_taken_later_do_not_change_the_order():
    """MQ-INIT-3."""
    table = trio()
    order = table.initiative(ann=9, bob=5, cy=5)
    table.does(Harm("ann", 6, Damage.BASHING))
    assert table.state.order == order


def test_initiative_is_rolled_anew_at_the_start_of_a_turn():
    """MQ-INIT-1."""
    table = trio()
    table.initiative(ann=9, bob=5, cy=5)
    table.does(EndTurn())
    assert table.initiative(ann=1, bob=5, cy=10) == (("cy",), ("bob",), ("ann",))
    assert (table.state.turn, table.state.stage) == (2, Stage.INITIATIVE)


def test_those_out_of_action_are_not_rolled_for():
    """MQ-INIT-1, MQ-HEALTH-1."""
    table = Table(ann=mortal("XXXXXXX"), bob=mortal())
    assert table.initiative(bob=5) == (("bob",),)
    table.does(Harm("bob", 7, Damage.LETHAL))
    table.refuses("input", RollInitiative())


def test_a_latecomer_rolls_alone_and_the_others_keep_their_totals():
    """MQ-INIT-1."""
    table = trio()
    table.initiative(ann=9, bob=5, cy=5)
    table.does(Join((Newcomer("dee", mortal(dexterity=4, wits=4)),)))
    table.does(RollInitiative(("dee",)), initiative=[3])
    assert table.state.order == (("ann",), ("dee",), ("bob",), ("cy",))
    assert table.state.initiative["ann"].total == 14
    table.refuses("input", RollInitiative(("zed",)))


@pytest.mark.parametrize("ruleset", [DARKNESS, CHRONICLES])
def test_a_latecomer_who_ties_does_not_set_the_turn_back(ruleset):
    """WD-INIT-2, CD-INIT-2."""
    table = Table(ruleset, ann=mortal())
    table.initiative(ann=5)
    table.does(Act())
    table.does(Join((Newcomer("bob", mortal()),)))
    before = table.state
    rolled = only(InitiativeRolled, table.does(RollInitiative(("bob",)), initiative=[5], tie=[3, 7]))
    assert set(rolled.scores) == {"ann", "bob"}
    assert (table.state.stage, table.state.acting, table.state.visited) == (before.stage, ("ann",), before.visited)
    # Logs from before this field are read as before.
    assert evolve(before, replace(rolled, anew=None)).acting == ()


def test_a_fight_that_has_not_begun_rolls_nothing():
    table = Table(begun=False, ann=mortal())
    table.refuses("input", RollInitiative())
    table.does(Begin())


def test_the_storyteller_may_change_the_ranks():
    table = trio()
    table.initiative(ann=9, bob=5, cy=5)
    table.does(SetOrder((("cy", "bob"), (), ("ann",))))
    assert table.state.order == (("cy", "bob"), ("ann",))


@pytest.mark.parametrize(
    "order", [(("ann",), ("bob",)), (("ann", "ann"), ("bob",), ("cy",)), (("ann",), ("bob",), ("cy",), ("zed",))]
)
def test_a_set_order_names_everybody_once(order):
    table = trio()
    table.initiative(ann=9, bob=5, cy=5)
    table.refuses("input", SetOrder(order))


def test_a_set_order_names_nobody_without_initiative():
    table = trio()
    table.initiative(ann=9, bob=5, cy=5)
    table.does(Join((Newcomer("dee", mortal()),)))
    table.refuses("input", SetOrder((("ann",), ("bob",), ("cy",), ("dee",))))


def test_whoever_leaves_has_no_rank():
    table = trio()
    table.initiative(ann=9, bob=5, cy=5)
    table.does(Leave("bob"))
    assert table.state.order == (("ann",), ("cy",))
    assert set(table.state.initiative) == {"ann", "cy"}


def test_an_order_made_by_hand_stays_when_somebody_rolls_later():
    """A newcomer is inserted by their roll, before the first with a lower total."""
    table = trio()
    table.initiative(ann=9, bob=5, cy=6)
    table.does(SetOrder((("cy",), ("ann",), ("bob",))))
    table.does(Join((Newcomer("dee", mortal(dexterity=4, wits=4)),)))
    table.does(RollInitiative(("dee",)), initiative=[3])
    assert table.state.order[0] == ("dee",)
    assert table.state.order[1:] == (("cy",), ("ann",), ("bob",))


def test_the_turn_begins_with_the_first_roll_of_those_who_are_seen():
    """MQ-INIT-1: if only hidden combatants had a place, nobody else may find that turn already over."""
    table = trio()
    table.does(SetVisibility("cy", hidden=True))
    table.does(RollInitiative(("cy",)), initiative={"cy": [5]})
    for _ in range(2):
        table.does(Act())
    assert table.state.stage is Stage.RESOLUTION
    table.does(RollInitiative(("ann",)), initiative={"ann": [3]})
    assert table.state.stage is Stage.INITIATIVE
    table.does(Act())
    table.does(RollInitiative(("bob",)), initiative={"bob": [3]})
    assert table.state.stage is Stage.ATTACK
