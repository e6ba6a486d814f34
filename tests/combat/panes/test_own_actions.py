"""A ruleset's own actions on the screens: what is possible now, each one's form, typed dice, and rights."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from rules.engine.inputs import Want, Wanted
from rules.engine.violations import RuleViolation
from rules.model.gear import Mode
from rules.model.system import Aim, Needs
from rules.systems import RULESETS
from rules.topics import commands
from rules.topics.commands import TakeAction
from tests.combat.conftest import SECRET, TRUE_NAME, Table
from tests.rules.topics.test_actions import ALL, Feat

pytestmark = pytest.mark.django_db

HTMX = {"headers": {"HX-Request": "true"}}
ACTIONS = {
    "rest": Feat(Needs(), "Rest"),
    "call": Feat(Needs(Aim.AREA, figures=ALL, instant=False), "Call"),
    "feint": Feat(Needs(Aim.ONE, weapon=lambda weapon: weapon.mode is Mode.MELEE, rolls=True), "Feint"),
    "fate": Feat(Needs(Aim.ANYBODY, instant=False, storytellers=True), "Fate"),
    "hint": Feat(Needs(figures=(Wanted("dark", "Dark", Want.SWITCH, storytellers=True),)), "Hint"),
}


@pytest.fixture(autouse=True)
def _known(monkeypatch: Any) -> None:
    monkeypatch.setitem(RULESETS, "masquerade", replace(RULESETS["masquerade"], actions=ACTIONS))


def form(table: Table, **asked: str) -> tuple[str, dict[str, str]]:
    return reverse("combat:form", args=[table.encounter_id, "action"]), asked


def press(table: Table) -> str:
    return reverse("combat:do", args=[table.encounter_id, "action"])


def test_a_player_reads_what_is_possible_and_why_the_rest_is_not(fight: Table, player: Any, signed_in: Any) -> None:
    ilya = fight["Ilya"]
    fight.do(commands.RollInitiative())
    fight.do(TakeAction("rest", ilya))
    body = signed_in(player).get(*form(fight, who=ilya)).content.decode()
    assert f"who={ilya}&amp;action=call" in body
    assert f"rest {ilya}" not in body
    assert "<b>Rest, Feint, Hint:</b>" in body
    assert "MQ-MULTI-1" in body
    assert "Fate" not in body
    fight.do(commands.EndTurn())
    assert f'value="rest {ilya}"' in signed_in(player).get(*form(fight, who=ilya)).content.decode()


def test_a_form_has_the_fields_that_its_action_needs(fight: Table, player: Any, signed_in: Any) -> None:
    ilya = fight["Ilya"]
    body = signed_in(player).get(*form(fight, who=ilya, action="call")).content.decode()
    for name in ("at", *(f"figure_{wanted.key}" for wanted in ALL)):
        assert f'name="{name}"' in body, name
    assert fight["Marguerite"] in body
    for hidden in (SECRET, TRUE_NAME, fight[SECRET]):
        assert hidden not in body
    body = signed_in(player).get(*form(fight, who=ilya, action="feint")).content.decode()
    assert "Test sword" in body
    assert "Test pistol" not in body
    assert 'name="extra"' not in body
    assert "Type dice" in body


def test_the_storyteller_adds_dice_and_what_is_theirs(fight: Table, storyteller: Any, signed_in: Any) -> None:
    client, ilya = signed_in(storyteller), fight["Ilya"]
    assert 'name="extra"' in client.get(*form(fight, who=ilya, action="feint")).content.decode()
    assert 'name="figure_dark"' in client.get(*form(fight, who=ilya, action="hint")).content.decode()
    assert "Fate" in client.get(*form(fight, who=ilya)).content.decode()


def test_one_press_is_enough_for_what_needs_nothing(fight: Table, player: Any, signed_in: Any) -> None:
    answer = signed_in(player).post(press(fight), {"press": f"rest {fight['Ilya']}", "version": ""}, **HTMX)
    assert answer.status_code == 200
    assert fight.state.combatants[fight["Ilya"]].turn.acted


def test_what_is_filled_in_becomes_the_command(fight: Table, player: Any, signed_in: Any) -> None:
    ilya, marguerite, tall = (fight[name] for name in ("Ilya", "Marguerite", TRUE_NAME))
    said = {"who": ilya, "action": "call", "at": [marguerite, tall], "figure_rounds": 2, "figure_loud": "on"}
    answer = signed_in(player).post(press(fight), said | {"version": ""}, **HTMX)
    assert answer.status_code == 200
    row = fight.encounter.rows.last()
    assert row.command["at"] == [marguerite, tall]
    assert row.command["figures"] == {"rounds": 2, "loud": True}


def test_a_form_that_lacks_something_comes_back(fight: Table, player: Any, signed_in: Any) -> None:
    for said in (
        {"action": "feint"},
        {"action": "call", "at": fight[SECRET]},
        {"action": "call", "at": fight["Marguerite"], "figure_rounds": 9},
        {"action": "fate"},
        {"action": "fly"},
        {"press": "rest"},
        {},
    ):
        answer = signed_in(player).post(press(fight), {"who": fight["Ilya"], **said}, **HTMX)
        assert answer.status_code == 422, said
        assert 'hx-post="' in answer.content.decode() or "action-list" in answer.content.decode()


def test_dice_that_fell_on_the_table(fight: Table, storyteller: Any, signed_in: Any) -> None:
    ilya = fight["Ilya"]
    sword = next(each.key for each in fight.state.combatants[ilya].sheet.weapons if each.name == "Test sword")
    said = {"who": ilya, "action": "feint", "at": fight["Marguerite"], "weapon": sword, "dice": "type"}
    said |= {"extra": 1, "extra_why": "rain", "by": 1, "by_why": "mud", "key": "k"}
    first = signed_in(storyteller).post(press(fight), said, **HTMX)
    assert first.status_code == 422
    assert first.content.decode().count(f'name="die-roll-{ilya}"') == 3
    done = signed_in(storyteller).post(press(fight), said | {f"die-roll-{ilya}": ["8", "2", "3"]}, **HTMX)
    assert done.status_code == 200
    row = fight.encounter.rows.last()
    assert [each["figures"] for each in row.command["modifiers"]] == [
        {"by": 1, "why": "mud"},
        {"dice": 1, "why": "rain"},
    ]


def test_what_is_the_storytellers_players_cannot_command(fight: Table, player: Any) -> None:
    ilya = fight["Ilya"]
    for command in (TakeAction("fate", ilya), TakeAction("hint", ilya, figures={"dark": True})):
        with pytest.raises(PermissionDenied):
            fight.do(command, by=player)
    for command in (
        TakeAction("call", ilya, (fight[SECRET],)),
        TakeAction("call", ilya, (fight["Marguerite"],), figures={"helper": fight[SECRET]}),
        TakeAction("fly", ilya),
    ):
        with pytest.raises(RuleViolation):
            fight.do(command, by=player)
    fight.do(TakeAction("hint", ilya), by=player)


def test_few_stand_on_the_phone_and_many_behind_one_button(
    fight: Table, player: Any, signed_in: Any, monkeypatch: Any
) -> None:
    page = reverse("combat:encounter", args=[fight.encounter_id])
    body = signed_in(player).get(page).content.decode()
    assert "Something else" in body
    assert f'value="rest {fight["Ilya"]}"' not in body
    few = {"rest": ACTIONS["rest"]}
    monkeypatch.setitem(RULESETS, "masquerade", replace(RULESETS["masquerade"], actions=few))
    fight.do(commands.RollInitiative())
    body = signed_in(player).get(page).content.decode()
    assert f'value="rest {fight["Ilya"]}"' in body
    assert "Something else" not in body
