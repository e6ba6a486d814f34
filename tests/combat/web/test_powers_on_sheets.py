"""Powers on sheets: cost, effect, and where they are used in a fight."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Chronicle
from tests.combat.conftest import Table

pytestmark = pytest.mark.django_db


def sheet(table: Table, client: Any, name: str) -> str:
    character = table.state.combatants[table[name]].character
    body: str = client.get(reverse("characters:sheet", args=[character])).content.decode()
    return body


def test_a_sheet_says_what_powers_cost_and_do_and_uses_them_in_the_fight(
    fight: Table, player: Any, signed_in: Any
) -> None:
    assert "Powers in fights" not in sheet(fight, signed_in(player), "Ilya")
    Chronicle.objects.update(options={"powers": True})
    body = sheet(fight, signed_in(player), "Ilya")
    assert "Powers in fights" in body
    assert "1 to 5 blood, no action, for the scene" in body
    assert "+1 per point spent one of Dexterity, Stamina, Strength" in body
    address = f"{reverse('combat:form', args=[fight.encounter_id, 'action'])}?who={fight['Ilya']}"
    assert f'href="{address}&amp;action=blood_buff"' in body
    assert "Potence" not in body.partition('id="s-powers"')[2].partition("</section>")[0]
    form = signed_in(player).get(f"{address}&action=blood_buff").content.decode()
    assert 'name="figure_trait"' in form
    assert 'name="figure_points"' in form


def test_outside_a_fight_there_is_nothing_to_press(draft: Table, player: Any, signed_in: Any) -> None:
    Chronicle.objects.update(options={"powers": True})
    body = sheet(draft, signed_in(player), "Ilya")
    assert "Powers in fights" in body
    assert "action=blood_buff" not in body
