"""Names of which nothing shows."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Chronicle, Note
from campaigns.names import is_seen
from combat.models import Encounter

UNSEEN = ["\u200b", "\u2060\ufeff", " \u00a0\u3000", "\u3164", "\u2800\u115f", "\u202e\u200f", "\u034f\ufe0f"]


@pytest.mark.parametrize("name", UNSEEN)
def test_of_some_nothing_shows(name: str) -> None:
    assert not is_seen(name)


@pytest.mark.parametrize("name", ["A", "7", "…", "🦇", "Ö", "न्", "한", "王", "\u202eA", "‘", "☠\ufe0f"])
def test_of_others_something_does(name: str) -> None:
    assert is_seen(name)


@pytest.mark.parametrize("name", UNSEEN)
def test_a_chronicle_a_note_and_a_fight_have_names_that_show(
    name: str, chronicle: Any, storyteller: Any, client_of: Any
) -> None:
    client, at = client_of(storyteller), [chronicle.pk]
    asked = {
        reverse("campaigns:create"): {"name": name, "ruleset": "masquerade"},
        reverse("campaigns:edit", args=at): {"name": name, "version": "1"},
        reverse("campaigns:write-note", args=at): {"title": name, "audience": "everyone"},
        reverse("combat:create", args=at): {"name": name},
    }
    for address, typed in asked.items():
        assert client.post(address, typed).status_code == 422
    assert [each.name for each in Chronicle.objects.all()] == ["Ash and Amber"]
    assert not Note.objects.exists()
    assert not Encounter.objects.fights().exists()
