"""Traits and sections of a chronicle's own on its sheets: read, edited, in the history, rolled, bought, kept."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.urls import reverse

from campaigns import services
from campaigns.models import Chronicle, Membership
from characters import experience, rulesets, sheets
from characters.models import Character
from tests.kept import kept

OWN = {
    "own_sail": {"label": "Sea craft", "sort": "ability", "place": "abilities/1", "most": 5},
    "own_dread": {"label": "Dread", "sort": "alone", "section": "Night", "most": 10, "kinds": ["vampire"]},
    "own_debts": {"label": "Debts", "sort": "fact", "section": "Night", "most": 20, "kinds": ["vampire"]},
    "own_wolf": {"label": "Moonsong", "sort": "alone", "section": "Pack", "most": 5, "kinds": ["garou"]},
    "own_oaths": {"label": "Oaths", "sort": "text"},
    "own_howls": {"label": "Howls", "sort": "text", "kinds": ["garou"]},
}


@pytest.fixture
@kept
def own(chronicle: Chronicle) -> Chronicle:
    chronicle.own_traits = OWN
    chronicle.save()
    return chronicle


def page(client: Any, name: str, character: Character) -> str:
    text = client.get(reverse(f"characters:{name}", args=[character.pk])).content.decode()
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))


def test_they_are_edited_shown_and_in_the_history(
    signed_in: Any, player: Any, own: Chronicle, ilya: Character, fields: Any
) -> None:
    client, edit = signed_in(player), reverse("characters:edit", args=[ilya.pk])
    response = client.get(edit)
    typed = fields(response)
    assert [typed[f"trait-{key}"] for key in ("own_sail", "own_dread", "own_debts")] == ["0", "0", "0"]
    # What is on other kinds' sheets only isn't in the page at all.
    drawn = response.content.decode()
    assert not any(each in drawn for each in ("own_wolf", "Moonsong", "own_howls", "Howls"))
    typed |= {"trait-own_sail": "3", "trait-own_dread": "8", "trait-own_debts": "12"}
    typed["detail-own_oaths"] = "To the *sea*.\n\nAnd to nobody else."
    assert client.post(edit, typed).status_code == 302
    ilya.refresh_from_db()
    assert [ilya.traits[key] for key in ("own_sail", "own_dread", "own_debts")] == [3, 8, 12]
    shown = page(client, "sheet", ilya)
    for words in ("Sea craft", "Night", "Dread", "Debts", "Oaths", "And to nobody else."):
        assert words in shown
    assert "<em>sea</em>" in client.get(reverse("characters:sheet", args=[ilya.pk])).content.decode()
    told = page(client, "history", ilya)
    for words in ("Sea craft: 0 → 3", "Dread: 0 → 8", "Oaths: – → To the *sea*., , And to nobody else."):
        assert words in told


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("trait-own_sail", "6", "Enter a whole number from 0 to 5."),
        ("trait-own_dread", "eleven", "Enter a whole number from 0 to 10."),
        ("detail-own_oaths", "x" * 4001, "Use at most 4000 characters. This has 4001."),
    ],
)
def test_bad_input_is_refused_at_its_field(
    signed_in: Any, player: Any, own: Chronicle, ilya: Character, fields: Any, name: str, text: str, says: str
) -> None:
    client, edit = signed_in(player), reverse("characters:edit", args=[ilya.pk])
    response = client.post(edit, fields(client.get(edit)) | {name: text})
    assert response.status_code == 422
    assert response.context["form"].errors == {name: [says]}


def test_another_kind_keeps_what_it_does_not_show(
    signed_in: Any, player: Any, own: Chronicle, ilya: Character, fields: Any
) -> None:
    Character.objects.filter(pk=ilya.pk).update(
        traits=ilya.traits | {"own_dread": 4, "own_wolf": 2}, details={"own_howls": "Aooo"}
    )
    client, edit = signed_in(player), reverse("characters:edit", args=[ilya.pk])
    assert client.post(edit, fields(client.get(edit)) | {"kind": "mortal"}).status_code == 302
    ilya.refresh_from_db()
    assert (ilya.kind, ilya.traits["own_dread"], ilya.traits["own_wolf"]) == ("mortal", 4, 2)
    assert ilya.details == {"own_howls": "Aooo"}
    assert "own_dread" not in sheets.sheet_of(ilya).traits


def test_a_new_character_begins_without(signed_in: Any, player: Any, own: Chronicle, fields: Any) -> None:
    client, create = signed_in(player), reverse("characters:create", args=[own.pk])
    typed = fields(client.get(create)) | {"name": "Marek", "trait-own_sail": "2"}
    assert client.post(create, typed).status_code == 302
    made = Character.objects.get(name="Marek")
    assert (made.traits["own_sail"], made.traits["own_wolf"]) == (2, 0)


def test_an_ability_has_specialties_and_a_price(
    signed_in: Any, storyteller: Any, own: Chronicle, ilya: Character, fields: Any
) -> None:
    """MQ-EXP-1: priced as an Ability, and anything by a line of its own."""
    client, edit = signed_in(storyteller), reverse("characters:edit", args=[ilya.pk])
    typed = fields(client.get(edit)) | {"specialty-0-trait": "own_sail", "specialty-0-name": "Storms"}
    assert client.post(edit, typed).status_code == 302
    ilya.refresh_from_db()
    assert ilya.specialties == {"own_sail": ["Storms"]}
    by = Membership.objects.get(chronicle=own, user=storyteller)
    experience.correct(by=by, character=ilya, amount=50, reason="Ahead")
    found = experience.quote(ilya, rulesets.ruleset_for(own), experience.Raise("own_sail", 2))
    assert found.price == 3 + 2
    prices = [*rulesets.ruleset_for(own).settings["experience_prices"], "Dread: new x 2"]
    services.change_options(by=by, options={"experience_prices": prices}, version=own.version)
    ilya.refresh_from_db()
    entry = experience.ask(by=by, character=ilya, wish=experience.Raise("own_dread", 2))
    assert entry is not None
    assert entry.price == 2 + 4
    assert "Bought: Dread 0 → 2" in page(client, "experience", ilya)


def test_what_is_removed_stays_on_sheets_with_something_in_it(
    signed_in: Any, player: Any, own: Chronicle, ilya: Character, fields: Any
) -> None:
    Character.objects.filter(pk=ilya.pk).update(traits=ilya.traits | {"own_dread": 4}, details={"own_oaths": "Mine"})
    own.own_traits = {key: {**each, "gone": True} for key, each in OWN.items()}
    own.save()
    client, edit = signed_in(player), reverse("characters:edit", args=[ilya.pk])
    shown = page(client, "sheet", ilya)
    assert "Dread" in shown
    assert "Mine" in shown
    assert "Debts" not in shown
    typed = fields(client.get(edit))
    assert (typed["trait-own_dread"], typed["detail-own_oaths"]) == ("4", "Mine")
    assert client.post(edit, typed | {"trait-own_dread": "0", "detail-own_oaths": ""}).status_code == 302
    shown = page(client, "sheet", ilya)
    assert "Dread" not in shown
    assert "Oaths" not in shown
    assert "Dread: 4 → 0" in page(client, "history", ilya)


def test_who_may_not_read_the_sheet_reads_none_of_it(
    signed_in: Any, other_player: Any, own: Chronicle, ilya: Character
) -> None:
    Character.objects.filter(pk=ilya.pk).update(traits=ilya.traits | {"own_dread": 4}, details={"own_oaths": "CANARY"})
    text = signed_in(other_player).get(reverse("characters:sheet", args=[ilya.pk])).content.decode()
    assert "CANARY" not in text
    assert "Dread" not in text


def test_they_are_rolled_by_two_taps(signed_in: Any, player: Any, own: Chronicle, ilya: Character) -> None:
    """MQ-DICE-1."""
    Character.objects.filter(pk=ilya.pk).update(traits=ilya.traits | {"own_sail": 3})
    client = signed_in(player)
    assert 'data-trait="own_sail"' in client.get(reverse("characters:sheet", args=[ilya.pk])).content.decode()
    said = {"who": ilya.pk, "picked": "1", "traits": ["dexterity", "own_sail"]}
    text = client.get(reverse("combat:rolls", args=[own.pk]), said).content.decode()
    assert 'value="own_sail" id="trait-own_sail" checked><span>Sea craft</span> <b>3</b>' in text
