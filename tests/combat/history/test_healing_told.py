"""What the log says of rest and healing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from combat.history.tell.sentences import text_of
from rules.model.gear import Damage
from rules.topics import commands
from rules.topics.health.boxes import SIGNS
from tests.combat.conftest import Table, bar_fight
from tests.kept import kept

pytestmark = pytest.mark.django_db


def newest(fight: Table, audience: Any = "storyteller") -> list[str]:
    return [text_of(line) for line in fight.view(audience).log.entries[0].lines]


def test_rest_that_heals_nothing_is_not_called_healing(fight: Table) -> None:
    fight.do(commands.Heal(fight["Thug 1"], hours=5))
    assert newest(fight) == ["Thug 1 rests, but nothing heals."]


def test_rest_that_heals_says_what_and_to_strangers_only_that_it_was_rest(fight: Table) -> None:
    fight.do(commands.Harm(fight["Thug 1"], 1, Damage.BASHING))
    fight.do(commands.SetVisibility(fight["Thug 1"], health_shown="nothing"))
    fight.do(commands.Heal(fight["Thug 1"], hours=5))
    assert newest(fight) == ["Thug 1 heals 1 bashing."]
    assert newest(fight, "table") == ["Thug 1 rests."]


def test_care_and_hospital_are_offered_where_they_matter(
    chronicle: Any, storyteller: Any, player: Any, signed_in: Any
) -> None:
    """CD-HEAL-1: lethal damage heals with medical care, aggravated in hospital."""
    bar = bar_fight(chronicle, storyteller, {"Ann": player, "Bob": None}, {"stamina": 2}, name="Knife", mode="melee")
    client, who = signed_in(storyteller), bar["Ann"]
    bar.do(commands.SetHealth(who, (Damage.AGGRAVATED, Damage.LETHAL)))
    form = reverse("combat:form", args=[bar.encounter_id, "heal"])
    assert 'value="hospital"' in client.get(form, {"who": who}).content.decode()
    do = reverse("combat:do", args=[bar.encounter_id, "heal"])
    for care, left in (("", "*X"), ("care", "*"), ("hospital", "")):
        sent = {"who": who, "amount": 1, "type": "lethal", "hours": 24 * 7, "care": care}
        assert client.post(do, sent).status_code == 302
        assert "".join(SIGNS[mark] for mark in bar.state.combatants[who].sheet.marks) == left


def test_care_is_not_offered_where_it_makes_no_difference(fight: Table, storyteller: Any, signed_in: Any) -> None:
    form = reverse("combat:form", args=[fight.encounter_id, "heal"])
    assert 'value="hospital"' not in signed_in(storyteller).get(form, {"who": fight["Ilya"]}).content.decode()


@pytest.fixture
@kept
def hurt(chronicle: Any, storyteller: Any, player: Any) -> Table:
    """A Chronicles fight with two hurt characters: a player's vampire, and a mortal."""
    bar = bar_fight(chronicle, storyteller, {"Ann": player, "Bob": player, "Cid": None}, {}, name="Knife", mode="melee")
    sheet = bar.state.combatants[bar["Ann"]].sheet
    bar.do(commands.ReviseSheet(bar["Ann"], replace(sheet, kind="vampire", resources={"vitae": 8})))
    for who in ("Ann", "Bob"):
        bar.do(commands.SetHealth(bar[who], (Damage.AGGRAVATED, Damage.LETHAL, Damage.BASHING, Damage.BASHING)))
    return bar


def test_players_heal_their_vampires_with_blood(hurt: Table, player: Any, signed_in: Any) -> None:
    """CD-HEAL-2."""
    client, ann, bob = signed_in(player), hurt["Ann"], hurt["Bob"]
    form, do = (reverse(f"combat:{name}", args=[hurt.encounter_id, "heal"]) for name in ("form", "do"))
    page = client.get(reverse("combat:encounter", args=[hurt.encounter_id])).content.decode()
    assert f'name="press" value="{ann} bashing 2">Heal 2 bashing with Vitae<' in page
    assert f'value="{bob} ' not in page
    asked = client.get(form, {"who": ann}).content.decode()
    assert "1 Vitae heals 2 bashing or 1 lethal, reflexively. 8 left." in asked
    assert 'value="aggravated"' not in asked
    assert client.post(do, {"press": f"{ann} bashing 2"}).status_code == 302
    assert newest(hurt) == ["Ann heals 2 bashing.", "Ann spends 1 Vitae. 7 left."]
    before = hurt.encounter.seq
    for sent in ({"who": bob, "amount": 1, "type": "lethal"}, {"who": ann, "amount": 1, "type": "aggravated"}):
        assert client.post(do, sent).status_code in (403, 422)
    assert client.post(do, {"who": ann, "amount": 9, "type": "lethal", "hours": 24}).status_code == 302
    assert newest(hurt)[0] == "Ann heals 1 lethal."
    assert hurt.encounter.seq == before + 1


def test_a_player_lets_no_time_pass(hurt: Table, player: Any) -> None:
    for heal in (commands.Heal(hurt["Ann"], hours=24), commands.Heal(hurt["Ann"], 1, Damage.AGGRAVATED)):
        with pytest.raises(PermissionDenied):
            hurt.do(heal, by=player)
    hurt.do(commands.End())
    with pytest.raises(PermissionDenied):
        hurt.do(commands.Heal(hurt["Ann"], 1, Damage.LETHAL), by=player)
