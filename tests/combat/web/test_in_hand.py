"""Weapons in hand on the screens: set before the fight, drawn and put away by a button."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from combat.commands import perform
from combat.log import rows as logs
from rules.model.attack import Attack
from rules.topics.commands import ProposeAttack, RollInitiative, SetCarried
from tests.combat.conftest import Table

pytestmark = pytest.mark.django_db


def gun(table: Table) -> Any:
    return table.state.combatants[table["Ilya"]].sheet.weapons[1]


def do(table: Table, client: Any, form: str, **said: str) -> Any:
    key = f"{len(logs.rows_of(table.encounter))} {said}"[:60]
    return client.post(reverse("combat:do", args=[table.encounter_id, form]), {"key": key, **said})


def handle(table: Table, client: Any, key: str) -> Any:
    return do(table, client, "handle", weapon=f"{key} {table['Ilya']} {gun(table).key}")


def test_a_draft_says_what_everybody_has_in_hand(draft: Table, storyteller: Any, signed_in: Any) -> None:
    client, ilya = signed_in(storyteller), draft["Ilya"]
    form = reverse("combat:form", args=[draft.encounter_id, "in-hand"])
    assert form in client.get(reverse("combat:encounter", args=[draft.encounter_id])).content.decode()
    (bearer,) = client.get(form).context["form"].bearers  # nobody else carries weapons
    assert bearer.name == "Ilya"
    assert not client.get(form, {"who": draft["Marguerite"]}).context["form"].bearers

    said = {}
    for field in bearer.fields:
        wanted = "holstered" if field.label == "Test pistol" else "in_hand"
        said |= {field.html_name: wanted, f"initial-{field.html_name}": "in_hand"}
    assert do(draft, client, "in-hand", who=ilya, **said).status_code == 302
    assert [each.name for each in draft.state.combatants[ilya].sheet.in_hand] == ["Test sword"]
    assert "now carries: Test pistol (holstered)." in repr(draft.view("storyteller").log)
    perform.undo(encounter_id=draft.encounter_id, actor=storyteller)
    assert gun(draft).in_hand


def test_only_its_player_reads_what_a_combatant_has_put_away(fight: Table, player: Any, other_player: Any) -> None:
    fight.do(SetCarried({fight["Ilya"]: {gun(fight).key: "holstered"}}))
    assert "now carries" in repr(fight.view(player).log)
    for audience in (other_player, "table"):
        assert "Test pistol" not in repr(fight.view(audience))


def test_a_player_draws_by_a_button(fight: Table, player: Any, storyteller: Any, signed_in: Any) -> None:
    """MQ-DRAW-1: before initiative it is free, afterwards it takes the turn's action."""
    client, ilya = signed_in(player), fight["Ilya"]
    page = reverse("combat:encounter", args=[fight.encounter_id])
    assert f'value="put_away {ilya} {gun(fight).key}"' in client.get(page).content.decode()
    assert handle(fight, client, "put_away").status_code == 302
    assert not gun(fight).in_hand
    body = client.get(page).content.decode()
    assert "holstered" in body
    assert "Draw: Test pistol" in body

    asked = {"who": ilya, "at": fight["Thug 1"], "weapon": gun(fight).key}
    attack = client.get(reverse("combat:attack", args=[fight.encounter_id]), asked).content.decode()
    assert "Test pistol (holstered)" in attack
    assert "Draw Test pistol first." in attack
    assert f'value="draw {ilya} {gun(fight).key}"' in attack
    fight.do(RollInitiative())
    handle(fight, client, "draw")
    assert gun(fight).in_hand
    assert handle(fight, client, "put_away").status_code == 422
    assert handle(fight, client, "shape").status_code == 422


def test_bare_hands_come_before_what_must_be_drawn(fight: Table, storyteller: Any, signed_in: Any) -> None:
    ilya = fight["Ilya"]
    away = {each.key: "put_away" for each in fight.state.combatants[ilya].sheet.weapons}
    fight.do(SetCarried({ilya: away}))
    client = signed_in(storyteller)
    form = client.get(reverse("combat:attack", args=[fight.encounter_id]), {"who": ilya}).context["form"]
    assert form.value("weapon") == "unarmed"
    row = next(each for each in fight.view("storyteller").order.rows() if each.id == ilya)
    assert row.weapon == "Test sword (put away)"


def test_others_are_never_armed_by_a_player(fight: Table, other_player: Any, signed_in: Any) -> None:
    client = signed_in(other_player)
    assert handle(fight, client, "put_away").status_code == 403
    assert client.get(reverse("combat:form", args=[fight.encounter_id, "in-hand"])).status_code == 403
    assert do(fight, client, "in-hand").status_code == 403


def test_what_is_put_away_is_no_choice_for_a_parry(fight: Table, player: Any) -> None:
    """MQ-DEF-2, MQ-DRAW-1."""
    ilya = fight["Ilya"]
    fight.do(ProposeAttack("x", Attack(fight["Thug 1"], (ilya,))))
    assert [each.name for each in fight.view(player).asks.defences[0].weapons] == ["Test sword"]
    sword = fight.state.combatants[ilya].sheet.weapons[0]
    fight.do(SetCarried({ilya: {sword.key: "put_away"}}))
    assert not fight.view(player).asks.defences[0].weapons
