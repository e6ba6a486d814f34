"""Everything that the rules can produce survives encoding and decoding."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from cattrs.errors import ForbiddenExtraKeysError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from combat.log import codec
from rules.engine.dice import Roll
from rules.engine.messages import declared_here, evolve
from rules.engine.phrases import Phrase, Typed, phrase, phrases
from rules.engine.slots import SLOTS, Slot
from rules.engine.violations import Flag
from rules.model.choices import Modifier
from rules.model.gear import Damage
from rules.model.plan import PoolPlan
from rules.model.results import AttackResult, Outcome, Rolled
from rules.model.roll import RollTraits
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter, Status, TurnRecord
from rules.topics.commands import ChangeConditions, Harm
from rules.topics.events import AttackOverridden, RulesWaived

words = st.text(max_size=6)
st.register_type_strategy(str, words)
st.register_type_strategy(int, st.integers(-20, 20))


def values(kind: Any) -> st.SearchStrategy[Any]:
    return st.from_type(kind)


# The rules are annotated with Mapping; everybody passes a dict. Slots can contain anything, and are filled by their own
# test.
st.register_type_strategy(
    Mapping,
    lambda kind: (
        st.just({}) if Any in kind.__args__ else st.dictionaries(*(values(part) for part in kind.__args__), max_size=2)
    ),
)
st.register_type_strategy(tuple, lambda kind: st.lists(values(kind.__args__[0]), max_size=2).map(tuple))
st.register_type_strategy(frozenset, lambda kind: st.frozensets(values(kind.__args__[0]), max_size=3))

quick = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


def there_and_back(written: Any) -> Any:
    """A round trip like the database's."""
    return json.loads(json.dumps(written))


@pytest.mark.parametrize("kind", codec.COMMANDS.values(), ids=codec.COMMANDS)
def test_every_command_comes_back(kind: type) -> None:
    @quick
    @given(values(kind))
    def check(command: Any) -> None:
        assert codec.load_command(there_and_back(codec.dump_command(command))) == command

    check()


@pytest.mark.parametrize("kind", codec.EVENTS.values(), ids=codec.EVENTS)
def test_every_event_comes_back(kind: type) -> None:
    @quick
    @given(values(kind))
    def check(event: Any) -> None:
        assert codec.load_events(there_and_back(codec.dump_events([event]))) == (event,)

    check()


@quick
@given(values(Encounter))
def test_the_state_comes_back(state: Encounter) -> None:
    written = codec.dump_state(state)
    assert codec.load_state(there_and_back(written)) == state
    assert json.loads(written.text) == written


@pytest.mark.parametrize("slot", SLOTS.values(), ids=lambda slot: f"{slot.keeper.__name__}-{slot.key}")
def test_what_a_slot_keeps_comes_back(slot: Slot[Any, Any]) -> None:
    @quick
    @given(values(slot.kind))
    def check(value: Any) -> None:
        state = fight_that_keeps(slot, value)
        back = codec.load_state(there_and_back(codec.dump_state(state)))
        assert back == state
        assert slot.of(keeper_in(back, slot)) == value

    check()


@pytest.mark.parametrize("slot", SLOTS.values(), ids=lambda slot: f"{slot.keeper.__name__}-{slot.key}")
def test_a_slot_takes_over_what_was_a_field(slot: Slot[Any, Any]) -> None:
    @quick
    @given(values(slot.kind))
    def check(value: Any) -> None:
        state = fight_that_keeps(slot, value)
        written = there_and_back(codec.dump_state(state))
        one = written["combatants"]["a"]
        was = {Encounter: written, Combatant: one, TurnRecord: one["turn"]}[slot.keeper]
        was |= was.pop("own")
        assert codec.load_state(written) == state

    check()


def fight_that_keeps(slot: Slot[Any, Any], value: Any) -> Encounter:
    one = Combatant("a", Sheet("Ann"))
    if slot.keeper is TurnRecord:
        one = replace(one, turn=slot.put(one.turn, value))
    if slot.keeper is Combatant:
        one = slot.put(one, value)
    state = Encounter(combatants={"a": one})
    return slot.put(state, value) if slot.keeper is Encounter else state


def keeper_in(state: Encounter, slot: Slot[Any, Any]) -> Any:
    one = state.combatants["a"]
    return {Encounter: state, Combatant: one, TurnRecord: one.turn}[slot.keeper]


