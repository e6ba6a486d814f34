"""Weapons that the Storyteller gives during a fight, without leaving it."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from characters.models import Weapon
from rules.topics.commands import Group
from tests.combat.conftest import Table

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def common(name: str) -> Weapon:
    weapon: Weapon = Weapon.objects.create(ruleset="masquerade", name=name, mode="melee", damage=2)
    return weapon


def weapons(fight: Table, name: str) -> list[str]:
    return [each.name for each in fight.state.combatants[fight[name]].sheet.weapons]


def told(fight: Table, reader: Any) -> str:
    return "".join(span.text for line in fight.view(reader).log.entries[0].lines for span in line)


def test_a_group_gets_a_weapon_in_the_drawer(fight: Table, player: Any, signed_in: Any) -> None:
    fight.do(Group((fight["Thug 1"], fight["Thug 2"])))
    before = {reader: repr(fight.view(reader)) for reader in (player, "table")}
    client, club = signed_in(fight.storyteller), common("Club")
    form = reverse("combat:form", args=[fight.encounter_id, "arm"])
    assert (
        f"{form}?who={fight['Thug 2']}"
        in client.get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    )
    shown = client.get(form, {"who": fight["Thug 2"]}, headers=HTMX).content.decode()
    assert f'<option value="{club.pk}">Club</option>' in shown
    do = reverse("combat:do", args=[fight.encounter_id, "arm"])
    said = {"who": fight["Thug 2"], "weapon": club.pk}
    assert client.post(do, said | {"together": "on"}, headers=HTMX).status_code == 200
    assert weapons(fight, "Thug 1") == weapons(fight, "Thug 2") == ["Club"]
    assert told(fight, "storyteller") == "Thug 1 and Thug 2 get Club."
    assert {reader: repr(fight.view(reader)) for reader in (player, "table")} == before
    again = client.post(do, said, headers=HTMX)
    assert (again.status_code, "already" in again.content.decode()) == (422, True)


def test_players_read_of_their_own(fight: Table, player: Any, other_player: Any, signed_in: Any) -> None:
    stake = common("Stake")
    do = reverse("combat:do", args=[fight.encounter_id, "arm"])
    signed_in(fight.storyteller).post(do, {"who": fight["Ilya"], "weapon": stake.pk}, headers=HTMX)
    assert weapons(fight, "Ilya")[0] == "Stake"
    assert told(fight, player) == "Ilya gets Stake."
    assert "Stake" not in repr(fight.view(other_player).log)
