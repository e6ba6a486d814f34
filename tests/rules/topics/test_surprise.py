"""Ambushes of many by many, before initiative."""

from __future__ import annotations

import pytest

from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.commands import CheckSurprise, RollInitiative
from rules.topics.events import TraitsRolled
from tests.rules.table import MASQUERADE, Table, mortal

SNEAK, WATCH = mortal(dexterity=1, stealth=1), mortal(perception=1, alertness=1, wits=1, composure=1)


def ambush(ruleset, **more) -> Table:
    people = {"ann": SNEAK, "bob": mortal(dexterity=2, stealth=1), "cy": WATCH, "dan": WATCH}
    return Table(ruleset, **people | more)


def rolled(events) -> list[tuple[str, str]]:
    """Who rolled against whom."""
    return [(each.by, each.resisted.by) for each in events if isinstance(each, TraitsRolled)]


@pytest.mark.parametrize("ruleset", [APOCALYPSE, WOUNDS])
def test_each_ambusher_rolls_against_one_of_the_others_in_turn(ruleset):
    """AP-SIT-1, WL-INIT-4: each who wins has a free attack on that target."""
    table = ambush(ruleset, eve=SNEAK)
    dice = {"ann": [9, 9], "bob": [9, 9, 9], "eve": [2, 2]}
    told = table.does(
        CheckSurprise(("cy", "dan"), ("ann", "bob", "eve")),
        roll=dice,
        resist={"cy": [2, 9, 9, 9], "dan": [2, 2]},
    )
    assert rolled(told) == [("ann", "cy"), ("bob", "dan"), ("eve", "cy")]
    won = {who: each.turn.ambush and each.turn.ambush.target for who, each in table.state.combatants.items()}
    assert won == {"ann": "cy", "bob": "dan", "cy": None, "dan": None, "eve": None}
    assert not table.state.initiative


def test_the_least_stealthy_rolls_for_all_where_surprise_lasts_for_the_turn():
    """CD-SURP-1: two dice for Ann and three for Bob, so Ann rolls, against each of the others."""
    table = ambush(CHRONICLES)
    told = table.does(
        CheckSurprise(("cy", "dan"), ("bob", "ann"), secret=True),
        roll=[8, 1, 1, 1],
        resist={"cy": [1, 1], "dan": [1, 1]},
    )
    assert rolled(told) == [("ann", "cy"), ("ann", "dan")]
    assert all(each.secret for each in told if isinstance(each, TraitsRolled))
    assert (table.conditions("cy"), table.conditions("dan")) == ({"surprised"}, set())


@pytest.mark.parametrize("by", [(), ("ann", "ann"), ("cy",), ("zed",)])
def test_everybody_is_named_once_on_one_side(by):
    for ruleset in (APOCALYPSE, CHRONICLES, WOUNDS):
        ambush(ruleset).refuses("input", CheckSurprise(("cy", "dan"), by))


def test_whoever_is_in_the_fight_is_not_ambushed():
    """CD-SURP-1, AP-SIT-1, WL-INIT-4."""
    for ruleset, rule in ((CHRONICLES, "CD-SURP-1"), (APOCALYPSE, "AP-SIT-1"), (WOUNDS, "WL-INIT-4")):
        table = ambush(ruleset)
        table.does(RollInitiative(who=("cy",)), initiative={"cy": [5] * (1 + (ruleset is WOUNDS))})
        table.refuses(rule, CheckSurprise(("cy",), ("ann", "bob")))
    ambush(MASQUERADE).refuses("input", CheckSurprise(("cy",), ("ann",)))
