"""The language each reader gets, and the rules' texts in it."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils import translation

from campaigns.words import said, said_later
from rules.engine.phrases import phrase, phrases

pytestmark = pytest.mark.django_db

GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-AT,de;q=0.9,en;q=0.5"}


def language_of(answer: Any) -> str:
    return str(answer.content.decode().partition('<html lang="')[2].partition('"')[0])


def choose(client: Any, language: str) -> Any:
    return client.post(reverse("campaigns:language"), {"language": language}, HTTP_REFERER="/rules/")


def test_a_guest_reads_what_the_browser_asks_for(client):
    assert language_of(client.get("/", **GERMAN)) == "de"
    assert language_of(client.get("/", HTTP_ACCEPT_LANGUAGE="fr")) == "en-gb"


def test_what_a_guest_chooses_stays_with_the_browser(client):
    answer = choose(client, "de")
    assert (answer.status_code, answer["Location"]) == (302, "/rules/")
    assert language_of(client.get("/")) == "de"


def test_what_an_account_chose_goes_before_the_browser_wherever_it_signs_in(client, player):
    client.force_login(player)
    choose(client, "de")
    client.logout()
    client.cookies.clear()
    assert language_of(client.get("/")) == "en-gb"
    client.force_login(player)
    assert language_of(client.get("/")) == "de"
    choose(client, "en-gb")
    assert language_of(client.get("/", **GERMAN)) == "en-gb"


@pytest.mark.parametrize("language", ["", "xx", "fr", "de-de\x00", "../de"])
def test_a_language_that_there_is_not_changes_nothing(client, player, language):
    client.force_login(player)
    assert choose(client, language).status_code == 302
    player.refresh_from_db()
    assert player.language == ""
    assert language_of(client.get("/")) == "en-gb"


def test_the_way_back_leads_nowhere_else(client):
    answer = client.post(reverse("campaigns:language"), {"language": "de", "next": "https://elsewhere.example/"})
    assert answer["Location"] == "/"


def test_every_page_has_the_switch_with_the_present_language_pressed(client):
    page = client.get("/", **GERMAN).content.decode()
    assert '<button name="language" value="de" lang="de" aria-pressed="true">Deutsch</button>' in page
    assert '<button name="language" value="en-gb" lang="en-gb" aria-pressed="false">English</button>' in page


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalogue with only these entries."""
    held = {"{who} has {rounds}.": "{rounds} hat {who}.", "prone": "am Boden"}
    several = {"rounds": ("{count} Schuss", "{count} Schüsse")}

    def template(_locale: str, key: str, number: int | None) -> str:
        return held.get(key, key) if number is None else several[key][number != 1]

    monkeypatch.setattr("campaigns.words.template", template)


@pytest.mark.usefixtures("german")
def test_a_phrase_is_said_with_its_values_where_the_language_wants_them():
    assert said(phrase("{who} has {rounds}.", who="Ilya", rounds=phrases("rounds", 2))) == ("2 Schüsse hat Ilya.")
    assert said(phrase("prone")) == "am Boden"


@pytest.mark.usefixtures("german")
def test_what_somebody_typed_is_never_translated():
    assert said("prone") == "prone"
    assert said(phrase("{who} has {rounds}.", who="prone", rounds=1)) == "1 hat prone."


def test_what_is_said_later_is_said_in_the_language_of_then():
    later = said_later(phrase("prone"))
    with translation.override("de"):
        assert str(later) == "am Boden"
    assert str(later) == "prone"
