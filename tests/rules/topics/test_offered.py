"""Where commands are offered: menus list them in the order of their declarations."""

from __future__ import annotations

import pytest

from rules.engine.dice import NO_DICE, Purpose, Throw
from rules.engine.inputs import Place
from rules.engine.messages import command_type, command_types
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter
from rules.systems import RULESETS
from rules.topics.commands import Abort, FreshStart, RollInitiative
from rules.topics.initiative.scores import FRESH_START


@pytest.mark.parametrize(
    ("place", "names"),
    [
        (Place.SEAT, ["delay", "hold-over", "fresh-start", "full-defence", "abort"]),
        (Place.ROW, ["delay", "full-defence", "abort"]),
        (
            Place.FIGHT,
            [
                "in-hand",
                "surprise",
                "circumstances",
                "describe",
                "initiative",
                "hold-over",
                "fresh-start",
                "initiative-mode",
            ],
        ),
    ],
)
def test_each_place_offers_these(place: Place, names: list[str]) -> None:
    ours = (each for each in command_types() if each.cls.__module__.startswith("rules."))
    assert [each.name for each in ours if place in each.offered] == names


def test_nobody_is_offered_what_has_no_name_there() -> None:
    assert all(label for each in command_types() for label in each.offered.values())


@pytest.mark.parametrize("merits", [frozenset(), frozenset({FRESH_START})])
def test_a_fresh_start_is_offered_to_those_who_have_the_merit(merits: frozenset[str]) -> None:
    sheet = Sheet("Ann", "mortal", merits=merits)
    state = Encounter(combatants={"ann": Combatant("ann", sheet)})
    assert command_type(FreshStart).offered_to(state, "ann", RULESETS["darkness"]) == bool(merits)


def test_an_action_is_aborted_where_the_rules_say_so() -> None:
    found = {key for key, system in RULESETS.items() if command_type(Abort).offered_to(Encounter(), "ann", system)}
    assert found == {key for key, system in RULESETS.items() if system.turns.aborts}
    assert "masquerade" in found
    assert len(found) < len(RULESETS)


def test_initiative_is_rolled_after_an_ambush_where_a_rule_says_what_becomes_of_the_ambushed() -> None:
    """WL-INIT-3, WD-SURP-1, CD-SURP-1."""
    offered = command_type(RollInitiative).offered_to
    found = {key for key, system in RULESETS.items() if offered(Encounter(), "ann", system)}
    assert found == {"wounds", "darkness", "chronicles"}


def test_a_question_about_what_can_be_done_throws_no_dice() -> None:
    with pytest.raises(AssertionError, match="no dice"):
        NO_DICE.roll(Throw(Purpose.ROLL, "ann", 3))
    with pytest.raises(AssertionError, match="no chance"):
        NO_DICE.pick(2)
