"""Filtering a log by person, turn and type of event, based only on what its reader sees."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from combat.commands import perform
from combat.history.filters import Choices, Wanted, choices_in, wanted_of
from combat.history.log import ENTRIES
from combat.history.records import read
from combat.panes.build import whole_log
from combat.web.views.log import PAGE
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table
from tests.kept import kept

pytestmark = pytest.mark.django_db

WAIVE = ["MQ-MULTI-1", "MQ-ORDER-1", "MQ-DECL-1"]


@pytest.fixture
@kept
def told(fight: Table) -> Table:
    """Two turns: initiative, a blow with narration, a roll; then damage, and a new scene text."""
    fight.do(commands.RollInitiative())
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],)), dice=FixedDice(9), waive=WAIVE)
    fight.do(commands.Narrate("r1", "Steel sings."))
    fight.do(commands.RollTraits(fight["Marguerite"], ("wits",), label="listening"))
    fight.do(commands.EndTurn())
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    return fight


def entries(fight: Table, audience: str = "storyteller") -> list[Any]:
    return list(whole_log(read(fight.encounter), audience))


def text(entry: Any) -> str:
    return "".join(span.text for line in entry.lines for span in line)


def some(fight: Table, audience: str = "storyteller", **wanted: Any) -> list[str]:
    return [text(entry) for entry in entries(fight, audience) if Wanted(**wanted).lets(entry)]


def test_each_kind_finds_its_own(told: Table) -> None:
    (blow,) = some(told, kind="attack")
    assert blow.startswith("Ilya attacks Thug 1")
    assert some(told, kind="narration") == [blow]
    assert blow in some(told, kind="roll")
    assert any("listening" in one for one in some(told, kind="roll"))
    assert any("1 bashing" in one for one in some(told, kind="damage"))
    assert any("Turn 2 begins" in one for one in some(told, kind="turn"))
    assert any(one.startswith("Initiative") for one in some(told, kind="turn"))
    assert len(some(told)) == len(entries(told))


def test_by_turn_and_by_who(told: Table) -> None:
    second = some(told, turn=2)
    assert len(second) == 2
    assert "Turn 2 begins" in second[1]
    assert "Ilya takes" in second[0]
    assert [one for one in some(told, who="Marguerite") if "listening" in one]
    assert not [one for one in some(told, who="Marguerite") if "attacks" in one]
    assert some(told, who="Ilya", turn=1, kind="attack") == some(told, kind="attack")
    assert some(told, who="Nobody") == []


def test_what_was_taken_back_stays_in_its_turn(told: Table) -> None:
    told.do(commands.EndTurn())
    told.do(commands.Harm(told["Ilya"], 1, Damage.BASHING))
    for _step in range(2):
        perform.undo(encounter_id=told.encounter_id, actor=told.storyteller)
    assert [entry.at for entry in entries(told) if entry.turn == 3] == [3]
    assert [entry.at for entry in entries(told) if entry.turn == 2] == [2]


def test_nobody_is_named_whom_the_reader_does_not_know(told: Table, player: Any) -> None:
    told.do(Attack(told[SECRET], (told["Ilya"],)), dice=FixedDice(9), waive=WAIVE)
    told.do(Attack(told[TRUE_NAME], (told["Ilya"],)), dice=FixedDice(9), waive=WAIVE)
    for audience in ("table", f"player-{player.pk}"):
        choices = choices_in(entries(told, audience))
        assert {"Ilya", "A tall man"} <= set(choices.names)
        assert not {SECRET, TRUE_NAME} & set(choices.names)


def test_an_address_that_makes_no_sense_asks_for_everything() -> None:
    assert wanted_of({"log_turn": "\u0663", "log_kind": "secrets", "log_who": ""}) == Wanted()
    assert not wanted_of({})
    assert wanted_of({"log_turn": "2", "log_kind": "attack", "log_who": "Ilya"}) == Wanted("Ilya", 2, "attack")
    assert len(wanted_of({"log_who": "x" * 5000}).who) == 100
    assert choices_in([], Wanted("Ilya", 7)) == Choices(("Ilya",), (7,))


@pytest.mark.servers
def test_screens_hold_the_newest_and_the_page_the_rest(told: Table, player: Any) -> None:
    for _time in range(PAGE + 20):
        told.do(commands.SetHealth(told["Ilya"], ()))
        told.do(commands.Harm(told["Ilya"], 1, Damage.BASHING))
    assert len(told.view("storyteller").log.entries) == ENTRIES
    assert told.view("storyteller").log.older
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("combat:entries", args=[told.encounter_id])
    first = client.get(address, {"log_who": "Ilya"}).context["page"]
    assert len(first.entries) == PAGE
    second = client.get(f"{address}?{first.older}").context["page"]
    assert second.entries
    assert second.wanted == first.wanted == Wanted("Ilya")
    assert not {entry.id for entry in first.entries} & {entry.id for entry in second.entries}
    whole = [*first.entries, *second.entries, *client.get(f"{address}?{second.older}").context["page"].entries]
    assert whole[-1].at == 1 or second.older


def test_the_report_is_looked_through_by_its_address(told: Table, player: Any) -> None:
    """Without scripts; the numbers above the story remain the whole fight's."""
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("combat:report", args=[told.encounter_id])
    everything, blows = client.get(address), client.get(address, {"log_kind": "attack"})
    assert [len(chapter.entries) for chapter in blows.context["report"].chapters] == [1]
    assert blows.context["report"].people == everything.context["report"].people
    assert "Marguerite" in blows.context["choices"].names
    assert "Steel sings." in blows.content.decode()
    # Each roll opens to show its faces, its parts and their rules.
    assert 'class="rolls"' in blows.content.decode()
    assert "MQ-ATK" in blows.content.decode()
    assert "No matching entries." in client.get(address, {"log_who": "Nobody"}).content.decode()


def test_going_back_reaches_what_is_no_more_on_the_screen(told: Table, storyteller: Any) -> None:
    first = entries(told)[-1]
    for _time in range(ENTRIES):
        told.do(commands.SetHealth(told["Ilya"], ()))
        told.do(commands.Harm(told["Ilya"], 1, Damage.BASHING))
    client = Client()
    client.force_login(storyteller, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("combat:form", args=[told.encounter_id, "back"])
    shown = client.get(address, {"token": first.id}, headers={"HX-Request": "true"}).content.decode()
    assert "listening" in shown


def test_an_entry_is_drawn_once_for_each_who_may_read_the_same(told: Table, player: Any, storyteller: Any) -> None:
    """And never with the Storyteller's buttons for a player."""
    pages = {}
    for user in (storyteller, player):
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        pages[user] = client.get(reverse("combat:encounter", args=[told.encounter_id])).content.decode()
    assert "back-to" in pages[storyteller]
    assert "back-to" not in pages[player]
    assert 'data-kinds="attack' in pages[player]
