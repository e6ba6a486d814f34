"""Message declarations: everything about a command or an event is declared beside its class."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from rules.engine import messages
from rules.engine.inputs import Asked, Place, Want, Wanted
from rules.engine.messages import (
    Command,
    Event,
    command,
    command_type,
    command_types,
    decides,
    event,
    event_type,
    event_types,
    evolve,
    evolves,
    run,
)
from rules.engine.phrases import phrase
from rules.model.state import Encounter


@pytest.fixture(autouse=True)
def nothing_stays():
    """Removes what a test declares."""
    with messages.declared_here():
        yield


def declared(**more) -> type[Command]:
    @command(phrase("whistle"), **more)
    @dataclass(frozen=True, slots=True)
    class Whistle(Command):
        by: str
        times: int = 1

    return Whistle


def test_a_command_is_known_by_its_declaration():
    whistle = declared(topics=("noise",), any_time=True, acts_for="by")
    found = command_type(whistle)
    assert (found.label, found.topics, found.any_time, found.outside_fights) == ("whistle", ("noise",), True, False)
    assert found in command_types()
    assert messages.label_of("Whistle") == "whistle"


def test_what_players_may_give_acts_for_somebody_and_is_never_stale():
    whistle = declared(acts_for="by")
    found = command_type(whistle)
    assert found.acts_for(whistle("ann"), None) == "ann"
    assert found.commutes
    assert not found.reserved(whistle("ann"), None)
    assert list(found.names(whistle("ann"), None)) == []


def test_what_is_the_storytellers_alone_acts_for_nobody():
    found = command_type(declared())
    assert found.acts_for is None
    assert not found.commutes


def test_a_command_may_say_what_is_the_storytellers_and_whom_it_names():
    whistle = declared(
        acts_for=lambda given, _state: given.by,
        reserved=lambda given, _ruleset: given.times > 1,
        names=lambda given, _ruleset: ("bob",),
    )
    found = command_type(whistle)
    assert found.acts_for(whistle("ann"), None) == "ann"
    assert [found.reserved(whistle("ann", times), None) for times in (1, 2)] == [False, True]
    assert list(found.names(whistle("ann"), None)) == ["bob"]


def test_a_command_is_carried_out_by_its_decider_and_its_event_by_its_evolution():
    whistle = declared(acts_for="by")

    @event("roll", topics=("noise",), dice=True, resolves=True)
    @dataclass(frozen=True, slots=True)
    class Whistled(Event):
        by: str

    @decides(whistle)
    def _whistle(desk, given):
        return (Whistled(f"{desk} {given.by}"),)

    @evolves(Whistled)
    def _whistled(state, told):
        return (*state, told.by)

    (told,) = run("desk", whistle("ann"))
    assert evolve((), told) == ("desk ann",)
    found = event_type(Whistled)
    assert (found.about, found.topics, found.dice, found.resolves, found.own_roll) == (
        "roll",
        ("noise",),
        True,
        True,
        False,
    )


def test_two_messages_of_one_name_are_refused():
    """Logs store messages by name."""
    declared()
    with pytest.raises(TypeError, match="Whistle has been declared"):
        declared()


def test_every_command_has_a_label_and_a_decider():
    assert len(command_types()) > 40
    assert all(each.label and each.cls in messages._deciders for each in command_types())


def test_every_event_that_is_told_by_a_rule_or_none_says_which():
    for each in event_types():
        ways = [bool(each.topics), bool(each.action), each.no_rule]
        assert sum(ways) <= 1, each.cls


# ------------------------------------------------------------------ what a command asks for


EVERYTHING = Asked(
    (
        Wanted("times", phrase("Times"), least=2, most=5, needed=True),
        Wanted("tune", phrase("Tune"), Want.CHOICE, (("low", "Low"), ("high", "High"))),
        Wanted("to", phrase("To"), Want.SOMEBODY),
        Wanted("loudly", phrase("Loudly"), Want.SWITCH, storytellers=True),
    )
)


def asking() -> type[Command]:
    @command(phrase("whistle"), acts_for="by", asked=EVERYTHING)
    @dataclass(frozen=True, slots=True)
    class WhistleAtSomebody(Command):
        by: str
        times: int
        tune: str = ""
        to: str = ""
        loudly: bool = False

    return WhistleAtSomebody


STATE = Encounter(combatants=dict.fromkeys(("ann", "bob")))


def test_what_is_asked_for_somebody_has_a_name_a_step_and_places():
    found = command_type(asking())
    assert (found.name, found.asked.step, found.asked.about) == ("whistle-at-somebody", "whistle_at_somebody", "by")
    assert (found.asked.title, found.asked.submit) == ("whistle", "whistle")
    assert found.offered == {Place.SEAT: "whistle", Place.ROW: "whistle"}
    assert found.offered_to(STATE, "ann", None)
    assert not found.asked.press


def test_what_is_the_storytellers_is_offered_nowhere_unless_it_says_so():
    assert command_type(declared(asked=Asked(about="by"))).offered == {}


def test_inputs_that_do_not_fit_are_refused():
    whistle = asking()
    refusal = command_type(whistle).refusal
    assert refusal(whistle("ann", 2), STATE) is None
    assert refusal(whistle("ann", 5, "low", "bob"), STATE) is None
    for wrong, words in (
        (whistle("ann", 1), "Times: enter a whole number from 2 to 5."),
        (whistle("ann", 2, "shrill"), "Choose another value for “Tune”."),
        (whistle("ann", 2, to="cy"), "Nobody by that name is in this fight."),
    ):
        assert (refusal(wrong, STATE).rule, refusal(wrong, STATE).message) == ("input", words)


def test_inputs_say_what_is_the_storytellers_and_who_is_named():
    whistle = asking()
    found = command_type(whistle)
    assert [found.reserved(whistle("ann", 2, loudly=loudly), None) for loudly in (False, True)] == [False, True]
    assert list(found.names(whistle("ann", 2), None)) == []
    assert list(found.names(whistle("ann", 2, to="bob"), None)) == ["bob"]


def test_the_least_that_can_be_said_is_a_command():
    whistle = asking()
    assert command_type(whistle).sample("ann", STATE) == whistle("ann", 2)


def test_what_must_be_said_has_a_least_of_its_kind():
    kinds = (
        Wanted("times", phrase("Times"), least=2, most=5, needed=True),
        Wanted("tune", phrase("Tune"), Want.CHOICE, (("low", "Low"), ("high", "High")), needed=True),
        Wanted("to", phrase("To"), Want.SOMEBODY, needed=True),
        Wanted("loudly", phrase("Loudly"), Want.SWITCH, needed=True),
        Wanted("word", phrase("Word"), Want.WORDS, needed=True),
    )

    @command(phrase("hum"), acts_for="by", asked=Asked(kinds))
    @dataclass(frozen=True, slots=True)
    class Hum(Command):
        by: str
        times: int
        tune: str
        to: str
        loudly: bool
        word: str

    assert command_type(Hum).sample("ann", STATE) == Hum("ann", 2, "low", "bob", False, "…")


def test_a_sample_has_text_where_a_command_takes_any():
    @command(phrase("shout"), acts_for="by", asked=Asked((Wanted("word", phrase("Word"), Want.WORDS),)))
    @dataclass(frozen=True, slots=True)
    class Shout(Command):
        by: str
        word: str = ""

    assert command_type(Shout).sample("ann", STATE).word


def test_a_declaration_that_does_not_fit_its_class_is_refused():
    for ask in (Asked(about="whom"), Asked((Wanted("volume", "Volume"),))):
        with pytest.raises(TypeError, match="Whistle has no field called"):
            declared(asked=ask)
    with pytest.raises(TypeError, match="Whistled has no field called tune"):

        @event(says=phrase("{by} whistles {tune}."))
        @dataclass(frozen=True, slots=True)
        class Whistled(Event):
            by: str


def test_two_commands_of_one_address_are_refused():
    with pytest.raises(TypeError, match="posted as act already"):
        declared(name="act")
