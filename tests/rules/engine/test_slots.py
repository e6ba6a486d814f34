"""Slots: state that only some systems keep for combatants, turns and fights."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import pytest

from rules.engine.messages import Event, declared_here, event, evolve, evolves, evolves_beside
from rules.engine.slots import SLOTS, Slot, among, changed, kept_in, with_kept
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter, TurnRecord

ANN = Combatant("ann", Sheet("Ann"))


@pytest.fixture(autouse=True)
def nothing_stays() -> Iterator[None]:
    with declared_here():
        yield


def test_a_slot_has_its_default_until_something_is_kept() -> None:
    dread = Slot(Encounter, "dread", int, 0)
    state = Encounter(turn=3)
    fed = dread.put(state, 2)
    assert (dread.of(state), dread.of(fed), fed.turn) == (0, 2, 3)
    assert fed != state
    assert dread.put(fed, 0) == state
    assert dread.put(fed, 2) is fed


def test_slots_of_one_value_leave_each_other_alone() -> None:
    pace, breath = Slot(TurnRecord, "pace", str, ""), Slot(TurnRecord, "breath", int, 3)
    record = breath.put(pace.put(TurnRecord(), "fast"), 1)
    assert (pace.of(record), breath.of(record)) == ("fast", 1)
    assert [(slot.key, value) for slot, value in kept_in(record)] == [("pace", "fast"), ("breath", 1)]
    assert breath.put(record, 3) == pace.put(TurnRecord(), "fast")


@pytest.mark.parametrize("key", ["pace", "acted"])
def test_two_of_one_name_are_refused(key: str) -> None:
    Slot(TurnRecord, "pace", str, "")
    with pytest.raises(TypeError, match=f"TurnRecord keeps something called {key} already"):
        Slot(TurnRecord, key, str, "")
    assert Slot(Encounter, "pace", str, "") in SLOTS.values()


def test_what_concerns_others_is_left_out() -> None:
    def those(value: tuple[str, ...], people: Collection[str]) -> tuple[str, ...]:
        return tuple(who for who in value if who in people)

    friends, count = (
        Slot[Combatant, tuple[str, ...]](Combatant, "friends", tuple[str, ...], (), those),
        Slot(Combatant, "count", int, 0),
    )
    one = count.put(friends.put(ANN, ("bob", "cy")), 4)
    assert friends.of(among(one, {"bob"})) == ("bob",)
    assert among(one, set()).own == {"count": 4}


def test_what_changed_can_be_told_and_put() -> None:
    dread, smoke, mist = (Slot(Encounter, key, int, 0) for key in ("dread", "smoke", "mist"))
    was = mist.put(smoke.put(Encounter(), 2), 1)
    now = mist.put(dread.put(Encounter(), 3), 1)
    told = changed(was, now)
    assert told == {"dread": 3, "smoke": 0}
    assert with_kept(was, told) == now


def test_another_s_event_can_change_what_is_one_s_own() -> None:
    """A registered reaction to another's event receives the state before it."""
    seen = Slot(Encounter, "seen", int, 0)

    @event()
    @dataclass(frozen=True, slots=True)
    class Passed(Event):
        turn: int

    @evolves(Passed)
    def passed(state: Encounter, event: Passed) -> Encounter:
        return Encounter(turn=event.turn, own=state.own)

    @evolves_beside(Passed)
    def note(state: Encounter, event: Passed) -> Encounter:
        return seen.put(state, state.turn)

    @evolves_beside(Passed)
    def once_more(state: Encounter, event: Passed) -> Encounter:
        return seen.put(state, seen.of(state) * 10)

    after = evolve(Encounter(turn=4), Passed(5))
    assert (after.turn, seen.of(after)) == (5, 40)
