"""The three-way merge of what play wears on a sheet."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine.messages import replay
from rules.model.gear import Armor, Damage, Fault
from rules.model.sheet import Injury, Scar, Sheet
from rules.model.wear import used, worn
from rules.topics.commands import ReviseSheet
from rules.topics.health.boxes import sort_marks
from tests.rules.table import PISTOL, Table, boxes, mortal, row

MARKS = st.lists(st.sampled_from(list(Damage)), max_size=7).map(sort_marks)
POINTS = st.dictionaries(st.sampled_from(["blood", "willpower"]), st.integers(0, 9))
SHEETS = st.builds(Sheet, name=st.just("Ann"), marks=MARKS, resources=POINTS)


@given(SHEETS, SHEETS)
def test_what_only_one_place_changed_is_taken_as_it_is(before: Sheet, after: Sheet) -> None:
    assert worn(before, before, after) == replace(after, resources=before.resources | after.resources)
    assert worn(after, before, before) == after


@given(SHEETS, MARKS, MARKS)
def test_harm_from_two_places_adds_up_in_any_order(before: Sheet, ours: Any, theirs: Any) -> None:
    here = replace(before, marks=sort_marks((*before.marks, *ours)))
    there = replace(before, marks=sort_marks((*before.marks, *theirs)))
    both = Counter((*before.marks, *ours, *theirs))
    assert Counter(worn(here, before, there).marks) == Counter(worn(there, before, here).marks) == both


@pytest.mark.parametrize(
    ("mine", "before", "after", "merged"),
    [("XXX", "", "/", "XXX/"), ("X/", "X/", "X", "X"), ("XX", "X/", "X", "XX"), ("*", "", "*", "**")],
)
def test_marks(mine: str, before: str, after: str, merged: str) -> None:
    assert row(worn(mortal(mine), mortal(before), mortal(after)).marks) == merged


def test_injuries_and_scars() -> None:
    before = Sheet("Ann", injuries=(Injury(4), Injury(2)))
    mine = replace(before, injuries=(Injury(4), Injury(2), Injury(1)), scars=(Scar(5, fight="one"),))
    after = replace(before, injuries=(Injury(5), Injury(4)), scars=(Scar(6, fight="two"),))
    merged = worn(mine, before, after)
    assert merged.injuries == (Injury(5), Injury(4), Injury(1))
    assert merged.scars == (Scar(5, fight="one"), Scar(6, fight="two"))


@pytest.mark.parametrize(
    ("mine", "before", "after", "merged"),
    [(7, 10, 8, 5), (1, 10, 8, 0), (None, 10, 8, 8), (7, None, 5, 5), (7, 10, 10, 7)],
)
def test_points(mine: int | None, before: int | None, after: int, merged: int) -> None:
    def with_blood(points: int | None) -> Sheet:
        return Sheet("Ann", resources={} if points is None else {"blood": points})

    assert worn(with_blood(mine), with_blood(before), with_blood(after)).resources == {"blood": merged}


def test_gear() -> None:
    gun, vest = replace(PISTOL, key="1"), Armor("vest", 3, key="2")
    before = replace(mortal(), weapons=(gun, PISTOL), armor=(vest,))
    mine = replace(before, weapons=(replace(gun, rounds=4), PISTOL))
    after = replace(
        before, weapons=(replace(gun, rounds=5, fault=Fault.JAMMED), PISTOL), armor=(replace(vest, destroyed=True),)
    )
    merged = worn(mine, before, after)
    assert merged.weapons == (replace(gun, rounds=2, fault=Fault.JAMMED), PISTOL)
    assert merged.armor == (replace(vest, destroyed=True),)
    assert used(replace(gun, rounds=None), gun, replace(gun, rounds=1)).rounds == 1
    assert used(replace(gun, rounds=4), gun, replace(gun, fault=Fault.BROKEN)) == replace(
        gun, rounds=4, fault=Fault.BROKEN
    )


def test_a_fight_follows_only_what_was_worn_and_undo_takes_nothing_of_it_back() -> None:
    table = Table(ann=mortal("X", strength=2), bob=mortal())
    before = table.state
    written = replace(table.sheet("ann"), marks=boxes("XXXXXXX"), traits={"strength": 5}, resources={"willpower": 1})
    events = table.does(ReviseSheet("ann", written, worn=True))
    after = table.state.combatants["ann"]
    assert (after.sheet.marks, after.sheet.resources) == (written.marks, {"willpower": 1})
    assert after.sheet.traits == {"strength": 2}
    assert after.conditions
    healed = replace(before.combatants["ann"], sheet=replace(before.combatants["ann"].sheet, marks=()))
    undone = replay(replace(before, combatants={**before.combatants, "ann": healed}), events)
    assert row(undone.combatants["ann"].sheet.marks) == "XXXXXX"
    nobody = replace(before, combatants={"bob": before.combatants["bob"]})
    assert replay(nobody, events) == nobody
