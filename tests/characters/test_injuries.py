"""Injuries on sheets: entered, shown, written back from a fight; and permanent scars with their cause."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from characters import sheets
from characters.models import Character
from combat.models import Encounter
from rules.model.sheet import Injury, Scar
from tests.kept import kept

pytestmark = pytest.mark.django_db

HURT = [{"level": 5, "cause": "axe"}, {"level": 2, "cause": ""}]


@pytest.fixture
@kept
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


def test_lasting_impairments_are_on_the_sheet_and_ticked_off_in_the_form(
    chronicle: Any, client: Any, player: Any
) -> None:
    """CD-AIM-8, CD-VAMP-4."""
    chronicle.ruleset = "chronicles"
    chronicle.save()
    arm = {"condition": "arm_wrack", "side": "left", "type": "lethal", "left": 2, "until": 0}
    leg = {"condition": "leg_wrack", "side": "right", "type": "bashing", "left": 0, "until": 0}
    ann = Character.objects.create(
        chronicle=chronicle, owner=player, name="Ann", marks=["lethal"] * 3, impairments=[arm, leg]
    )
    client.force_login(player)
    page = client.get(reverse("characters:sheet", args=[ann.pk])).content.decode()
    assert "Arm wracked (left), until 2 lethal has healed" in page
    url = reverse("characters:edit", args=[ann.pk])
    form = client.get(url).content.decode()
    assert "Healed: leg wracked (right)" in form
    data = typed(form) | {"box-0": "lethal", "box-1": "", "box-2": "", "impairment-1": "on"}
    assert client.post(url, data).status_code == 302
    ann.refresh_from_db()
    assert ann.impairments == []


def test_lasting_conditions_are_on_the_sheet_with_their_rule_their_fight_and_the_reason(
    chronicle: Any, client: Any, player: Any
) -> None:
    """CD-COND-1, CD-VAMP-3."""
    chronicle.ruleset = "chronicles"
    chronicle.save()
    docks = Encounter.objects.create(chronicle=chronicle, name="The docks", status="ended")
    lasting = [
        {"condition": "staked", "rule": "CD-VAMP-3", "fight": docks.pk, "why": ""},
        {"condition": "under_a_curse", "rule": "", "fight": "gone", "why": "by the <crone>"},
    ]
    ann = Character.objects.create(chronicle=chronicle, owner=player, name="Ann", kind="vampire", lasting=lasting)
    client.force_login(player)
    page = client.get(reverse("characters:sheet", args=[ann.pk])).content.decode()
    shown = page.partition('<ul class="lasting">')[2].partition("</ul>")[0]
    staked, cursed = (each for each in shown.split("<li>") if "<span>" in each)
    assert "Staked" in staked
    assert 'data-rule="CD-VAMP-3"' in staked
    assert f'href="{reverse("combat:encounter", args=[docks.pk])}">The docks</a>' in staked
    assert "Under a curse" in cursed
    assert "by the &lt;crone&gt;" in cursed
    assert "href" not in cursed


def test_the_storyteller_ends_a_lasting_condition_with_a_reason(
    chronicle: Any, client: Any, player: Any, storyteller: Any
) -> None:
    lasting = [{"condition": "staked", "rule": "", "fight": "", "why": ""}]
    ann = Character.objects.create(chronicle=chronicle, owner=player, name="Ann", kind="vampire", lasting=lasting)
    sheet = reverse("characters:sheet", args=[ann.pk])
    client.force_login(player)
    assert "/conditions" not in client.get(sheet).content.decode()
    client.force_login(storyteller)
    log = chronicle.encounters.get(outside_fights=True)
    ends = reverse("combat:form", args=[log.pk, "conditions"]) + f"?who={ann.pk}"
    assert f'href="{ends}"' in client.get(sheet).content.decode()
    page = client.get(ends).content.decode()
    # What a fight alone knows is not offered here.
    assert 'value="prone"' not in page
    assert 'value="blinded"' in page
    done = reverse("combat:do", args=[log.pk, "conditions"])
    data = {"who": ann.pk, "had": "staked", "have": [], "reason": ""}
    answer = client.post(done, data)
    assert answer.status_code == 422
    ann.refresh_from_db()
    assert ann.lasting == lasting
    assert client.post(done, data | {"reason": "pulled by Tom"}).status_code == 302
    ann.refresh_from_db()
    assert ann.lasting == []
    entries = client.get(reverse("combat:rolls", args=[chronicle.pk])).content.decode()
    assert "no longer staked" in entries
    assert "pulled by Tom" in entries


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
