"""Grapples: corner cases that no scenario shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.engine.messages import evolve
from rules.engine.slots import among
from rules.engine.violations import Referee
from rules.model.gear import Damage, Fault
from rules.model.sheet import Sheet
from rules.model.system import Game
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.actions import why_not
from rules.topics.commands import ChangeConditions, EndTurn, Leave, ReviseSheet
from rules.topics.events import GrappleChanged, GrappleEnded, GrappleRolled, Hurt
from rules.topics.grapples.grapple import GRAPPLES, HANDS, Grapple
from rules.topics.grapples.holds import grapple_of, let_go, shield_of
from tests.rules.systems.second_edition.brawl import CLUB, CORD, KNIFE, ROPE, brawler, table
from tests.rules.table import MASQUERADE, Table, Written, does, mortal, only, strike_at

WON, LOST = {"roll": [8, 2, 2, 2], "resist": [2, 2, 2, 2]}, {"roll": [2, 2, 2, 2], "resist": [8, 2, 2, 2]}


def grappling(ann: Sheet | None = None, bob: Sheet | None = None, **more: Sheet) -> Table:
    """Ann has hold of Bob."""
    fight = table(ann, bob, **more)
    fight.does(does("ann", "grapple", "bob"), roll=[8, 2, 2, 2], resist=[2, 2, 2, 2])
    return fight


def test_a_waived_rule_lets_somebody_be_torn_out_of_a_grapple() -> None:
    """CD-GRP-12: if the Storyteller allows it, the first grapple ends for both."""
    fight = grappling(cid=brawler())
    fight.does(does("cid", "grapple", "bob"), waive=["CD-GRP-12"], **WON)

    grapple = grapple_of(fight.state, "bob")
    assert grapple is not None
    assert grapple.members == ("cid", "bob")
    assert grapple_of(fight.state, "ann") is None
    assert fight.conditions("ann") == set()
    assert fight.conditions("bob") == {"grappled"}


def test_a_second_roll_in_a_turn_can_be_let_go_by() -> None:
    """CD-GRP-2: one roll a turn, unless the Storyteller waives that."""
    fight = table()
    fight.initiative(ann=9, bob=1)
    fight.does(does("ann", "grapple", "bob"), **WON)
    fight.refuses("CD-GRP-2", does("bob", "grapple"))
    rolled = only(GrappleRolled, fight.does(does("bob", "grapple"), waive=["CD-GRP-2"], roll=[8, 2], resist=[2, 2]))

    assert rolled.margin == 1


def test_a_rope_can_come_into_it_later() -> None:
    """CD-GRP-1, CD-GRP-2: two dice of rope for Ann, and two more Strength against Bob; a cord of 0 adds nothing."""
    fight = grappling(brawler(ROPE, CORD))
    rolled = only(GrappleRolled, fight.does(does("ann", "grapple", weapon="rope"), roll=[2] * 4, resist=[2]))

    assert rolled.roll.plan.pool == 4
    assert rolled.resisted is not None
    assert rolled.resisted.plan.chance
    again = only(GrappleRolled, fight.does(does("ann", "grapple", weapon="cord"), roll=[2] * 2, resist=[2] * 2))
    assert (again.roll.plan.pool, again.margin) == (2, 0)


def test_moves_take_a_grapple_whatever_is_waived() -> None:
    """CD-GRP-8, CD-GRP-4: there is nobody to hold, and no weapon to turn on anybody."""
    fight = table(brawler(KNIFE))
    fight.refuses("CD-GRP-8", does("ann", "hold"))
    fight.refuses("input", does("ann", "hold"), waive=["CD-GRP-8"])
    fight.refuses("input", does("ann", "control_weapon", weapon="sword"), waive=["CD-GRP-4"])


def test_the_opponents_weapon_is_meant_where_that_is_said() -> None:
    """CD-GRP-4: Ann has a knife of her own, and turns Bob's club on him."""
    fight = grappling(brawler(KNIFE), brawler(CLUB))
    fight.does(does("ann", "control_weapon", theirs=True), roll=[8, 2], resist=[2, 2])

    grapple = grapple_of(fight.state, "ann")
    assert grapple is not None
    assert (grapple.controller, grapple.owner, grapple.weapon) == ("ann", "bob", "club")
    fight.refuses("input", does("ann", "control_weapon", weapon="knife", theirs=True), roll=[8, 2], resist=[2, 2])


def test_what_was_put_away_is_drawn_by_controlling_it() -> None:
    """CD-GRP-4: a holstered weapon."""
    fight = grappling(brawler(replace(KNIFE, stowed=True)))
    fight.does(does("ann", "control_weapon"), roll=[8, 2], resist=[2, 2])

    assert not fight.weapon("ann", "knife").stowed


