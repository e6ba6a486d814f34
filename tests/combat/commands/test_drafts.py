"""Preparing fights: who may, who can be in one, and what a page shows."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse

from campaigns.models import Chronicle
from combat.commands import drafts, perform
from combat.models import Encounter, LogRow
from combat.panes import versions
from rules.engine.violations import RuleViolation
from rules.topics.commands import Begin
from tests.combat.conftest import SECRET, Table, make_character

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def member(table: Table, user: Any) -> Any:
    return table.encounter.chronicle.memberships.get(user=user)


def test_a_fight_is_the_storytellers_to_draw_up(
    draft: Table, player: Any, observer: Any, characters: dict[str, Any]
) -> None:
    for user in (player, observer):
        by = member(draft, user)
        for attempt in (
            lambda by=by: drafts.create_encounter(by=by, name="Mine"),
            lambda by=by: drafts.describe(by=by, encounter=draft.encounter, name="Mine", scene="Mine"),
            lambda by=by: drafts.delete_encounter(by=by, encounter=draft.encounter),
            lambda user=user: drafts.add_copies(
                encounter_id=draft.encounter_id, actor=user, character=characters["Thug"], count=1
            ),
        ):
            with pytest.raises(PermissionDenied):
                attempt()
    assert draft.encounter.name == "The chapel"


def test_a_new_scene_reaches_everybody(fight: Table, storyteller: Any) -> None:
    before = versions.version_of(fight.encounter, "table")
    drafts.describe(by=member(fight, storyteller), encounter=fight.encounter, scene="The lamp goes out.")
    assert fight.view("table").scene.text == "The lamp goes out."
    assert versions.version_of(fight.encounter, "table") == before + 1
    drafts.describe(by=member(fight, storyteller), encounter=fight.encounter, name="Darkness")
    assert fight.view("table").scene.name == "Darkness"
    assert fight.view("table").scene.text == "The lamp goes out."


def test_a_draft_can_be_thrown_away_and_a_fight_that_goes_on_cannot(draft: Table, storyteller: Any) -> None:
    draft.begin()
    with pytest.raises(RuleViolation, match="End the fight"):
        drafts.delete_encounter(by=member(draft, storyteller), encounter=draft.encounter)
    perform.undo(encounter_id=draft.encounter_id, actor=storyteller)
    drafts.delete_encounter(by=member(draft, storyteller), encounter=draft.encounter)
    assert not Encounter.objects.filter(pk=draft.encounter_id).exists()
    assert LogRow.objects.filter(encounter_id=draft.encounter_id).exists()


def test_a_draft_that_is_thrown_away_meanwhile_is_not_found(
    draft: Table, storyteller: Any, signed_in: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    by, encounter = member(draft, storyteller), draft.encounter
    real = drafts.delete_encounter

    def quicker(**how: Any) -> None:
        real(by=by, encounter=Encounter.objects.get(pk=encounter.pk))
        real(**how)

    monkeypatch.setattr(drafts, "delete_encounter", quicker)
    assert signed_in(storyteller).post(reverse("combat:discard", args=[encounter.pk])).status_code == 404
    for late in (
        lambda: drafts.describe(by=by, encounter=encounter, name="Late"),
        lambda: perform.perform(encounter_id=encounter.pk, actor=storyteller, command=Begin()),
        lambda: perform.undo(encounter_id=encounter.pk, actor=storyteller),
    ):
        with pytest.raises(Http404):
            late()


def test_nobody_is_in_a_fight_twice(draft: Table, storyteller: Any, characters: dict[str, Any]) -> None:
    with pytest.raises(RuleViolation):
        drafts.add_character(encounter_id=draft.encounter_id, actor=storyteller, character=characters["Ilya"])


@pytest.mark.parametrize("count", [0, -1, 21])
def test_copies_have_their_measure(draft: Table, storyteller: Any, characters: dict[str, Any], count: int) -> None:
    with pytest.raises(RuleViolation):
        drafts.add_copies(encounter_id=draft.encounter_id, actor=storyteller, character=characters["Thug"], count=count)


def test_a_character_of_another_table_stays_there(draft: Table, storyteller: Any) -> None:
    foreign = make_character(Chronicle.objects.create(name="Elsewhere", ruleset="masquerade"), "Somebody")
    for add in (drafts.add_character, lambda **more: drafts.add_copies(count=1, **more)):
        with pytest.raises(RuleViolation):
            add(encounter_id=draft.encounter_id, actor=storyteller, character=foreign)


def test_hidden_copies_come_into_sight_under_their_mask(
    draft: Table, storyteller: Any, characters: dict[str, Any]
) -> None:
    drafts.add_copies(
        encounter_id=draft.encounter_id,
        actor=storyteller,
        character=characters["Thug"],
        count=2,
        mask="A shape",
    )
    draft.begin()
    names = {row.name for row in draft.view("table").order.rows()}
    assert {"A shape 1", "A shape 2", "Thug 1", "Thug 2"} <= names


def test_a_chronicle_goes_with_its_fights(fight: Table) -> None:
    chronicle = fight.encounter.chronicle
    chronicle.characters.all().delete()
    chronicle.delete()
    assert not LogRow.objects.exists()


def test_a_log_outlives_who_wrote_it(fight: Table, player: Any) -> None:
    from rules.topics import commands

    fight.do(commands.Spend(fight["Ilya"], "blood", 1), by=player)
    name = player.display_name
    player.delete()
    row = LogRow.objects.get(encounter_id=fight.encounter_id, seq=fight.encounter.seq)
    assert (row.actor, row.actor_name) == (None, name)


def test_a_key_of_another_press_brings_nobody_in(draft: Table, characters: dict[str, Any]) -> None:
    from combat.commands.errors import KeyReused

    common = {"encounter_id": draft.encounter_id, "actor": draft.storyteller, "key": "press"}
    thugs, secret = {"character": characters["Thug"]} | common, {"character": characters[SECRET]} | common
    drafts.add_copies(**thugs, count=2, sent="two thugs")
    seq = draft.encounter.seq
    assert drafts.add_copies(**thugs, count=2, sent="two thugs").repeated
    for another in (
        lambda: drafts.add_copies(**thugs, count=3, sent="three thugs"),
        lambda: drafts.add_copies(**secret, count=2, sent="two secrets"),
        lambda: perform.undo(encounter_id=draft.encounter_id, actor=draft.storyteller, key="press"),
    ):
        with pytest.raises(KeyReused):
            another()
    assert draft.encounter.seq == seq
