"""The identity on sheets: what the form keeps and refuses, and what a page shows."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Chronicle, Membership
from characters.models import Character

LONG = "Konstantinopolitanischer Dudelsackpfeifermachergesellenverein und Co"


@pytest.fixture
def url(ilya: Character) -> str:
    return reverse("characters:edit", args=[ilya.pk])


@pytest.fixture
def typed(signed_in: Any, player: Any, url: str, fields: Any) -> dict[str, str]:
    return fields(signed_in(player).get(url))


def test_details_are_saved_and_read_and_those_of_other_kinds_are_kept(
    client: Any, ilya: Character, url: str, typed: dict[str, str]
) -> None:
    assert "Identity</h2>" not in client.get(reverse("characters:sheet", args=[ilya.pk])).content.decode()
    Character.objects.filter(pk=ilya.pk).update(details={"tribe": "Uktena", "former": "Kept"})
    typed["detail-tribe"] = "Uktena"
    typed |= {"detail-clan": "Tremere", "detail-sire": LONG, "detail-nature": "  "}
    assert client.post(url, typed).status_code == 302
    ilya.refresh_from_db()
    assert ilya.details == {"former": "Kept", "clan": "Tremere", "sire": LONG, "tribe": "Uktena"}
    page = client.get(reverse("characters:sheet", args=[ilya.pk])).content.decode()
    assert LONG in page
    assert "Tremere" in page
    assert "Uktena" not in page


def test_changing_the_kind_loses_no_detail(client: Any, url: str, typed: dict[str, str], fields: Any) -> None:
    typed |= {"detail-clan": "Tremere", "kind": "mortal", "lay": "1"}
    drawn = client.post(url, typed)
    assert 'type="hidden" name="detail-clan" value="Tremere"' in drawn.content.decode()
    assert fields(drawn)["detail-clan"] == "Tremere"


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("detail-clan", "x" * 81, "Use at most 80 characters. This has 81."),
        ("detail-clan", "two\nlines", "Use a single line."),
        ("detail-aspirations", "x\n" * 6, "Enter at most 5 lines."),
        ("detail-aspirations", "x" * 81, "Lines can have at most 80 characters."),
    ],
)
def test_bad_details_are_refused_at_their_field(
    signed_in: Any, storyteller: Any, fields: Any, name: str, text: str, says: str
) -> None:
    client = signed_in(storyteller)
    chronicle = Chronicle.objects.create(name="Elsewhere", ruleset="chronicles")
    Membership.objects.create(chronicle=chronicle, user=storyteller, role="storyteller")
    vampire = Character.objects.create(chronicle=chronicle, kind="vampire", name="Nadia")
    url = reverse("characters:edit", args=[vampire.pk])
    typed = fields(client.get(url)) | {name: text}
    response = client.post(url, typed)
    assert response.status_code == 422
    assert response.context["form"].errors == {name: [says]}
    assert response.context["form"][name].value() == text
    vampire.refresh_from_db()
    assert vampire.details == {}


def test_entries_of_several_lines_lose_blank_ones(signed_in: Any, storyteller: Any, fields: Any) -> None:
    client = signed_in(storyteller)
    chronicle = Chronicle.objects.create(name="Elsewhere", ruleset="chronicles")
    Membership.objects.create(chronicle=chronicle, user=storyteller, role="storyteller")
    mortal = Character.objects.create(chronicle=chronicle, name="Nadia")
    url = reverse("characters:edit", args=[mortal.pk])
    client.post(url, fields(client.get(url)) | {"detail-aspirations": "Sleep\r\n\r\n  Eat \n"})
    mortal.refresh_from_db()
    assert mortal.details == {"aspirations": "Sleep\nEat"}
