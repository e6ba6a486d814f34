"""The list of what somebody can do: names and forms."""

from __future__ import annotations

from dataclasses import replace

import pytest

from combat.panes.possible import possibilities
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Declaration, Encounter, Stage, Status
from rules.model.system import Game
from rules.systems import RULESETS


def listed(ruleset: str, ann: Combatant) -> list[tuple[str, str]]:
    """The available entries for declaring and spending, with their forms' parameters."""
    state = Encounter(Status.RUNNING, stage=Stage.INITIATIVE, order=(("ann",),), combatants={"ann": ann})
    possible = possibilities(Game(state, RULESETS[ruleset]), "ann")
    allowed = [each for each in possible if each.allowed and each.form in {"declare", "spend"}]
    return [(each.label, f"{each.form}?{each.query}") for each in allowed]


@pytest.mark.parametrize(
    ("ruleset", "first", "again"),
    [
        ("masquerade", [], []),
        ("apocalypse", [], [("Declare again", "declare?")]),
        ("darkness", [("Declare", "declare?")], []),
        ("wounds", [("Split the pool", "declare?")], [("Split the pool", "declare?")]),
    ],
)
def test_declaring_is_listed_where_it_has_no_button_of_its_own(
    ruleset: str, first: list[tuple[str, str]], again: list[tuple[str, str]]
) -> None:
    ann = Combatant("ann", Sheet("Ann"))
    assert listed(ruleset, ann) == first
    assert listed(ruleset, replace(ann, turn=replace(ann.turn, declaration=Declaration("I wait.")))) == again


def test_a_condition_is_lifted_by_the_points_that_lift_it() -> None:
    ann = Combatant("ann", Sheet("Ann", resources={"willpower": 2}), conditions=frozenset({"stunned"}))
    assert ("Ignore being stunned: 1 Willpower", "spend?resource=willpower") in listed("wounds", ann)
