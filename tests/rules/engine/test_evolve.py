"""From an event to the next state."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine import messages
from rules.engine.messages import command_types, event_types, evolve, replay
from rules.model.gear import Damage
from rules.model.state import Encounter
from rules.topics.commands import Act, Join, Leave, Newcomer, RollInitiative
from rules.topics.events import Aborted, Delayed, Harmed, JamCleared, WeaponChanged
from tests.rules.table import KNIFE, PISTOL, Table, mortal


@pytest.mark.parametrize(
    "event", [Delayed("ann"), Aborted("ann", True), JamCleared("ann", "pistol"), Harmed("ann", 1, Damage.LETHAL)]
)
def test_events_that_only_explain_change_nothing(event):
    state = Table(ann=mortal()).state
    assert evolve(state, event) is state


def test_the_state_is_what_the_events_come_to():
    table = Table(ann=mortal(), bob=mortal())
    before = table.state
    told = table.does(RollInitiative(), initiative=[5, 4])
    assert replay(before, told) == table.state
    assert replay(Encounter(), ()) == Encounter()


def test_a_weapon_that_is_not_there_is_not_changed():
    state = Table(ann=mortal(weapons=(KNIFE,))).state
    assert evolve(state, WeaponChanged("ann", PISTOL)) == state


def test_weapons_of_one_name_are_told_apart_by_their_keys():
    """MQ-ATK-8."""
    pair = (replace(PISTOL, key="1"), replace(PISTOL, key="2"))
    table = Table(ann=mortal(weapons=pair), bob=mortal())
    table.attacks("ann", "bob", "2", attack=[2])
    assert [weapon.rounds for weapon in table.sheet("ann").weapons] == [7, 6]


def test_what_was_done_before_there_were_ranks_belongs_to_no_turn():
    """MQ-TURN-1."""
    table = Table(ann=mortal(), bob=mortal())
    table.attacks("ann", "bob", attack=[2])
    table.initiative(ann=5, bob=4)
    table.does(Act())
    assert table.state.acting == ("ann",)


def test_an_order_without_anybody_is_no_order():
    table = Table(ann=mortal())
    table.initiative(ann=5)
    table.does(Leave("ann"))
    assert not table.state.ordered
    table.does(Join((Newcomer("bob", mortal()),)))
    table.refuses("input", Act())


def test_every_command_is_decided():
    assert {each.cls for each in command_types()} == set(messages._deciders)


def test_every_event_is_a_frozen_value_of_its_own():
    kinds = [each.cls for each in event_types()]
    assert len(kinds) == len({kind.__name__ for kind in kinds}) > 70
    assert all(kind.__dataclass_params__.frozen for kind in kinds)