def test_no_weapon_is_taken_out_of_a_grapple_in_which_there_is_none() -> None:
    """CD-GRP-6: one's own controlled weapon is not the opponent's, and a weapon lost in between can't be taken."""
    fight = grappling(brawler(KNIFE))
    fight.refuses("CD-GRP-6", does("ann", "grapple_disarm"))
    fight.does(does("ann", "control_weapon"), roll=[8, 2], resist=[2, 2])
    fight.refuses("CD-GRP-6", does("ann", "grapple_disarm"))

    other = grappling(None, brawler(KNIFE))
    other.does(does("ann", "control_weapon"), roll=[8, 2], resist=[2, 2])
    other.does(ReviseSheet("bob", replace(other.sheet("bob"), weapons=())))
    other.refuses("input", does("ann", "grapple_disarm"), roll=[8, 2], resist=[2, 2])


def test_ones_own_weapon_under_control_lets_one_take_the_others() -> None:
    """CD-GRP-6: first control either weapon."""
    fight = grappling(brawler(KNIFE), brawler(CLUB))
    fight.does(does("ann", "control_weapon"), roll=[8, 2], resist=[2, 2])
    fight.does(does("ann", "grapple_disarm"), roll=[8, 2], resist=[2, 2])

    assert fight.weapon("bob", "club").fault is Fault.DROPPED
    grapple = grapple_of(fight.state, "ann")
    assert grapple is not None
    assert grapple.weapon == "knife"


def test_a_weapon_that_is_gone_counts_for_nothing() -> None:
    """CD-GRP-5: controlled, but broken since."""
    fight = grappling(None, brawler(KNIFE))
    fight.does(does("ann", "control_weapon"), roll=[8, 2], resist=[2, 2])
    broken = replace(fight.sheet("bob"), weapons=(replace(KNIFE, fault=Fault.BROKEN),))
    fight.does(ReviseSheet("bob", broken))
    hurt = only(Hurt, fight.does(does("ann", "grapple_damage"), roll=[8, 2], resist=[2, 2]))

    assert (hurt.done.dealt, hurt.done.type) == (1, Damage.BASHING)


def test_bound_by_nothing_but_a_hand_nobody_is_left_alone() -> None:
    """CD-GRP-9: if the Storyteller waives that, they stay bound."""
    fight = grappling()
    fight.does(does("ann", "hold"), roll=[8, 2], resist=[2, 2])
    fight.refuses("CD-GRP-9", does("ann", "restrain", leave=True), roll=[8, 2], resist=[2, 2])
    fight.does(does("ann", "restrain", leave=True), waive=["CD-GRP-9"], roll=[8, 2], resist=[2, 2])

    assert fight.conditions("bob") == {"immobilized"}
    assert GRAPPLES.of(fight.state) == ()


def test_bound_with_something_they_stay_bound_when_the_grapple_ends() -> None:
    """CD-GRP-9, CD-GRP-3."""
    fight = grappling()
    fight.does(does("ann", "hold"), roll=[8, 2], resist=[2, 2])
    fight.does(does("ann", "restrain", equipment="cuffs"), roll=[8, 2], resist=[2, 2])
    fight.does(does("ann", "break_free"), roll=[8, 2])

    assert fight.conditions("bob") == {"immobilized"}


def test_who_leaves_lets_go() -> None:
    """CD-GRP-1: when one of the two leaves, the grapple ends, including help against them."""
    fight = grappling(cid=brawler())
    fight.does(does("cid", "aid_grapple", "bob"), roll=[8, 2])
    assert len(HANDS.of(fight.state)) == 1
    grip = CHRONICLES.actions["hold"].grip
    assert (grip.lent(fight.state, "ann", "bob"), grip.lent(fight.state, "bob", "ann")) == (1, -1)
    assert among(fight.state, {"ann", "bob", "cid"}) == fight.state
    assert among(fight.state, {"ann", "cid"}).own == {}
    fight.does(Leave("bob"))

    assert fight.conditions("ann") == set()
    assert (GRAPPLES.of(fight.state), HANDS.of(fight.state)) == ((), ())


def test_the_storyteller_ends_a_grapple_by_lifting_the_condition() -> None:
    """CD-GRP-1: for both."""
    fight = grappling()
    fight.does(ChangeConditions("bob", remove=frozenset({"grappled"})))

    assert GRAPPLES.of(fight.state) == ()
    assert fight.conditions("ann") == fight.conditions("bob") == set()


def test_nothing_is_let_go_of_where_nobody_holds() -> None:
    """CD-GRP-3."""
    fight = table()
    assert only_nothing(fight) == ()
    assert shield_of(fight.state, "ann") == ""


def only_nothing(fight: Table) -> tuple[Any, ...]:
    return let_go(Game(fight.state, fight.ruleset, Written(), Referee()), "ann")


