"""The chronicle's page with real characters and encounters, and what is deleted with a chronicle."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns import services
from campaigns.live import token
from campaigns.models import Chronicle
from campaigns.pages import chronicle_page
from characters import services as sheets
from characters.models import CarriedWeapon, Character, Weapon
from combat.models import Encounter, LogRow, Status
from tests.kept import kept

pytestmark = pytest.mark.servers


@pytest.fixture
@kept
def table(chronicle: Any, player: Any) -> Any:
    """The chronicle with a player's character, an antagonist, and an encounter of each status."""
    Character.objects.create(chronicle=chronicle, owner=player, name="Ilya Voss", kind="vampire", concept="Duellist")
    Character.objects.create(chronicle=chronicle, name="Planted antagonist", kind="vampire", concept="Planted lair")
    for status in Status:
        name = "Planted ambush" if status == Status.DRAFT else f"Fight that is {status}"
        Encounter.objects.create(chronicle=chronicle, name=name, status=status)
    return chronicle


def test_the_storyteller_sees_the_whole_cast_and_every_encounter(table: Any, storyteller: Any, client_of: Any) -> None:
    response = client_of(storyteller).get(reverse("campaigns:chronicle", args=[table.pk]))
    page = response.context["page"]
    assert [line.name for line in page.players_characters] == ["Ilya Voss"]
    assert [line.name for line in page.storytellers_characters] == ["Planted antagonist"]
    assert [line.status for line in page.encounters] == ["running", "paused", "draft", "ended"]
    for line in (*page.players_characters, *page.storytellers_characters, *page.encounters):
        assert f'href="{line.url}"' in response.content.decode()


@pytest.mark.parametrize("role", ["player", "other_player", "observer"])
def test_the_others_see_neither_antagonist_nor_draft(role: str, table: Any, client_of: Any, request: Any) -> None:
    client = client_of(request.getfixturevalue(role))
    for path in (reverse("campaigns:chronicle", args=[table.pk]), "/", "/account/"):
        page = client.get(path).content.decode()
        assert "Planted" not in page
        for hidden in (*Character.objects.filter(owner=None), *Encounter.objects.filter(status=Status.DRAFT)):
            assert hidden.pk not in page
    assert "Fight that is running" in client.get("/").content.decode()


def test_a_chronicle_takes_its_fights_sheets_and_weapons_along(table: Any, member: Any, storyteller: Any) -> None:
    weapon = Weapon.objects.create(ruleset="masquerade", chronicle=table, name="Own blade", mode="melee", type="lethal")
    CarriedWeapon.objects.create(character=Character.objects.get(name="Ilya Voss"), weapon=weapon)
    Encounter.objects.filter(status=Status.RUNNING).update(status=Status.ENDED)
    LogRow.objects.create(encounter=Encounter.objects.get(name="Fight that is ended"), seq=1, actor_name="storyteller")
    services.delete_chronicle(by=member(storyteller))
    for model in (Chronicle, Character, Encounter, LogRow):
        assert not model.objects.exists()
    assert not Weapon.objects.filter(pk=weapon.pk).exists()


def test_a_running_fight_keeps_its_chronicle(table: Any, storyteller: Any, client_of: Any) -> None:
    address = reverse("campaigns:delete", args=[table.pk])
    response = client_of(storyteller).post(address, {"typed_name": table.name})
    assert "A fight is running in this chronicle. End it first." in response.content.decode()
    assert Chronicle.objects.exists()


def test_a_wound_of_an_antagonist_reaches_the_storytellers_open_page(table: Any, storyteller: Any) -> None:
    by = table.memberships.select_related("chronicle").get(user=storyteller)
    npc = Character.objects.get(name="Planted antagonist")
    before = chronicle_page(by, timezone.now())
    sheets.write_notes(by=by, character=npc, notes="", seen=sheets.notes_mark(""))
    after = chronicle_page(by, timezone.now())
    assert token(before) != token(after)


def test_a_glance_at_an_antagonist_is_there_for_storytellers(table: Any, storyteller: Any, client_of: Any) -> None:
    page = client_of(storyteller).get(reverse("campaigns:chronicle", args=[table.pk]))
    assert page.content.decode().count('class="glance"') == 2
