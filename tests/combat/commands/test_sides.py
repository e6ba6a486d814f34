"""Sides: the Storyteller sets who fights for whom, and players find out in play."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from combat.secrecy.sight import visible_state
from rules.model.gear import Damage
from rules.model.state import Side
from rules.topics.commands import ChooseSide, Group, Harm
from tests.combat.conftest import SECRET, TRUE_NAME, Table

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


def test_one_press_sets_the_side_of_a_whole_group(fight: Table, signed_in: Any) -> None:
    fight.do(Group((fight["Thug 1"], fight["Thug 2"])))
    client = signed_in(fight.storyteller)
    address = reverse("combat:do", args=[fight.encounter_id, "choose-side"])
    assert client.post(address, {"side": f"{fight['Thug 2']} allies"}, headers=HTMX).status_code == 200
    sides = {each.sheet.name: each.side for each in fight.state.combatants.values()}
    assert [sides[name] for name in ("Ilya", "Thug 1", "Thug 2", TRUE_NAME)] == [Side.ALLIES] * 3 + [Side.ENEMIES]
    (line,) = fight.view("storyteller").log.entries[0].lines
    assert "".join(span.text for span in line) == "Thug 1 and Thug 2 are now allies."
    assert client.post(address, {"side": f"{fight['Thug 2']} nobody"}, headers=HTMX).status_code == 422


def test_players_learn_of_no_side(fight: Table, player: Any, signed_in: Any) -> None:
    before = {reader: repr(fight.view(reader)) for reader in (player, "table")}
    attack = reverse("combat:attack", args=[fight.encounter_id])
    form = signed_in(player).get(attack, {"who": fight["Ilya"]}, headers=HTMX).content.decode()
    for name, side in (("Marguerite", "enemies"), (TRUE_NAME, "allies"), ("Thug 1", "others"), (SECRET, "allies")):
        fight.do(ChooseSide(fight[name], side))
    assert {reader: repr(fight.view(reader)) for reader in (player, "table")} == before
    own = frozenset({fight["Ilya"]})
    assert {each.chosen_side for each in visible_state(fight.state, own).combatants.values()} == {None}
    again = signed_in(player).get(attack, {"who": fight["Ilya"]}, headers=HTMX).content.decode()
    options = [page.split('name="at"')[1].split("</select>")[0] for page in (form, again)]
    assert options[0] == options[1], "not even the likeliest target gives it away"


def test_the_desk_aims_at_the_other_side(fight: Table, signed_in: Any) -> None:
    for name in (TRUE_NAME, "Thug 1"):
        fight.do(ChooseSide(fight[name], "allies"))
    attack = reverse("combat:attack", args=[fight.encounter_id])
    form = signed_in(fight.storyteller).get(attack, {"who": fight[TRUE_NAME]}, headers=HTMX).content.decode()
    assert f'<option value="{fight["Thug 2"]}" selected>' in form


def test_groups_fold_and_so_do_sides_while_there_is_no_order(fight: Table, player: Any, signed_in: Any) -> None:
    fight.do(Group((fight["Thug 1"], fight["Thug 2"])))
    page = reverse("combat:encounter", args=[fight.encounter_id])
    desk = signed_in(fight.storyteller).get(page).content.decode()
    assert desk.index('id="side-allies"') < desk.index('id="side-enemies"')
    assert "Thug 1 and Thug 2" in desk.split('id="group-')[1].split("</summary>")[0]
    fight.turn()
    fight.do(Harm(fight["Thug 2"], 9, Damage.LETHAL))
    desk = signed_in(fight.storyteller).get(page).content.decode()
    assert "1 out" in desk.split('id="group-')[1].split("</summary>")[0]
    assert 'id="side-' not in desk
    seat = signed_in(player).get(page).content.decode()
    assert "order-fold" not in seat
    assert "data-side" not in seat