def test_the_grapples_of_others_are_not_touched() -> None:
    """CD-GRP-1: two pairs at once."""
    fight = grappling(cid=brawler(), dee=brawler())
    fight.does(does("cid", "grapple", "dee"), **WON)
    assert len(GRAPPLES.of(fight.state)) == 2
    fight.does(does("ann", "break_free"), roll=[8, 2], resist=[2, 2])

    (left,) = GRAPPLES.of(fight.state)
    assert left.opponent("cid") == "dee"
    assert left.opponent("dee") == "cid"


def test_hands_full_of_somebody_do_nothing_else() -> None:
    """CD-GRP-2: no disarming, and no standing up."""
    fight = grappling(None, brawler(KNIFE))
    fight.refuses("CD-GRP-2", does("ann", "disarm", "bob"))
    fight.refuses("CD-GRP-7", does("ann", "rise"))
    assert why_not(Game(fight.state, fight.ruleset), "hold", "ann") is None


def test_who_waives_the_grapple_waives_nothing_else() -> None:
    """CD-GRP-7: Ann may stand up despite the grapple, but she is standing already."""
    fight = grappling(None, brawler(KNIFE))
    fight.refuses("input", does("ann", "rise"), waive=["CD-GRP-7"])
    fight.does(ChangeConditions("ann", fight.state.combatants["ann"].conditions | {"prone"}))
    fight.does(does("ann", "rise"), waive=["CD-GRP-7"])
    assert "prone" not in fight.state.combatants["ann"].conditions


def test_a_reader_who_sees_only_one_of_them_learns_nothing() -> None:
    """CD-GRP-4, CD-GRP-6, CD-GRP-11: nothing about the unseen opponent is revealed."""
    fight = grappling()
    seen = replace(fight.state, combatants={"ann": fight.state.combatants["ann"]})

    assert why_not(Game(seen, fight.ruleset), "throw", "ann") is None
    assert why_not(Game(seen, fight.ruleset), "control_weapon", "ann") is None
    assert why_not(Game(fight.state, fight.ruleset), "control_weapon", "ann") is not None
    controls = GRAPPLES.put(seen, (replace(GRAPPLES.of(seen)[0], controller="ann", owner="ann"),))
    assert why_not(Game(controls, fight.ruleset), "grapple_disarm", "ann") is None


def test_a_move_that_was_won_lapses_with_the_turn() -> None:
    """CD-GRP-2: the next turn has its own roll."""
    fight = grappling()
    fight.does(does("ann", "grapple"), roll=[8, 2], resist=[2, 2])
    fight.does(EndTurn())
    rolled = only(GrappleRolled, fight.does(does("ann", "hold"), roll=[2, 2], resist=[2, 2]))

    assert rolled.margin == 0
    assert fight.conditions("bob") == {"grappled"}


def test_breaking_free_gives_no_action_back_that_went_into_something_else() -> None:
    """CD-GRP-3: Ann dodged, with rules waived, before Bob rolled and lost."""
    fight = table()
    fight.initiative(ann=9, bob=1)
    fight.does(does("bob", "grapple", "ann"), **WON)
    fight.does(EndTurn())
    fight.does(does("ann", "dodge"), waive=["CD-GRP-2"])
    fight.does(does("bob", "grapple"), roll=[2, 2], resist=[8, 2])
    fight.does(does("ann", "break_free"))

    assert GRAPPLES.of(fight.state) == ()
    fight.refuses("CD-TURN-1", strike_at("ann", "bob"))


def test_what_there_is_nothing_to_do_with_no_waiver_allows() -> None:
    """CD-GRP-1, CD-MAN-2: it makes no sense, so no waiver helps."""
    fight = table()
    fight.refuses("input", does("ann", "grapple", "bob", weapon="rope"), waive=["CD-GRP-1"])
    fight.refuses("input", does("ann", "disarm", "bob"), waive=["CD-MAN-2"])


def test_others_know_no_grapples() -> None:
    """CD-GRP-1: a fight of another ruleset never has one; its replay is the same."""
    fight = Table(MASQUERADE, ann=mortal(), bob=mortal())
    state = evolve(fight.state, GrappleChanged(Grapple("ann", "bob")))
    assert GRAPPLES.of(evolve(state, GrappleEnded("ann", "bob"))) == ()


def test_the_list_of_actions_names_the_rule_that_each_stands_on() -> None:
    """CD-GRP-1, CD-GRP-12, CD-MAN-2, CD-MAN-5."""
    keys = ("grapple", "aid_grapple", "disarm", "touch")
    assert [CHRONICLES.actions[key].rule for key in keys] == ["CD-GRP-1", "CD-GRP-12", "CD-MAN-2", "CD-MAN-5"]


def test_an_action_barred_in_a_grapple_is_unchanged_otherwise() -> None:
    """CD-GRP-4, CD-GUN-14."""
    draw = CHRONICLES.actions["draw"]
    assert (draw.label, draw.rule, draw.needs.instant) == ("Draw", "CD-GUN-14", False)
