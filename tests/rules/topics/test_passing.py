"""Time that passes for several people (MQ-HEAL-1, CD-HEAL-1, CD-HEALTH-3, WL-DMG-4)."""

from __future__ import annotations

import pytest

from rules.model.sheet import Injury, Scar, Sheet
from rules.model.system import Game
from rules.systems import RULESETS
from rules.topics.commands import Care, ChangeConditions, Heal, PassTime
from rules.topics.events import Bled, Healed, ResourceChanged, TimePassed
from rules.topics.health.passing import MOST_HOURS, MOST_MINUTES, cares, sets_pace
from tests.rules.table import Table, mortal, only, vampire

CHRONICLES, DARKNESS, WOUNDS = (RULESETS[key] for key in ("chronicles", "darkness", "wounds"))


@pytest.mark.parametrize(
    "command",
    [
        PassTime((), 24),
        PassTime(("ann", "ann"), 24),
        PassTime(("ann", "zed"), 24),
        PassTime(("ann",), 0),
        PassTime(("ann",), MOST_HOURS + 1),
        PassTime(("ann",), 24, {"bob": Care.CARE}),
        PassTime(("ann",), 24, levels={"bob": (1,)}, why="Rest."),
        PassTime(("ann",), 24, bleeding=-1),
        PassTime(("ann",), 24, bleeding=MOST_MINUTES + 1),
        PassTime(("ann",), 24, levels={"ann": (1,)}, why="Rest."),
    ],
)
def test_time_passes_for_people_in_the_log_and_for_a_sensible_time(command):
    Table(ann=mortal("//"), bob=mortal("/")).refuses("input", command)


def test_one_command_is_what_healing_each_alone_would_be():
    table = Table(ann=mortal("X//"), bob=vampire("*", resources={"blood": 9, "willpower": 2}))
    told = table.does(PassTime(("ann", "bob"), 48, why=" a quiet week "))
    assert told[0] == TimePassed(("ann", "bob"), 48, why="a quiet week")
    apart = Table(ann=mortal("X//"), bob=vampire("*", resources={"blood": 9, "willpower": 2}))
    assert told[1:] == (*apart.does(Heal("ann", hours=48)), *apart.does(Heal("bob", hours=48)))


def test_dusk_takes_blood_from_vampires_alone_and_once_for_less_than_a_day():
    table = Table(ann=vampire(resources={"blood": 5}), bob=mortal(kind="ghoul", resources={"blood": 5}))
    told = table.does(PassTime(("ann", "bob"), 8, dusk=True))
    assert only(ResourceChanged, told) == ResourceChanged("ann", "blood", 4, 1, "dusk")
    assert only(ResourceChanged, table.does(PassTime(("ann",), 240, dusk=True))).spent == 4
    assert not [each for each in table.does(PassTime(("ann",), 240, dusk=True)) if isinstance(each, ResourceChanged)]


def test_the_staked_pay_their_dusks_by_rule_and_only_once():
    """CD-VAMP-3; twice twelve hours are a night."""
    table = Table(CHRONICLES, ann=vampire(resources={"vitae": 5}, stamina=2))
    table.does(ChangeConditions("ann", add=frozenset({"staked"})))
    assert not [each for each in table.does(PassTime(("ann",), 12)) if isinstance(each, ResourceChanged)]
    assert only(ResourceChanged, table.does(PassTime(("ann",), 12, dusk=True))).left == 4


def test_bleeding_ends_with_care_or_with_death():
    """CD-HEALTH-3."""
    table = Table(CHRONICLES, ann=mortal("XXXXX", stamina=2), bob=mortal("XXXXX", stamina=2))
    told = table.does(PassTime(("ann", "bob"), 1, {"ann": Care.HOSPITAL}, bleeding=1))
    assert only(Bled, told) == Bled("bob", 9)
    assert table.conditions("ann") == {"bandaged"}
    assert table.conditions("bob") == {"dead"}
    assert [each.who for each in told if isinstance(each, Healed)] == ["ann"]


def test_the_house_rule_for_bleeding_comes_before_what_is_entered():
    """CD-HEALTH-3."""
    often = CHRONICLES.with_options({"bleeding_turns": 1200})
    table = Table(often, ann=mortal("XXXXX", stamina=2))
    assert only(Bled, table.does(PassTime(("ann",), 1, bleeding=1))).amount == 1


def test_injuries_improve_by_hand_with_a_reason_and_scars_stay():
    """WL-DMG-4, WL-SCAR-1."""
    hurt = Sheet("", injuries=(Injury(4, "axe"), Injury(2), Injury(1)), scars=(Scar(4, "axe"),))
    table = Table(WOUNDS, ann=hurt, bob=Sheet("", injuries=(Injury(3),)))
    table.refuses("input", PassTime(("ann", "bob"), 24, levels={"ann": (2, 2, 0)}))
    for levels in ((2, 2), (5, 0, 0), (-1, 0, 1), (1, 0, 0, 0)):
        table.refuses("input", PassTime(("ann", "bob"), 24, levels={"ann": levels}, why="Rest."))
    told = table.does(PassTime(("ann", "bob"), 24, levels={"ann": (3, 2, 0), "bob": (0,)}, why="Rest."))
    assert only(Healed, told) == Healed("ann", {"levels": 5}, 24)
    sheet = table.state.combatants["ann"].sheet
    assert [(each.level, each.cause) for each in sheet.injuries] == [(1, "axe"), (1, "")]
    assert sheet.scars == hurt.scars


@pytest.mark.parametrize(
    ("ruleset", "sheet", "expected"),
    [
        ("chronicles", mortal("X", stamina=2), (Care.NONE, Care.CARE, Care.HOSPITAL)),
        ("chronicles", vampire("X", stamina=2), ()),
        ("chronicles", mortal("*******", stamina=2), ()),
        ("darkness", mortal("X", stamina=2), ()),
        ("darkness", mortal("XXXXXXX", stamina=2), (Care.NONE, Care.CARE)),
        ("masquerade", mortal("XXXXXXX"), ()),
        ("apocalypse", mortal("X", kind="garou"), ()),
        ("wounds", Sheet("", injuries=(Injury(3),)), ()),
    ],
)
def test_care_is_asked_for_where_it_makes_a_difference(ruleset, sheet, expected):
    table = Table(RULESETS[ruleset], ann=sheet)
    assert cares(Game(table.state, table.ruleset), "ann") == expected


@pytest.mark.parametrize(
    ("ruleset", "sheet", "expected"),
    [
        (CHRONICLES, mortal("XXXXX", stamina=2), True),
        (CHRONICLES, mortal("XXXXXXX", stamina=2), False),
        (CHRONICLES.with_options({"bleeding_turns": 20}), mortal("XXXXX", stamina=2), False),
        (DARKNESS, mortal("XXXXXXX", stamina=2), False),
        (RULESETS["masquerade"], mortal("XXXXXXX"), False),
    ],
)
def test_the_pace_of_bleeding_is_asked_for_where_the_rule_leaves_it_open(ruleset, sheet, expected):
    """CD-HEALTH-3."""
    table = Table(ruleset, ann=sheet)
    assert sets_pace(Game(table.state, table.ruleset), "ann") is expected
