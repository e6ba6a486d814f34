"""Copies of frozen values: equal to the standard library's, without changing the original."""

from __future__ import annotations

import dataclasses

import pytest

from rules.engine.copies import replace
from rules.model.gear import Damage, Mode, Weapon
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter, TurnRecord

ANN = Sheet("Ann", "mortal", {"strength": 3})


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        (ANN, {"marks": (Damage.LETHAL,)}),
        (Combatant("ann", ANN, hidden=True), {"dying_since": 2, "told": "Smoke."}),
        (Encounter(combatants={"ann": Combatant("ann", ANN)}), {"turn": 4}),
        (TurnRecord(acted=True), {"moved": 3}),
        (Weapon("knife", Mode.MELEE, 1), {"rounds": 2}),
    ],
    ids=lambda each: type(each).__name__,
)
def test_a_copy_is_the_standard_library_s(value, changes):
    before = dataclasses.replace(value)
    copy = replace(value, **changes)
    assert copy == dataclasses.replace(value, **changes)
    assert copy != value
    assert value == before


@pytest.mark.parametrize("value", [ANN, Weapon("knife", Mode.MELEE, 1)], ids=["without slots", "with slots"])
def test_a_field_that_there_is_not_is_refused(value):
    with pytest.raises(TypeError):
        replace(value, wings=2)


@pytest.mark.parametrize(
    "value", [ANN, Combatant("ann", ANN), Encounter(), TurnRecord()], ids=lambda each: type(each).__name__
)
def test_a_copy_is_as_frozen_as_what_it_was_made_of(value):
    (first, *_) = dataclasses.fields(value)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(replace(value), first.name, None)
