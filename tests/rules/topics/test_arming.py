"""Weapons given for a fight, and private messages."""

from __future__ import annotations

from rules.model.gear import Mode, Weapon
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.topics.commands import Arm, Describe, Join, Newcomer, ReviseSheet
from rules.topics.events import Armed
from tests.rules.table import Table, mortal

CLUB = Weapon("Club", Mode.MELEE, damage=2)
KNIFE = Weapon("Knife", Mode.MELEE, damage=1)


def carried(table: Table, who: str) -> list[str]:
    return [weapon.name for weapon in table.state.combatants[who].sheet.weapons]


def test_a_weapon_goes_to_those_without_it_and_outlasts_an_edit_of_the_sheet():
    table = Table(MASQUERADE, ann=mortal(weapons=(KNIFE,)), bob=mortal())
    told = table.does(Arm(("ann", "bob"), KNIFE))
    assert [event for event in told if isinstance(event, Armed)] == [Armed(("bob",), KNIFE)]
    table.does(Arm(("ann", "bob"), CLUB))
    assert (carried(table, "ann"), carried(table, "bob")) == (["Club", "Knife"], ["Club", "Knife"])
    table.refuses("input", Arm(("ann", "bob"), CLUB))
    table.does(ReviseSheet("bob", mortal(brawl=4)))
    assert sorted(carried(table, "bob")) == ["Club", "Knife"]


def test_somebody_joins_with_weapons():
    table = Table(MASQUERADE, ann=mortal())
    table.does(Join((Newcomer("cat", mortal(weapons=(KNIFE,)), weapons=(CLUB, KNIFE)),)))
    assert carried(table, "cat") == ["Club", "Knife"]
    table.does(ReviseSheet("cat", mortal()))
    assert carried(table, "cat") == ["Club"]


def test_the_same_message_again_is_another_one():
    table = Table(MASQUERADE, players=("ann",), ann=mortal())
    sent = []
    for text in ("Hush.", "Hush.", "Go."):
        table.does(Describe(("ann",), text))
        sent.append((table.state.combatants["ann"].told, table.state.combatants["ann"].repeats))
    assert sent == [("Hush.", 0), ("Hush.", 1), ("Go.", 0)]
