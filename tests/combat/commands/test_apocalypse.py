"""An Apocalypse fight, played live: its own events are logged, narrated, written back and undone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from combat.commands import drafts, perform
from combat.log import codec, rows
from combat.models import LogRow
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.topics import commands
from rules.topics.commands import TakeAction
from tests.combat.conftest import FixedDice, Table, make_character
from tests.combat.log.test_replay import OF_APOCALYPSE

pytestmark = pytest.mark.django_db

HITS, FAILS = FixedDice(6, 6, 6, 6), FixedDice(5)


def lines(table: Table, audience: Any) -> str:
    """Everything an audience reads in the log."""
    return repr(table.view(audience))


def test_what_apocalypse_alone_brings_about_is_kept_and_folded(hunt: Table) -> None:
    wolf, gunman = hunt["Wolf"], hunt["Gunman"]
    hunt.do(TakeAction("shape", wolf, figures={"shape": "hispo", "free": True}))
    hunt.turn()
    hunt.do(Attack(gunman, (wolf,), "Test gun", (Modifier("knockdown"),)), dice=HITS)
    hunt.do(TakeAction("move", wolf, figures={"distance": 5}))
    hunt.do(commands.EndTurn())
    met = {event["is"] for row in LogRow.objects.filter(encounter_id=hunt.encounter_id) for event in row.events}
    assert met >= OF_APOCALYPSE
    assert rows.state_of(rows.rows_of(hunt.encounter)) == hunt.state
    assert codec.load_state(codec.dump_state(hunt.state)) == hunt.state


def test_destroyed_armour_is_written_back_and_an_undo_mends_it(hunt: Table) -> None:
    """AP-ARM-2."""
    from characters.models import WornArmor

    assert not WornArmor.objects.get().destroyed
    hunt.do(Attack(hunt["Gunman"], (hunt["Wolf"],), "Test gun"), dice=HITS)
    assert WornArmor.objects.get().destroyed
    perform.undo(encounter_id=hunt.encounter_id, actor=hunt.storyteller)
    assert not WornArmor.objects.get().destroyed


def test_the_log_tells_of_it(hunt: Table, player: Any) -> None:
    wolf, gunman = hunt["Wolf"], hunt["Gunman"]
    hunt.turn()
    hunt.do(Attack(gunman, (wolf,), "Test gun"), dice=HITS)
    hunt.do(TakeAction("knockdown", wolf), dice=HITS)
    hunt.do(TakeAction("move", wolf, figures={"distance": 5}))
    hunt.do(TakeAction("move", gunman, figures={"distance": 5, "action": True}), waive=["AP-SIT-9"])
    hunt.do(commands.EndTurn())
    for reader in ("storyteller", player):
        seen = lines(hunt, reader)
        for words in (
            "’s armour is destroyed: ",
            "Test vest",
            " is knocked down",
            " moves 5 metres.",
            " runs 5 metres.",
            "Initiative now: ",
        ):
            assert words in seen, words


def test_players_may_do_what_their_own_do(hunt: Table, player: Any) -> None:
    wolf, gunman = hunt["Wolf"], hunt["Gunman"]
    hunt.do(TakeAction("move", wolf, figures={"distance": 5}), by=player)
    for command in (
        TakeAction("move", gunman),
        TakeAction("knockdown", wolf, (gunman,)),
        TakeAction("ambush", wolf, (gunman,), (Modifier("circumstance", {"dice": 9}),)),
    ):
        with pytest.raises(PermissionDenied):
            hunt.do(command, by=player)
    hunt.do(commands.SetVisibility(gunman, hidden=True))
    with pytest.raises(RuleViolation):
        hunt.do(TakeAction("ambush", wolf, (gunman,)), by=player)


def test_nobody_is_offered_what_the_ruleset_does_not_know(hunt: Table) -> None:
    """AP-ORDER-2: no aborting."""
    hunt.turn()
    assert "'abort'" not in repr(hunt.view("storyteller"))


def test_own_actions_are_offered_and_pressed(hunt: Table, player: Any, storyteller: Any, signed_in: Any) -> None:
    """AP-SIT-9: a player can take them; the Storyteller's menu offers them for everybody."""
    wolf = hunt["Wolf"]
    fight = reverse("combat:encounter", args=[hunt.encounter_id])
    form = reverse("combat:form", args=[hunt.encounter_id, "action"])
    for reader in (player, storyteller):
        assert form in signed_in(reader).get(fight).content.decode()
    client = signed_in(player)
    assert "Ambush" in client.get(form, {"who": wolf}).content.decode()
    press = reverse("combat:do", args=[hunt.encounter_id, "action"])
    way = {"who": wolf, "action": "move", "version": "", "figure_action": "on"}
    answer = client.post(press, {**way, "figure_distance": 30})
    assert answer.status_code == 422
    assert "AP-SIT-9" in answer.content.decode()
    client.post(press, {**way, "figure_distance": 7})
    assert hunt.state.combatants[wolf].turn.moved == 7


