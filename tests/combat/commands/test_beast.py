"""Frenzy on the screens: who is offered its rolls, and who reads of them (MQ-FRZ-1 to MQ-FRZ-5, AP-FRZ-1, AP-FRZ-5)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import Chronicle
from tests.combat.conftest import TRUE_NAME, Table
from tests.kept import kept

pytestmark = pytest.mark.django_db

Client = Callable[[Any], Any]
HTMX = {"headers": {"HX-Request": "true"}}


@pytest.fixture
@kept
def beastly(fight: Table) -> Table:
    Chronicle.objects.update(options={"frenzy": True})
    return fight


def offered(table: Table, client: Any, who: str) -> set[str]:
    """The keys of the actions on somebody's list."""
    form = reverse("combat:form", args=[table.encounter_id, "action"])
    body = client.get(form, {"who": who}, **HTMX).content.decode()
    return set(re.findall(r"action=(\w+)", body)) | set(re.findall(rf'value="(\w+) {who}"', body))


def form(table: Table, client: Any, who: str, action: str) -> str:
    asked = {"who": who, "action": action}
    body: str = client.get(reverse("combat:form", args=[table.encounter_id, "action"]), asked, **HTMX).content.decode()
    return body


def roll(table: Table, client: Any, who: str, action: str, **said: Any) -> Any:
    answer = client.post(
        reverse("combat:do", args=[table.encounter_id, "action"]), {"who": who, "action": action, **said}, **HTMX
    )
    assert answer.status_code == 200, answer.content.decode()
    return table.state.combatants[who]


def test_a_vampire_s_player_finds_the_rolls_where_the_house_rule_is_on(
    fight: Table, player: Any, storyteller: Any, signed_in: Client
) -> None:
    rolls = {"frenzy", "fear"}
    assert offered(fight, signed_in(player), fight["Ilya"]) & rolls == set()
    Chronicle.objects.update(options={"frenzy": True})
    assert offered(fight, signed_in(player), fight["Ilya"]) & rolls == rolls
    assert offered(fight, signed_in(storyteller), fight["Ilya"]) & rolls == rolls


def test_the_form_names_the_usual_difficulties_and_keeps_secrecy_for_the_storyteller(
    beastly: Table, player: Any, storyteller: Any, signed_in: Client
) -> None:
    mine, hers = (form(beastly, signed_in(user), beastly["Ilya"], "frenzy") for user in (player, storyteller))
    for body in (mine, hers):
        assert "Public humiliation (difficulty 8)" in body
        assert 'name="figure_difficulty"' in body
    assert 'name="figure_secret"' in hers
    assert 'name="figure_secret"' not in mine


def test_a_player_types_the_dice_and_gets_the_way_back(beastly: Table, player: Any, signed_in: Client) -> None:
    ilya, client = beastly["Ilya"], signed_in(player)
    typed = {"figure_difficulty": 8, "dice": "type", f"die-roll-{ilya}": ["2"], "key": "k"}
    assert "in_frenzy" in roll(beastly, client, ilya, "frenzy", **typed).conditions
    assert offered(beastly, client, ilya) >= {"hold_frenzy", "calm_frenzy"}
    done = client.post(
        reverse("combat:do", args=[beastly.encounter_id, "action"]), {"press": f"hold_frenzy {ilya}"}, **HTMX
    )
    assert done.status_code == 200
    assert "holding_beast" in beastly.state.combatants[ilya].conditions


def test_players_don_t_read_of_a_secret_roll_that_was_kept_down(
    beastly: Table, player: Any, storyteller: Any, signed_in: Client
) -> None:
    before = repr(beastly.view(player).log.entries)
    typed = {"dice": "type", f"die-roll-{beastly[TRUE_NAME]}": ["9"], "figure_secret": "on"}
    roll(beastly, signed_in(storyteller), beastly[TRUE_NAME], "frenzy", figure_difficulty=2, **typed)
    assert "in_frenzy" not in beastly.state.combatants[beastly[TRUE_NAME]].conditions
    assert repr(beastly.view(player).log.entries) == before
    assert repr(beastly.view("storyteller").log.entries) != before


def test_delirium_is_the_storyteller_s(hunt: Table, player: Any, storyteller: Any, signed_in: Client) -> None:
    Chronicle.objects.update(options={"frenzy": True, "silver": True})
    wolf, gunman = hunt["Wolf"], hunt["Gunman"]
    assert offered(hunt, signed_in(player), wolf) & {"rage_roll", "delirium", "touch_silver"} == {"rage_roll"}
    told = signed_in(storyteller)
    assert offered(hunt, told, gunman) & {"rage_roll", "delirium", "frenzy", "touch_silver"} == set()
    roll(hunt, told, wolf, "shape", figure_shape="crinos", figure_free="on")
    assert offered(hunt, told, wolf) >= {"rage_roll", "delirium", "touch_silver"}
    roll(hunt, told, wolf, "delirium", at=[gunman])
    assert "frozen" in hunt.state.combatants[gunman].conditions
