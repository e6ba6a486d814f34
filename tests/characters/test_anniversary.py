"""The Abilities of the anniversary editions on sheets: a house rule, and what stays without it (MQ-ABIL-1)."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Chronicle
from characters import rulesets, sheets
from characters.experience import buyable
from characters.models import Character, Weapon

ADDED = ("awareness", "expression", "hobby_talent", "larceny", "professional_skill", "technology", "expert_knowledge")


@pytest.fixture
def switch(chronicle: Chronicle) -> Any:
    def turn(on: bool) -> None:
        chronicle.options = {"anniversary_abilities": on}
        chronicle.save()

    return turn


def shown(client: Any, character: Character) -> list[str]:
    form = client.get(reverse("characters:edit", args=[character.pk])).context["form"]
    return [key for key in ADDED if not form.fields[f"trait-{key}"].widget.is_hidden]


def test_they_are_on_the_sheet_with_the_house_rule_and_stay_where_there_are_dots(
    signed_in: Any, player: Any, ilya: Character, switch: Any, fields: Any
) -> None:
    client, edit = signed_in(player), reverse("characters:edit", args=[ilya.pk])
    assert shown(client, ilya) == []
    switch(True)
    assert shown(client, ilya) == list(ADDED)
    typed = fields(client.get(edit)) | {"trait-awareness": "3", "trait-larceny": "1"}
    assert client.post(edit, typed).status_code == 302
    assert "Awareness" in client.get(reverse("characters:sheet", args=[ilya.pk])).content.decode()
    switch(False)
    assert shown(client, ilya) == ["awareness", "larceny"]
    page = client.get(reverse("characters:sheet", args=[ilya.pk])).content.decode()
    assert "Awareness" in page
    assert "Technology" not in page
    assert client.post(edit, fields(client.get(edit))).status_code == 302
    ilya.refresh_from_db()
    assert (ilya.traits["awareness"], ilya.traits["larceny"]) == (3, 1)
    assert sheets.sheet_of(ilya).traits["awareness"] == 3
    assert "Awareness: 0 → 3" in client.get(reverse("characters:history", args=[ilya.pk])).content.decode()
    assert {"awareness", "technology"} & buyable(rulesets.ruleset_for(ilya.chronicle), ilya).keys() == {"awareness"}


def test_the_house_rule_is_a_switch_of_the_chronicle(signed_in: Any, storyteller: Any, chronicle: Chronicle) -> None:
    client = signed_in(storyteller)
    page = client.get(reverse("campaigns:house-rules", args=[chronicle.pk]))
    field = page.context["form"].fields["option-anniversary_abilities"]
    assert field.label == "Abilities of the anniversary edition"
    assert "MQ-ABIL-1" in page.content.decode()


def test_a_weapon_can_use_one_and_keeps_it(signed_in: Any, storyteller: Any, chronicle: Chronicle, switch: Any) -> None:
    client = signed_in(storyteller)
    add = reverse("characters:gear-add", args=[chronicle.pk, "weapons"])

    def offered(address: str) -> list[str]:
        return [key for key, _label in client.get(address).context["form"].fields["ability"].choices]

    assert "technology" not in offered(add)
    switch(True)
    assert "technology" in offered(add)
    row = Weapon.objects.create(
        ruleset="masquerade", chronicle=chronicle, name="Drone", mode="firearm", ability="technology"
    )
    switch(False)
    assert "technology" in offered(reverse("characters:gear-edit", args=[chronicle.pk, "weapons", row.pk]))
    assert "larceny" not in offered(reverse("characters:gear-edit", args=[chronicle.pk, "weapons", row.pk]))
