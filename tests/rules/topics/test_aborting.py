"""Defending out of turn, aborting actions for it, and full defence (MQ-ABORT-1, MQ-DEF-*)."""

from __future__ import annotations

from rules.topics.commands import Abort, Act, FullDefence
from rules.topics.events import Aborted, AttackResolved
from tests.rules.table import Table, mortal, only, parts, strike_at
from tests.rules.trio import declared, places, trio


def test_a_defence_may_be_taken_at_any_time_while_an_action_is_left():
    """MQ-ORDER-2."""
    table = trio()
    table.does(Act())
    told = table.does(strike_at("ann", "bob", defence="dodge"), attack=[2] * 6, defence=[2] * 4)
    assert only(AttackResolved, told).results[0].defence.plan.pool == 4
    table.refuses("MQ-ORDER-2", strike_at("cy", "bob", defence="dodge"))


def test_before_initiative_anybody_defends_as_often_as_they_like():
    """MQ-ORDER-2: ranks and the number of actions only count once initiative is rolled."""
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
    """MQ-ABORT-1: Willpower alone against 6; not an action itself, so without penalties."""
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
    """MQ-ABORT-1: those who failed can spend a point instead."""
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