def test_cover_is_picked_by_its_degree(hunt: Table, storyteller: Any, signed_in: Any) -> None:
    """AP-DEF-1: good cover makes a shot harder by two."""
    client, wolf, gunman = signed_in(storyteller), hunt["Wolf"], hunt["Gunman"]
    gun = hunt.state.combatants[gunman].sheet.weapons[0].key
    asked = {"who": gunman, "at": wolf, "weapon": gun}
    form = reverse("combat:attack", args=[hunt.encounter_id])
    assert 'name="mod_cover_degree"' in client.get(form, asked).content.decode()
    assert 'name="mod_cover_degree"' not in client.get(form, asked | {"weapon": "unarmed"}).content.decode()
    plan = reverse("combat:attack-plan", args=[hunt.encounter_id])
    assert "difficulty 8" in client.get(plan, asked | {"mod_cover_degree": "good"}).content.decode()
    press = reverse("combat:do", args=[hunt.encounter_id, "attack"])
    client.post(press, asked | {"mod_cover_degree": "superior", "defence": "", "version": ""})
    modifiers = hunt.encounter.rows.last().command["modifiers"]
    assert modifiers == [{"key": "cover", "figures": {"degree": "superior"}}]


def test_an_answer_says_what_changes_it(hunt: Table, player: Any, signed_in: Any) -> None:
    """AP-DEF-1: without room, no dodging a close attack; behind cover, one can dodge a shot."""
    client, wolf, gunman = signed_in(player), hunt["Wolf"], hunt["Gunman"]
    gun = hunt.state.combatants[gunman].sheet.weapons[0].key
    press = reverse("combat:do", args=[hunt.encounter_id, "answer"])
    for weapon, field, other in (("unarmed", "no_room", "mod_cover_degree"), (gun, "mod_cover_degree", "no_room")):
        hunt.do(commands.ProposeAttack("x", Attack(gunman, (wolf,), weapon)))
        asked = {"exchange": "x", "target": wolf}
        body = client.get(reverse("combat:form", args=[hunt.encounter_id, "answer"]), asked).content.decode()
        assert field in body
        assert other not in body
        said = {"mods": "no_room"} if field == "no_room" else {"mod_cover_degree": "light"}
        answer = client.post(press, {**asked, "kind": "dodge", "version": "", **said}, headers={"HX-Request": "true"})
        assert (answer.status_code == 422) is (field == "no_room")
        if field == "no_room":
            assert "AP-DEF-1" in answer.content.decode()
            hunt.do(commands.WithdrawAttack("x"))
    assert hunt.encounter.rows.last().command["defence"]["modifiers"][0]["figures"] == {"degree": "light"}


def test_forms_speak_of_rage_and_of_the_rulesets_conditions(hunt: Table, storyteller: Any, signed_in: Any) -> None:
    """AP-ORDER-3."""
    client = signed_in(storyteller)
    hunt.turn()
    declare = reverse("combat:form", args=[hunt.encounter_id, "declare"])
    assert "Rage: extra actions" in client.get(declare, {"who": hunt["Wolf"]}).content.decode()
    assert "extra actions" not in client.get(declare, {"who": hunt["Gunman"]}).content.decode()
    press = reverse("combat:do", args=[hunt.encounter_id, "declare"])
    client.post(press, {"who": hunt["Wolf"], "action_1": "unarmed", "celerity": 1, "willpower": 0, "version": ""})
    wolf = hunt.state.combatants[hunt["Wolf"]]
    assert wolf.turn.actions == ("unarmed", "rage")
    assert wolf.sheet.resources["rage"] == 2
    conditions = reverse("combat:form", args=[hunt.encounter_id, "conditions"])
    assert "superior cover" in client.get(conditions, {"who": hunt["Wolf"]}).content.decode()