def test_an_event_says_what_is_as_by_default_again() -> None:
    """If a corrected attack leaves a slot empty, the state before may have a value in it."""
    with declared_here():
        slot = Slot(Encounter, "smoke", int, 0)
        event = overridden(own={"smoke": 0})
        (back,) = codec.load_events(there_and_back(codec.dump_events([event])))
        assert back == event
        state = evolve(slot.put(Encounter(), 3), back)
        assert (slot.of(state), state.own) == (0, {})


def overridden(own: Mapping[str, Any]) -> AttackOverridden:
    """A minimal override."""
    pool = PoolPlan((), 1, 6)
    result = AttackResult("b", Outcome.MISS, Rolled("a", pool, Roll((3,), 6, 0)))
    return AttackOverridden("r1", "a", "b", result, result, {}, {}, (), (), own=own)


def test_what_nobody_declares_stays_as_it_was_written() -> None:
    """A chronicle whose ruleset is not installed opens, and nothing is lost."""
    with declared_here():
        Slot(Encounter, "dread", tuple[int, ...], ())
        written = there_and_back(codec.dump_state(Encounter(own={"dread": (1, 2)})))
    alone = codec.load_state(written)
    assert alone.own == {"dread": [1, 2]}
    assert there_and_back(codec.dump_state(alone)) == written
    with declared_here():
        Slot(Encounter, "dread", tuple[int, ...], ())
        assert codec.load_state(written).own == {"dread": (1, 2)}


def test_a_field_that_there_never_was_is_refused() -> None:
    with pytest.raises(ForbiddenExtraKeysError):
        codec.load_state({"dread": 1})


def test_nothing_written_is_an_empty_fight() -> None:
    assert codec.load_state({}) == Encounter()


def test_types_come_back_too() -> None:
    """Equality alone would accept a plain string for a damage type."""
    command = codec.load_command(there_and_back(codec.dump_command(Harm("someone", 2, Damage.LETHAL))))
    state = codec.load_state(there_and_back(codec.dump_state(Encounter(acting=("someone",)))))
    assert isinstance(command, Harm)
    assert type(command.type) is Damage
    assert type(state.status) is Status
    assert type(state.acting) is tuple


def test_a_phrase_comes_back_with_what_it_was_made_of() -> None:
    said = phrase("{who} has {rounds}.", who="Ilya", rounds=phrases("aimed-for-round", 2))
    written = there_and_back(codec.dump_events([RulesWaived((Flag("V20-1", said),), "because")]))
    (event,) = codec.load_events(written)
    assert isinstance(event, RulesWaived)
    back = event.flags[0].text
    assert back == "Ilya has Aimed for 2 rounds."
    assert isinstance(back, Phrase)
    assert isinstance(back.values["rounds"], Phrase)
    assert (back.id, back.values["rounds"].number) == (said.id, 2)
    assert type(event.why) is str


def test_what_a_player_typed_comes_back_as_that() -> None:
    """In a text of its own, in a phrase and among numbers."""
    flag = Flag("V20-1", phrase("There is no “{it}” here.", it=Typed("Quintus", "a character")))
    more = Modifier("circumstance", {"dice": 2, "why": Typed("Quintus")})
    written = there_and_back(codec.dump_events([RulesWaived((flag,), Typed("Quintus"))]))
    (event,) = codec.load_events(written)
    command = codec.load_command(there_and_back(codec.dump_command(RollTraits("someone", (), modifiers=(more,)))))
    assert isinstance(event, RulesWaived)
    assert isinstance(command, RollTraits)
    text = event.flags[0].text
    assert isinstance(text, Phrase)
    assert [type(each) for each in (event.why, text.values["it"], command.modifiers[0].figures["why"])] == [Typed] * 3
    assert (event.why.of, text.values["it"].of) == ("", "a character")
    assert (event.why, text) == ("Quintus", "There is no “Quintus” here.")


def test_what_was_written_before_there_were_phrases_still_reads() -> None:
    (event,) = codec.load_events([{"is": "RulesWaived", "flags": [{"rule": "V20-1", "text": "No."}], "why": ""}])
    assert event == RulesWaived((Flag("V20-1", "No."),), "")


@quick
@given(st.frozensets(st.text("abc", max_size=3), max_size=6))
def test_the_same_set_is_always_the_same_text(names: frozenset[str]) -> None:
    command = ChangeConditions(at="someone", add=names)
    assert codec.dump_command(command)["add"] == sorted(names)


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(KeyError):
        codec.load_command({"is": "Cheat"})
