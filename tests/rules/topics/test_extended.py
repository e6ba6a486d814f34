"""Extended rolls: collecting successes over several rolls (MQ-DICE-3, MQ-DICE-8, WD-DICE-2)."""

from __future__ import annotations

import pytest

from rules.model.choices import Modifier
from rules.model.gear import Damage
from rules.model.results import Outcome
from rules.model.roll import DifficultyOf, Extended, Resistance, RollTraits
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.commands import GiveUpRoll, Harm, Leave, RollOn
from rules.topics.events import ExtendedRolled, RollGivenUp
from rules.topics.rolls.decide import MOST_GOING
from tests.rules.systems.storytelling.table import sheet
from tests.rules.systems.storytelling.table import table as storytelling
from tests.rules.table import Table, mortal, only, rolled


def chant(target: int = 5, rolls: int = 0, **more) -> RollTraits:
    """MQ-DICE-8's three-day chant, one roll a day."""
    return RollTraits("ann", ("stamina", "occult"), 9, extended=Extended("x", target, rolls, "a day"), **more)


def chanting(*days, target: int = 5, rolls: int = 0) -> tuple[Table, ExtendedRolled]:
    """Ann, with Stamina 3 and Occult 2, chants with a list of faces per day."""
    table = Table(ann=mortal(stamina=3, occult=2), bob=mortal())
    told = None
    for number, faces in enumerate(days):
        command = RollOn("x") if number else chant(target, rolls)
        told = only(ExtendedRolled, table.does(command, roll=faces))
    return table, told


def test_successes_are_gathered_until_there_are_enough():
    """MQ-DICE-8: at difficulty 9 the days give 2, 0 and 3 successes."""
    table, told = chanting([9, 10, 8, 2, 3], [9, 1, 3, 4, 5])
    assert (told.now.total, told.now.made, told.outcome) == (2, 2, None)
    assert table.state.extended == (told.now,)
    table, told = chanting([9, 10, 8, 2, 3], [9, 1, 3, 4, 5], [9, 9, 10, 2, 2])
    assert (told.now.total, told.now.made, told.outcome) == (5, 3, Outcome.SUCCESS)
    assert table.state.extended == ()


def test_more_than_enough_is_enough():
    _table, told = chanting([9, 9, 9, 10, 10], target=4)
    assert (told.now.total, told.outcome) == (5, Outcome.SUCCESS)


@pytest.mark.parametrize(("last", "outcome"), [([9, 9, 9, 2, 2], Outcome.SUCCESS), ([9, 9, 2, 2, 2], Outcome.FAIL)])
def test_the_last_roll_there_is_settles_it(last, outcome):
    table, told = chanting([9, 10, 8, 2, 3], last, rolls=2)
    assert (told.now.left, told.outcome) == (0, outcome)
    table.refuses("input", RollOn("x"))


def test_one_roll_before_the_last_it_goes_on():
    _table, told = chanting([9, 10, 8, 2, 3], [9, 9, 2, 2, 2], rolls=3)
    assert (told.now.left, told.now.total, told.outcome) == (1, 4, None)


def test_a_botch_loses_all_that_was_gathered():
    """MQ-DICE-3: no die succeeds and a 1 shows."""
    table, told = chanting([9, 10, 8, 2, 3], [1, 8, 3, 4, 5])
    assert (told.now.total, told.outcome) == (0, Outcome.BOTCH)
    assert table.state.extended == ()


def test_a_failed_roll_loses_nothing():
    """MQ-DICE-3: a success cancelled by a 1 is a failure, not a botch."""
    _table, told = chanting([9, 10, 8, 2, 3], [1, 9, 3, 4, 5])
    assert (told.now.total, told.outcome) == (2, None)


def test_each_roll_has_the_pool_of_its_moment():
    """MQ-HEALTH-1: Hurt takes a die from the second day on."""
    table, _told = chanting([9, 10, 8, 2, 3])
    table.does(Harm("ann", 2, Damage.LETHAL))
    again = rolled(table.does(RollOn("x"), roll=[9, 2, 2, 2]))
    assert again.roll.plan.pool == 4
    table.does(Harm("ann", 5, Damage.BASHING))
    table.refuses("MQ-HEALTH-1", RollOn("x"))


def test_a_dramatic_failure_ends_it():
    """WD-DICE-2: a chance die that shows a 1."""
    table = storytelling(ann=sheet(wits=1))
    command = RollTraits("ann", ("wits", "occult"), extended=Extended("x", 3))
    told = only(ExtendedRolled, table.does(command, roll=[10, 7]))
    assert (told.now.total, told.outcome) == (1, None)
    told = only(ExtendedRolled, table.does(RollOn("x"), roll=[1]))
    assert (told.now.total, told.outcome) == (0, Outcome.DRAMATIC_FAILURE)


