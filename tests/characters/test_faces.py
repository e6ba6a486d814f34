"""Faces: what those who met an NPC see, who has met it under which name, and the meetings that are proposed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import services as campaigns
from campaigns.models import Membership, Role
from characters import face_services, hooks, services
from characters.known import known_to
from characters.models import Character, Face, Meeting, Portrait
from tests.kept import kept

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

READERS = ("player", "other_player", "observer")
DAWN = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
@kept
def table(person: Any) -> dict[str, Membership]:
    made = campaigns.create_chronicle(user=person("storyteller"), name="Vigil", ruleset="masquerade")
    for name, role in {"player": Role.PLAYER, "other_player": Role.PLAYER, "observer": Role.OBSERVER}.items():
        campaigns.add_member(chronicle=made, user=person(name), role=role)
    return {each.user.username: each for each in made.memberships.select_related("user", "chronicle")}


@pytest.fixture
@kept
def cast(table: dict[str, Membership]) -> dict[str, Character]:
    owners = {"Ilya": table["player"].user, "Odile": table["other_player"].user, "Vincent": None, "Abel": None}
    chronicle = table["player"].chronicle
    return {
        name: Character.objects.create(chronicle=chronicle, name=name, owner=owner) for name, owner in owners.items()
    }


def client_of(member: Membership) -> Client:
    client = Client()
    client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def url(name: str, table: dict[str, Membership], *more: str) -> str:
    return reverse(f"characters:{name}", args=[table["player"].chronicle_id, *more])


def statuses(table: dict[str, Membership], address: str) -> list[int]:
    return [client_of(table[who]).get(address).status_code for who in ("storyteller", *READERS)]


def test_a_face_is_there_for_those_who_met_it_and_its_sheet_for_storytellers(
    table: dict[str, Membership], cast: dict[str, Character]
) -> None:
    prince = cast["Vincent"]
    picture = Portrait.objects.create(character=prince, picture=b"RIFF").pk
    Meeting.objects.create(character=prince, by=cast["Ilya"], known_as="The man in grey", at=DAWN)
    Face.objects.create(character=prince, text="*Grey* eyes.")
    face, portrait = url("face", table, prince.pk), reverse("characters:picture", args=[picture])
    assert statuses(table, face) == [200, 200, 404, 404]
    assert statuses(table, reverse("characters:sheet", args=[prince.pk])) == [200, 404, 404, 404]
    assert statuses(table, portrait) == [200, 404, 404, 404]
    assert statuses(table, url("face-edit", table, prince.pk)) == [200, 403, 404, 404]
    Face.objects.update(with_portrait=True)
    assert statuses(table, portrait) == [200, 200, 404, 404]
    body = client_of(table["player"]).get(face).content.decode()
    assert "The man in grey" in body
    assert "<em>Grey</em> eyes." in body
    assert picture in body
    assert "Vincent" not in body


def test_the_storyteller_says_who_met_whom_and_tells_the_name(
    table: dict[str, Membership], cast: dict[str, Character]
) -> None:
    prince, ilya, odile = cast["Vincent"], cast["Ilya"], cast["Odile"]
    storyteller = client_of(table["storyteller"])
    edit = url("face-edit", table, prince.pk)
    form = storyteller.get(edit).context["form"]
    typed = {
        "seen": form["seen"].value(),
        "text": "Grey eyes.",
        f"met-{ilya.pk}": "on",
        f"name-{ilya.pk}": "The man in grey",
        f"met-{odile.pk}": "on",
        f"name-{odile.pk}": "Vincent",
    }
    assert storyteller.post(edit, typed).status_code == 302
    known = {who: [one.name for one in known_to(table[who]).values() if one.is_npc] for who in READERS}
    assert known == {"player": ["The man in grey"], "other_player": ["Vincent"], "observer": []}
    # Somebody else saved in the meantime: nothing is overwritten, and theirs is shown.
    late = storyteller.post(edit, typed | {"text": "Blue eyes."})
    assert late.status_code == 422
    assert "Grey eyes." in late.content.decode()
    assert "Blue eyes." in late.content.decode()
    assert Face.objects.get().text == "Grey eyes."
    again = storyteller.post(edit, typed | {"text": "Blue eyes.", "seen": late.context["form"].data["seen"]})
    assert again.status_code == 302
    before = client_of(table["other_player"]).get(url("face", table, prince.pk)).content
    told = storyteller.post(url("tell-name", table, prince.pk), {"who": ilya.pk})
    assert told.status_code == 302
    assert [one.name for one in known_to(table["player"]).values() if one.is_npc] == ["Vincent"]
    after = client_of(table["other_player"]).get(url("face", table, prince.pk)).content
    assert _plain(before) == _plain(after)
    assert client_of(table["player"]).post(url("tell-name", table, prince.pk)).status_code == 403


def _plain(page: bytes) -> str:
    from tests.world import plain

    return plain(page.decode())


def test_the_order_of_the_cast_is_that_of_the_names_its_reader_knows(
    table: dict[str, Membership], cast: dict[str, Character]
) -> None:
    Meeting.objects.create(character=cast["Vincent"], known_as="A stranger", at=DAWN)
    Meeting.objects.create(character=cast["Abel"], known_as="Zoe’s friend", at=DAWN)
    names = [one.name for one in known_to(table["player"]).values() if one.is_npc]
    assert names == ["A stranger", "Zoe’s friend"]


def test_nobody_sees_a_trace_of_who_was_not_met(table: dict[str, Membership], cast: dict[str, Character]) -> None:
    Meeting.objects.create(character=cast["Vincent"], by=cast["Ilya"], known_as="The man in grey", at=DAWN)
    pages = [url("cast", table), url("face", table, cast["Ilya"].pk)]

    def drawn() -> dict[str, list[str]]:
        return {who: [_plain(client_of(table[who]).get(page).content) for page in pages] for who in READERS}

    before = drawn()
    hidden = Character.objects.create(chronicle=table["player"].chronicle, name="Aaron the hidden")
    Face.objects.create(character=hidden, text="Nobody sees this.")
    Portrait.objects.create(character=hidden, picture=b"RIFF")
    Meeting.objects.create(character=cast["Abel"], by=cast["Odile"], at=DAWN)
    after = drawn()
    assert after["player"] == before["player"]
    assert after["observer"] == before["observer"]
    assert after["other_player"] != before["other_player"]


def test_everyone_goes_on_knowing_a_character_that_is_taken_back(
    table: dict[str, Membership], cast: dict[str, Character]
) -> None:
    services.hand_over(by=table["storyteller"], character=cast["Ilya"], owner=None)
    for who in READERS:
        assert known_to(table[who])[cast["Ilya"].pk].name == "Ilya"
    services.hand_over(by=table["storyteller"], character=cast["Abel"], owner=table["player"].user)
    assert known_to(table["observer"])[cast["Abel"].pk].is_npc is False
    services.hand_over(by=table["storyteller"], character=cast["Abel"], owner=None)
    services.hand_over(by=table["storyteller"], character=cast["Abel"], owner=None)
    assert Meeting.objects.filter(character=cast["Abel"]).count() == 1


def test_meetings_are_proposed_from_fights_and_settled(
    table: dict[str, Membership], cast: dict[str, Character], monkeypatch: pytest.MonkeyPatch
) -> None:
    def seen(_chronicle: Any) -> tuple[hooks.Sighting, ...]:
        return tuple(
            hooks.Sighting(cast[npc].pk, cast[by].pk, name, "Ambush")
            for npc, by, name in (
                ("Vincent", "Ilya", "The man in grey"),
                ("Vincent", "Odile", "The man in grey"),
                ("Abel", "Odile", "Abel"),
            )
        )

    monkeypatch.setattr(hooks, "_asked_for_sightings", [seen])
    storyteller = client_of(table["storyteller"])
    page = storyteller.get(url("cast", table)).context["page"]
    keys = {(line.name, line.by_name): line.key for line in page.proposals}
    assert keys.keys() == {("Vincent", "Ilya"), ("Vincent", "Odile"), ("Abel", "Odile")}
    assert client_of(table["player"]).get(url("cast", table)).context["page"].proposals == ()
    assert client_of(table["player"]).post(url("meetings", table), {"accept": "1"}).status_code == 403
    storyteller.post(url("meetings", table), {"meeting": keys["Vincent", "Ilya"], "accept": "1"})
    storyteller.post(url("meetings", table), {"meeting": keys["Abel", "Odile"], "decline": "1"})
    assert [one.name for one in known_to(table["player"]).values() if one.is_npc] == ["The man in grey"]
    assert [line.key for line in face_services.proposed(table["storyteller"])] == [keys["Vincent", "Odile"]]
