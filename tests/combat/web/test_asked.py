"""The form generated from a command's declaration, with every type of input."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import reverse

from combat.web.forms.asked import form_of
from rules.engine.inputs import Asked, Want, Wanted
from rules.engine.messages import Command, Event, command, decides, declared_here, event
from rules.engine.phrases import phrase
from tests.combat.conftest import SECRET, TRUE_NAME, Table
from tests.world import HTMX

pytestmark = pytest.mark.django_db

Sung = Callable[[], list[dict[str, Any]]]

SONGS = (("low", phrase("low")), ("high", phrase("high")))


@pytest.fixture(autouse=True)
def singing() -> Iterator[None]:
    """A made-up command that asks for everything."""
    with declared_here():

        @command(
            phrase("sing"),
            acts_for="by",
            asked=Asked(
                (
                    Wanted("verses", phrase("Verses"), least=1, most=3, needed=True),
                    Wanted("tune", phrase("Tune"), Want.CHOICE, SONGS, needed=True),
                    Wanted("pitch", phrase("Pitch"), Want.CHOICE, SONGS),
                    Wanted("to", phrase("To whom"), Want.SOMEBODY),
                    Wanted("words", phrase("Words"), Want.WORDS, help=phrase("such as: Oh!")),
                    Wanted("badly", phrase("Badly"), Want.SWITCH),
                    Wanted("heard", phrase("Heard by"), most=9, storytellers=True),
                ),
                title=phrase("sing a song"),
                submit=phrase("sing it"),
                help=phrase("All will listen."),
            ),
        )
        @dataclass(frozen=True, slots=True)
        class Sing(Command):
            by: str
            verses: int
            tune: str = "low"
            pitch: str = ""
            to: str = ""
            words: str = ""
            badly: bool = False
            heard: int = 0

        @event(no_rule=True, says=phrase("{by} sings “{words}”."), people=("by",))
        @dataclass(frozen=True, slots=True)
        class Sang(Event):
            by: str
            words: str

        @decides(Sing)
        def sing(_desk: Any, command: Sing) -> tuple[Event, ...]:
            return (Sang(command.by, command.words),)

        yield


@pytest.fixture
def sung(fight: Table) -> Sung:
    """The command's fields as in the log."""

    def read() -> list[dict[str, Any]]:
        commands = fight.encounter.rows.order_by("seq").values_list("command", flat=True)
        return [each for each in commands if each["is"] == "Sing"]

    return read


@pytest.fixture
def shown(fight: Table, signed_in: Callable[[Any], Any]) -> Callable[[Any], str]:
    def get(user: Any) -> str:
        address = reverse("combat:form", args=[fight.encounter_id, "sing"])
        return str(signed_in(user).get(address, {"who": fight["Ilya"]}, headers=HTMX).content.decode())

    return get


@pytest.fixture
def send(fight: Table, signed_in: Callable[[Any], Any]) -> Callable[..., Any]:
    def post(user: Any, **fields: Any) -> Any:
        said = {"who": fight["Ilya"], "verses": 2, "tune": "high"} | fields
        return signed_in(user).post(reverse("combat:do", args=[fight.encounter_id, "sing"]), said, headers=HTMX)

    return post


def test_each_input_is_a_field(shown: Callable[[Any], str], player: Any) -> None:
    form = shown(player)
    for text in ("Sing a song", "Sing it", "All will listen.", "Verses", "To whom", "such as: Oh!"):
        assert text in form
    assert form.count('type="radio" name="tune"') == 2
    assert form.count("checked") == 1  # the command's own: low
    assert '<select name="pitch"' in form
    assert "Type dice" not in form
    assert SECRET not in form
    assert TRUE_NAME not in form


def test_what_is_the_storytellers_is_no_players_to_fill_in(
    shown: Callable[[Any], str], send: Any, sung: Sung, storyteller: Any, player: Any
) -> None:
    assert 'name="heard"' not in shown(player)
    assert 'name="heard"' in shown(storyteller)
    assert send(player, heard=3).status_code == 200
    assert send(storyteller, heard=3).status_code == 200
    assert [each["heard"] for each in sung()] == [0, 3]


def test_what_is_left_empty_is_the_commands_own(fight: Table, send: Any, sung: Sung, player: Any) -> None:
    assert send(player, pitch="", to="", words="").status_code == 200
    (given,) = sung()
    left = {"verses": 2, "tune": "high", "pitch": "", "to": "", "words": "", "badly": False, "heard": 0}
    assert given == {"is": "Sing", "by": fight["Ilya"], **left}


def test_everything_that_is_filled_in_arrives(fight: Table, send: Any, sung: Sung, player: Any) -> None:
    thug = fight["Thug 1"]
    assert send(player, to=thug, words="Oh!", badly="on").status_code == 200
    (given,) = sung()
    assert (given["to"], given["words"], given["badly"]) == (thug, "Oh!", True)


@pytest.mark.parametrize("wrong", [{"verses": ""}, {"verses": 4}, {"tune": "shrill"}, {"words": "o" * 201}])
def test_what_does_not_fit_comes_back(send: Any, sung: Sung, player: Any, wrong: dict[str, Any]) -> None:
    assert send(player, **wrong).status_code == 422
    assert sung() == []


def test_nobody_sings_to_whom_they_do_not_see(fight: Table, send: Any, sung: Sung, player: Any) -> None:
    assert send(player, to=fight[SECRET]).status_code == 422
    assert sung() == []


def test_words_are_told_as_they_were_typed(fight: Table, send: Any, player: Any) -> None:
    """A correctly guessed name must not turn into another."""
    send(player, words=f"Oh {TRUE_NAME}!")
    (line,) = fight.view(player).log.entries[0].lines
    assert "".join(span.text for span in line) == f"Ilya sings “Oh {TRUE_NAME}!”."


def test_an_input_cannot_take_the_place_of_what_every_form_has() -> None:
    @command(phrase("hum"), asked=Asked((Wanted("key", phrase("Key")),)))
    @dataclass(frozen=True, slots=True)
    class Hum(Command):
        key: int = 0

    with pytest.raises(TypeError, match="can't be called key"):
        form_of(Hum)