def test_levels_that_no_dice_bring_are_told_as_such(hunt: Table, storyteller: Any, signed_in: Any) -> None:
    """AP-DMG-5."""
    hunt.do(Attack(hunt["Gunman"], (hunt["Wolf"],), "Test gun"), dice=HITS)
    rolls = hunt.view("storyteller").log.entries[0].rolls  # type: ignore[union-attr]
    assert {roll.purpose: roll.outright for roll in rolls} == {"attack": False, "damage": True, "soak": False}
    shown = signed_in(storyteller).get(reverse("combat:encounter", args=[hunt.encounter_id])).content.decode()
    assert shown.count("automatic, no roll") == 1


def test_only_a_newcomer_is_due_where_initiative_is_kept(hunt: Table, chronicle: Any) -> None:
    """AP-INIT-1."""
    hunt.turn()
    hunt.do(commands.EndTurn())
    assert hunt.view("storyteller").bar.next == "act"  # type: ignore[union-attr]
    kept = dict(hunt.state.initiative)
    cub = make_character(chronicle, "Cub", kind="garou", traits={"dexterity": 2, "wits": 2}, resources={})
    drafts.add_character(encounter_id=hunt.encounter_id, actor=hunt.storyteller, character=cub)
    assert hunt.view("storyteller").bar.next == "initiative"  # type: ignore[union-attr]
    hunt.do(commands.RollInitiative())
    assert hunt.view("storyteller").bar.next == "act"  # type: ignore[union-attr]
    assert len(hunt.state.initiative) == 3
    assert all(hunt.state.initiative[who] == score for who, score in kept.items())


def test_a_declaration_names_gifts_and_gnosis(hunt: Table, storyteller: Any, signed_in: Any) -> None:
    """AP-DECL-1: as the sheet spells them, with this ruleset's resources."""
    wolf, client = hunt["Wolf"], signed_in(storyteller)
    sheet = hunt.state.combatants[wolf].sheet
    hunt.do(
        commands.ReviseSheet(wolf, replace(sheet, merits=frozenset({"razor_claws", "sense_silver", "regenerates"})))
    )
    hunt.turn()
    form = reverse("combat:form", args=[hunt.encounter_id, "declare"])
    body = client.get(form, {"who": wolf}).content.decode()
    for words in (
        "Gifts used",
        "Razor Claws",
        "Sense silver",
        "Gnosis to spend",
        ">Ambush<",
        ">Shoot a bow<",
        ">Parry<",
    ):
        assert words in body, words
    assert "Knocked down" not in body
    assert 'value="regenerates"' not in body
    assert "Gifts" not in client.get(form, {"who": hunt["Gunman"]}).content.decode()
    said = {"who": wolf, "action_1": "move", "powers": ["razor_claws"], "points_gnosis": 2, "version": ""}
    said["at"] = hunt["Gunman"]
    answer = client.post(reverse("combat:do", args=[hunt.encounter_id, "declare"]), said)
    assert answer.status_code == 302, answer.content.decode()[-3000:]
    declared = hunt.state.combatants[wolf].turn.declaration
    assert (declared.actions, declared.disciplines, declared.points, declared.at) == (
        ("move",),
        ("Razor Claws",),
        {"gnosis": 2},
        hunt["Gunman"],
    )
    assert "move → Gunman; Razor Claws; 2 Gnosis" in lines(hunt, "storyteller")
    guess = {**said, "powers": ["claws"], "version": ""}
    assert client.post(reverse("combat:do", args=[hunt.encounter_id, "declare"]), guess).status_code == 422


def test_the_next_press_says_what_it_passes_over(hunt: Table) -> None:
    """AP-DECL-1, AP-ATK-6."""

    def reminder() -> str:
        return hunt.view("storyteller").bar.reminder  # type: ignore[union-attr]

    hunt.turn()
    assert reminder() == "Not declared yet: Wolf, Gunman."
    hunt.do(commands.Declare(hunt["Gunman"], out_of_order=True))
    assert reminder() == "Not declared yet: Wolf."
    hunt.do(commands.Act())
    (first,) = hunt.view("storyteller").bar.acting  # type: ignore[union-attr]
    assert reminder() == f"Not acted yet: {first}."
    hunt.do(Attack(hunt["Gunman"], (hunt["Wolf"],), "Test gun"), dice=FixedDice(1))
    for _ in range(3):
        hunt.do(commands.Act())
    assert reminder() == "A mishap still has to be chosen."
    attack = Attack(hunt["Wolf"], (hunt["Gunman"],))
    hunt.do(commands.ProposeAttack("x", attack, by_hand=True), waive=["AP-MULTI-1"])
    waits = "Attack still waiting: Wolf. The end of the turn cancels it."
    assert reminder() == f"{waits} A mishap still has to be chosen."
