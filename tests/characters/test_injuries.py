"""Injuries on sheets: entered, shown, written back from a fight; and permanent scars with their cause."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from characters import sheets
from characters.models import Character
from rules.model.sheet import Injury, Scar

pytestmark = pytest.mark.django_db

HURT = [{"level": 5, "cause": "axe"}, {"level": 2, "cause": ""}]


@pytest.fixture
def wounded(chronicle: Any, player: Any) -> Character:
    chronicle.ruleset = "wounds"
    chronicle.save()
    scar = {"level": 5, "cause": "axe", "turn": 3, "resolution": "r4", "fight": ""}
    return Character.objects.create(chronicle=chronicle, owner=player, name="Ann", injuries=HURT, scars=[scar])


def typed(page: str) -> dict[str, str]:
    """The form's fields as a browser would submit them."""
    import re

    found = dict(re.findall(r'<input [^>]*name="([^"]+)"[^>]*value="([^"]*)"', page))
    return {**found, "kind": "mortal"}


def test_a_sheet_shows_injuries_and_scars_in_place_of_boxes(wounded: Character, client: Any, player: Any) -> None:
    client.force_login(player)
    page = client.get(reverse("characters:sheet", args=[wounded.pk])).content.decode()
    assert "wound level" in page
    assert "Battle scars" in page
    assert "turn 3" in page
    assert 'class="box' not in page


def test_injuries_are_added_and_healed_in_the_form_and_scars_stay(wounded: Character, client: Any, player: Any) -> None:
    client.force_login(player)
    url = reverse("characters:edit", args=[wounded.pk])
    data = typed(client.get(url).content.decode())
    data |= {"injury-0-level": "", "injury-2-level": "3", "injury-2-cause": "a fall"}
    assert client.post(url, data).status_code == 302
    wounded.refresh_from_db()
    assert wounded.injuries == [{"level": 3, "cause": "a fall"}, {"level": 2, "cause": ""}]
    assert len(wounded.scars) == 1


@pytest.mark.parametrize("level", ["0", "101", "-1", "many"])
def test_a_level_that_cannot_be_is_not_kept(wounded: Character, client: Any, player: Any, level: str) -> None:
    client.force_login(player)
    url = reverse("characters:edit", args=[wounded.pk])
    data = typed(client.get(url).content.decode()) | {"injury-2-level": level}
    answer = client.post(url, data)
    assert answer.status_code != 302
    wounded.refresh_from_db()
    assert wounded.injuries == HURT


def test_what_a_fight_did_is_written_back_with_the_fight_that_made_the_scar(wounded: Character) -> None:
    sheet = sheets.sheet_of(wounded)
    assert sheet.injuries == (Injury(5, "axe"), Injury(2))
    fought = replace(sheet, injuries=(Injury(4, "fire"),), scars=(*sheet.scars, Scar(4, "fire", 1, "r1")))
    sheets.write_back(wounded.pk, sheet, fought, "thefight1234")
    wounded.refresh_from_db()
    assert wounded.injuries == [{"level": 4, "cause": "fire"}]
    assert wounded.scars[-1] == {"level": 4, "cause": "fire", "turn": 1, "resolution": "r1", "fight": "thefight1234"}
    version = wounded.version
    written = sheets.sheet_of(wounded)
    sheets.write_back(wounded.pk, written, written, "another12345")
    wounded.refresh_from_db()
    assert (wounded.version, wounded.scars[-1]["fight"]) == (version, "thefight1234")
