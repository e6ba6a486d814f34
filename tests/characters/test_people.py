"""Starting a new character from one of the ruleset's examples."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Chronicle
from characters import people
from characters.models import Character, Weapon
from characters.sheets import sheet_of
from rules.model.people import EXAMPLES
from rules.systems import RULESETS


@pytest.fixture
def url(chronicle: Any) -> str:
    return reverse("characters:create", args=[chronicle.pk])


def test_the_examples_are_offered_for_a_new_character_only(
    signed_in: Any, player: Any, url: str, ilya: Character
) -> None:
    client = signed_in(player)
    assert [one.name for one in client.get(url).context["examples"]] == ["Enforcer", "Negotiator", "Outrider"]
    assert client.get(reverse("characters:edit", args=[ilya.pk])).context["examples"] == ()


def test_examples_speak_the_readers_language(signed_in: Any, player: Any, url: str) -> None:
    page = signed_in(player).get(url, headers={"accept-language": "de"})
    assert page.context["examples"][0].name == "Rausschmeißer"


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize("ruleset", [key for key in RULESETS if key != "hollow"])
def test_every_example_can_be_saved_as_it_is(
    signed_in: Any, player: Any, chronicle: Chronicle, fields: Any, url: str, ruleset: str
) -> None:
    chronicle.ruleset = ruleset
    chronicle.save()
    client = signed_in(player)
    for person in people.on_shelf(chronicle, EXAMPLES):
        begun = f"{url}?example={person.key}"
        page = client.get(begun)
        merits = page.context["form"].initial["known_merits"]
        made = client.post(begun, fields(page) | {"known_merits": merits})
        assert made.status_code == 302, made.context["form"].errors
        character = Character.objects.get(name=person.name)
        sheet = sheet_of(character)
        assert (character.kind, character.concept, character.owner) == (person.kind, person.concept, player)
        assert {key: sheet.traits[key] for key in person.traits} == person.traits
        assert sheet.merits == {*person.merits, *people.sheet_data(chronicle, person).merits}
        assert character.lists == people.sheet_data(chronicle, person).lists
        assert [weapon.name for weapon in sheet.weapons] == [item.item for item in person.weapons]
        assert [armor.name for armor in sheet.armor] == [item.item for item in person.armor]


def test_an_example_can_be_changed_before_it_is_saved(
    signed_in: Any, player: Any, fields: Any, url: str, shipped: None
) -> None:
    client = signed_in(player)
    begun = f"{url}?example=enforcer"
    typed = fields(client.get(begun)) | {"name": "Marek", "trait-strength": "2", "weapons-0-remove": "on"}
    assert client.post(begun, typed).status_code == 302
    made = sheet_of(Character.objects.get(name="Marek"))
    assert (made.traits["strength"], [weapon.name for weapon in made.weapons]) == (2, ["Heavy pistol"])


def test_an_unknown_example_is_an_empty_sheet(signed_in: Any, player: Any, url: str) -> None:
    page = signed_in(player).get(f"{url}?example=%00nobody")
    assert (page.status_code, page.context["form"]["name"].value()) == (200, None)


@pytest.mark.usefixtures("shipped")
def test_gear_that_was_deleted_from_the_tables_is_left_out(chronicle: Chronicle) -> None:
    Weapon.objects.get(ruleset="masquerade", name="Club").delete()
    own = Weapon.objects.create(
        ruleset="masquerade", chronicle=chronicle, name="Heavy pistol", mode="firearm", damage=9
    )
    person = people.example(chronicle, "enforcer")
    assert person
    assert [one.item for one in people.sheet_data(chronicle, person).weapons] == [own.pk]
