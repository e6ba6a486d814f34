"""Specialties in the roll builder and the attack form: whom they are offered to, and what they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from characters.models import Character
from combat.models import LogRow
from tests.combat.conftest import Table
from tests.combat.web.test_rolls_page import press, rolls_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def ilya(characters: dict[str, Any]) -> Character:
    one: Character = characters["Ilya"]
    Character.objects.filter(pk=one.pk).update(specialties={"wits": ["Traps"], "melee": ["Knives"]})
    return one


def test_a_roll_offers_the_rollers_specialties(
    ilya: Character, log: Table, signed_in: Callable[[Any], Any], player: Any
) -> None:
    client = signed_in(player)
    page = rolls_page(client, log, who=log["Ilya"], picked="1", traits="wits", specialty="Traps")
    assert '<option value="Traps" selected>Traps (Wits)</option>' in page
    assert "MQ-DICE-9" in page
    # One in another Trait does not count.
    page = rolls_page(client, log, who=log["Ilya"], picked="1", traits="wits", specialty="Knives")
    assert "MQ-DICE-9" not in page
    answer = press(client, log, "roll", who=log["Ilya"], traits="wits", specialty="Traps")
    assert answer.status_code == 200
    row = LogRow.objects.filter(encounter_id=log.encounter_id).latest("seq")
    (modifier,) = row.command["modifiers"]
    assert modifier["key"] == "specialty"


def test_a_house_rule_takes_specialties_out_of_rolls(
    ilya: Character, log: Table, signed_in: Callable[[Any], Any], player: Any
) -> None:
    chronicle = ilya.chronicle
    chronicle.options = {"specialties": False}
    chronicle.save()
    assert 'name="specialty"' not in rolls_page(signed_in(player), log, who=log["Ilya"])


def test_an_attack_offers_those_in_its_traits(
    ilya: Character, draft: Table, signed_in: Callable[[Any], Any], player: Any
) -> None:
    fight = draft.begin()
    client = signed_in(player)
    url = reverse("combat:attack", args=[fight.encounter_id])
    about = {"who": fight["Ilya"], "at": fight["Thug 1"]}
    assert 'name="specialty"' not in client.get(url, about | {"weapon": "unarmed"}).content.decode()
    sword = next(each.key for each in fight.state.combatants[fight["Ilya"]].sheet.weapons if each.mode == "melee")
    page = client.get(url, about | {"weapon": sword}).content.decode()
    assert '<option value="Knives">Knives (' in page
    plan = reverse("combat:attack-plan", args=[fight.encounter_id])
    assert "MQ-DICE-9" not in client.get(plan, about | {"weapon": sword}).content.decode()
    told = client.get(plan, about | {"weapon": sword, "specialty": "Knives"}).content.decode()
    assert "MQ-DICE-9" in told
    assert "10-again" in told
