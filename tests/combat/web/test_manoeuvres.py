"""Masquerade's manoeuvres and the bite on the screens, and in the log."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse
from django.utils import translation

from combat.history.records import ruleset_for
from combat.log import rows
from combat.models import LogRow
from combat.panes.possible import own_actions
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.system import Game
from rules.topics.commands import ChangeConditions, ReviseSheet, TakeAction
from tests.combat.conftest import Table, WrittenDice
from tests.combat.log.test_replay import OF_BITES
from tests.kept import kept

pytestmark = pytest.mark.django_db

MOVES = {"break_free", "grapple_damage", "hold", "let_go"}


@pytest.fixture
@kept
def brawl(chronicle: Any, fight: Table) -> Table:
    """The fight, with both house rules."""
    chronicle.options = {"manoeuvres": True, "bite": True}
    chronicle.save()
    return fight


def offered(table: Table, client: Any, **said: str) -> dict[str, str]:
    """The manoeuvres that the form of an attack offers, by key."""
    found = client.get(reverse("combat:attack", args=[table.encounter_id]), said).context["form"]
    return {rule.key: str(rule.label) for rule in found.offered if rule.group == "manoeuvre"}


def seize(table: Table, *mods: str, dice: tuple[int, ...] = (8,)) -> None:
    attack = Attack(table["Ilya"], (table["Marguerite"],), "", tuple(map(Modifier, mods)))
    table.do(attack, dice=WrittenDice(*dice, *[2] * 9))


def lines(table: Table, audience: Any) -> str:
    return repr(table.view(audience).log)


def test_the_form_offers_what_fits_the_weapon(brawl: Table, player: Any, signed_in: Any) -> None:
    client, ilya = signed_in(player), brawl["Ilya"]
    bare = offered(brawl, client, who=ilya, weapon="unarmed")
    assert {"grapple", "knockdown", "bite", "kiss", "disarm", "called_head"} <= bare.keys()
    assert "stake" not in bare
    pistol = next(each for each in brawl.state.combatants[ilya].sheet.weapons if each.name == "Test pistol")
    shot = offered(brawl, client, who=ilya, weapon=pistol.key)
    assert {"called_head", "disarm"} <= shot.keys()
    assert shot.keys().isdisjoint({"grapple", "knockdown", "bite", "kiss"})


def test_without_the_house_rules_there_is_no_trace_of_them(
    fight: Table, player: Any, storyteller: Any, signed_in: Any
) -> None:
    ilya = fight["Ilya"]
    fight.do(ChangeConditions(ilya, frozenset({"grappled", "prone"})))
    for user in (player, storyteller):
        client = signed_in(user)
        assert not offered(fight, client, who=ilya, weapon="unarmed")
        page = client.get(reverse("combat:form", args=[fight.encounter_id, "action"]), {"who": ilya})
        assert "Break free" not in page.content.decode()
        assert "Get up" not in page.content.decode()


def test_a_grapple_offers_its_moves_to_those_in_it(brawl: Table) -> None:
    seize(brawl, "grapple")
    game = Game(brawl.state, ruleset_for(brawl.encounter))
    for who, allowed in (("Ilya", {"grapple_damage", "hold", "let_go"}), ("Marguerite", MOVES - {"hold", "let_go"})):
        found = {each.key: each.allowed for each in own_actions(game, brawl[who]) if each.key in MOVES}
        assert found.keys() == MOVES
        assert {key for key, can in found.items() if can} == allowed
    assert MOVES.isdisjoint(each.key for each in own_actions(game, brawl["Thug 1"]))


def test_the_log_tells_what_happens(brawl: Table, storyteller: Any) -> None:
    seize(brawl, "grapple")
    ilya, marguerite = brawl["Ilya"], brawl["Marguerite"]
    brawl.do(TakeAction("grapple_damage", ilya), dice=WrittenDice(8, 8))
    seize(brawl, "kiss")
    brawl.do(TakeAction("drink", ilya, figures={"points": 1}))
    brawl.do(TakeAction("stop_drinking", ilya))
    brawl.do(TakeAction("break_free", marguerite), dice=WrittenDice(8, 8, 8, 2, 2, 2))
    met = {event["is"] for row in LogRow.objects.filter(encounter_id=brawl.encounter_id) for event in row.events}
    assert met >= OF_BITES
    assert rows.state_of(rows.rows_of(brawl.encounter)) == brawl.state
    said = lines(brawl, "storyteller")
    for line in ("hurts", "bites", "drinks blood from", "stops drinking from", "breaks free of"):
        assert line in said
    with translation.override("de"):
        said = lines(brawl, "storyteller")
        for line in ("beißt", "trinkt Blut von", "hört auf, von"):
            assert line in said


def test_the_kiss_is_told(brawl: Table, storyteller: Any) -> None:
    thug = brawl["Thug 1"]
    brawl.do(Attack(brawl["Ilya"], (thug,), "", (Modifier("grapple"),)), dice=WrittenDice(8, *[2] * 9))
    brawl.do(Attack(brawl["Ilya"], (thug,), "", (Modifier("kiss"),)), dice=WrittenDice(8, *[2] * 9))
    assert "entranced" in brawl.state.combatants[thug].conditions
    assert "stops resisting in the Kiss" in lines(brawl, "storyteller")


def test_a_player_reads_of_a_disarm_only_their_own_roll(brawl: Table, player: Any, signed_in: Any) -> None:
    """MQ-MAN-3: how many successes it needs would tell the target's Strength."""
    asked = {"who": brawl["Ilya"], "at": brawl["Thug 1"], "one_of_manoeuvre": "disarm"}
    armed = replace(brawl.state.combatants[brawl["Ilya"]].sheet.weapons[0], key="")
    brawl.do(ReviseSheet(brawl["Thug 1"], replace(brawl.state.combatants[brawl["Thug 1"]].sheet, weapons=(armed,))))
    text = signed_in(player).get(reverse("combat:attack", args=[brawl.encounter_id]), asked).content.decode()
    assert "rolls a success" in text
    assert "Strength of" not in text