def test_rerolled_tens_count():
    """WD-DICE-1."""
    table = storytelling(DARKNESS, ann=sheet(wits=3))
    told = only(
        ExtendedRolled,
        table.does(RollTraits("ann", ("wits",), extended=Extended("x", 3, 1)), roll=[10, 8, 2, 9]),
    )
    assert (told.now.total, told.outcome) == (3, Outcome.SUCCESS)


def test_it_may_be_rolled_against_an_opponents_traits():
    """MQ-DICE-5."""
    table = Table(ann=mortal(dexterity=1, stealth=1), bob=mortal(perception=4, alertness=4))
    against = DifficultyOf("bob", ("perception", "alertness"))
    command = RollTraits("ann", ("dexterity", "stealth"), against, extended=Extended("x", 2))
    assert only(ExtendedRolled, table.does(command, roll=[8, 7])).now.total == 1
    table.does(Leave("bob"))
    assert table.state.extended == ()
    table.refuses("input", RollOn("x"))


def test_it_can_be_left():
    table, told = chanting([9, 10, 8, 2, 3])
    assert only(RollGivenUp, table.does(GiveUpRoll("x"))).roll == told.now
    assert table.state.extended == ()
    table.refuses("input", GiveUpRoll("x"))
    table.refuses("input", RollOn("x"))


def test_several_go_on_beside_one_another_each_in_its_place():
    table, first = chanting([9, 10, 8, 2, 3])
    other = RollTraits("bob", ("wits",), extended=Extended("y", 2))
    second = only(ExtendedRolled, table.does(other, roll=[6]))
    first = only(ExtendedRolled, table.does(RollOn("x"), roll=[9, 2, 2, 2, 2]))
    assert table.state.extended == (first.now, second.now)
    table.does(Leave("ann"))
    assert table.state.extended == (second.now,)


@pytest.mark.parametrize(
    "extended",
    [
        Extended("x", 0),
        Extended("x", 51),
        Extended("x", 5, -1),
        Extended("x", 5, 51),
        Extended("x", 5, 2, "a" * 61),
        Extended("", 5),
    ],
)
def test_what_is_no_extended_roll_is_refused(extended):
    table = Table(ann=mortal(wits=1))
    table.refuses("input", RollTraits("ann", ("wits",), extended=extended))


def test_the_limits_themselves_are_allowed():
    table = Table(ann=mortal(wits=1))
    table.does(RollTraits("ann", ("wits",), extended=Extended("x", 50, 50, "a" * 60)), roll=[6])
    table.does(RollTraits("ann", ("wits",), extended=Extended("y", 1)), roll=[2])


def test_nobody_resists_it_and_none_begins_twice():
    table = Table(ann=mortal(stamina=1), bob=mortal(stamina=1))
    table.refuses("input", chant(resisted=Resistance("bob", ("stamina",))))
    table.does(chant(), roll=[9])
    table.refuses("input", chant())


def test_there_is_an_end_to_how_many_go_on():
    table = Table(ann=mortal(wits=1))
    for number in range(MOST_GOING):
        table.does(RollTraits("ann", ("wits",), extended=Extended(f"x{number}", 2)), roll=[6])
    table.refuses("input", RollTraits("ann", ("wits",), extended=Extended("more", 2)))


def test_a_point_of_a_players_is_no_secret():
    """MQ-WILL-1: the sheet shows it; an NPC's is hidden."""
    table = Table(players=("ann",), ann=mortal(wits=1, willpower=3), bob=mortal(wits=1, willpower=3))
    will = (Modifier("willpower"),)
    table.refuses("input", RollTraits("ann", ("wits",), modifiers=will, secret=True))
    table.does(RollTraits("ann", ("wits",), modifiers=will), roll=[2])
    table.does(RollTraits("bob", ("wits",), modifiers=will, secret=True), roll=[2])
    assert [table.sheet(who).resources["willpower"] for who in ("ann", "bob")] == [2, 2]


def test_less_than_nothing_takes_nothing_away():
    """WL-DICE-1: 1s may make a result negative, there are no botches, and negative resistance doesn't resist."""
    table = Table(WOUNDS, ann=mortal(wits=2), bob=mortal(wits=2))
    table.does(RollTraits("ann", ("wits",), extended=Extended("x", 4)), roll=[6, 7])
    told = only(ExtendedRolled, table.does(RollOn("x"), roll=[1, 1]))
    assert (told.now.total, told.now.made, told.outcome) == (2, 2, None)
    command = RollTraits("ann", ("wits",), resisted=Resistance("bob", ("wits",)))
    assert rolled(table.does(command, roll=[2, 3], resist=[1, 1])).margin == 0
