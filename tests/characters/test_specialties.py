"""Specialties on sheets: the form, the page, and the sheet of the rules."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from characters.forms.specialties import MOST_SPECIALTIES
from characters.models import Character
from characters.sheets import sheet_of
from rules.engine.phrases import Typed


@pytest.fixture
def url(ilya: Character) -> str:
    return reverse("characters:edit", args=[ilya.pk])


@pytest.fixture
def typed(signed_in: Any, player: Any, url: str, fields: Any) -> dict[str, Any]:
    return fields(signed_in(player).get(url))


def test_specialties_are_saved_shown_and_read_by_the_rules(
    client: Any, ilya: Character, url: str, typed: dict[str, Any], fields: Any
) -> None:
    typed |= {
        "specialty-0-trait": "brawl",
        "specialty-0-name": "Throws",
        "specialty-1-trait": "brawl",
        "specialty-1-name": "Kicks",
        "add-entry": "specialty",
    }
    drawn = fields(client.post(url, typed))
    drawn |= {"specialty-2-trait": "strength", "specialty-2-name": "Lifting"}
    drawn |= {"specialty-3-trait": "brawl", "specialty-3-name": "Throws"}
    assert client.post(url, drawn).status_code == 302
    ilya.refresh_from_db()
    assert ilya.specialties == {"brawl": ["Throws", "Kicks"], "strength": ["Lifting"]}
    sheet = sheet_of(ilya)
    assert sheet.specialties == {"brawl": ("Throws", "Kicks"), "strength": ("Lifting",)}
    assert isinstance(sheet.specialties["brawl"][0], Typed)
    page = client.get(reverse("characters:sheet", args=[ilya.pk])).context["page"]
    lines = [line for block in page.columns for group in block.groups for line in group.traits if line.specialties]
    assert [(line.label, line.specialties) for line in lines] == [
        ("Strength", ("Lifting",)),
        ("Brawl", ("Throws", "Kicks")),
    ]


@pytest.mark.parametrize(
    ("more", "name", "says"),
    [
        ({"specialty-0-name": "Throws"}, "specialty-0-trait", "Choose the Trait that it belongs to."),
        ({"specialty-0-trait": "brawl"}, "specialty-0-name", "Enter a name, or clear the Trait."),
        (
            {"specialty-0-trait": "humanity", "specialty-0-name": "x"},
            "specialty-0-trait",
            "Choose a Trait from the list.",
        ),
        (
            {"specialty-0-trait": "brawl", "specialty-0-name": "x" * 81},
            "specialty-0-name",
            "Use at most 80 characters. This has 81.",
        ),
        (
            {
                f"specialty-{place}-{part}": text
                for place in range(MOST_SPECIALTIES + 1)
                for part, text in (("trait", "brawl"), ("name", f"No. {place}"))
            },
            f"specialty-{MOST_SPECIALTIES}-name",
            "Enter at most 40 entries.",
        ),
    ],
)
def test_bad_specialties_are_refused_at_their_field(
    client: Any, ilya: Character, url: str, typed: dict[str, Any], more: dict[str, str], name: str, says: str
) -> None:
    response = client.post(url, typed | more)
    assert response.status_code == 422
    assert response.context["form"].errors == {name: [says]}
    ilya.refresh_from_db()
    assert ilya.specialties == {}
