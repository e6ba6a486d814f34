"""Fights of every ruleset out of one chronicle and into another: they tell everybody the same, and go on."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from campaigns.models import Chronicle, User
from campaigns.tokens import ALPHABET
from characters.models import Character
from combat.commands import checking, perform
from combat.history import records
from combat.history.seals import earlier_seals
from combat.log import codec, export
from combat.log import rows as logs
from combat.log.seal import shown
from combat.models import Encounter, LogRow, Status
from combat.panes.build import view_for
from combat.secrecy.audiences import TABLE
from rules.model.choices import Defence
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.archives import moving
from tests.old import reading
from tests.test_old_databases import chronicle as played  # noqa: F401  # a fixture
from tests.test_old_databases import (
    everywhere,
    upgraded,  # noqa: F401  # a fixture
)

ID = re.compile(rf"\b[{ALPHABET}]{{10}}\b")

old_files = pytest.mark.skipif(connection.vendor != "sqlite", reason="They are SQLite’s files.")


@pytest.fixture
def again(tmp_path: Path) -> Callable[[Chronicle], Chronicle]:
    """again(chronicle) -> the chronicle that is made of its archive."""

    def move(chronicle: Chronicle) -> Chronicle:
        files, counts = moving.taken_out(chronicle, tmp_path / "out.zip")
        by = User.objects.first()
        return moving.bring_in(moving.packed(files, counts, tmp_path / "in.zip"), chronicle, by)

    return move


def told(encounter: Encounter, language: str) -> dict[str, Any]:
    """Every text of a fight by audience. Panes list a player's combatants by their ids, which are new."""
    words = reading.words_of(encounter, language)
    panes = {
        pane: {audience: sorted(text.split()) for audience, text in texts.items()}
        for pane, texts in words["panes"].items()
    }
    return {**words, "panes": panes}


def renamed(value: Any, made: Chronicle) -> Any:
    """A value with the new ids of an import."""
    new = made.coming.new  # type: ignore[attr-defined]
    return json.loads(ID.sub(lambda each: new(each[0]), json.dumps(value)))


def plain(files: moving.Files) -> str:
    """Files without what differs from one import to the next: ids become numbers, and seals are left out."""
    found = dict[str, str]()
    text = json.dumps(files)
    text = re.sub(r', "earlier_seals": \[[^]]*\]', "", text)
    text = re.sub(r'"seal": "[0-9a-f]{64}"', "", text)
    return ID.sub(lambda each: found.setdefault(each[0], f"<{len(found)}>"), text)


@old_files
@everywhere
def test_each_audience_is_told_the_same(played: Chronicle, again: Any) -> None:  # noqa: F811
    made = again(played)
    many = 0
    for before, after in moving.pairs(played, made):
        assert export.is_whole(after)
        rows = logs.rows_of(after)
        assert logs.state_of(rows, logs.first_state(after)) == logs.load_state(after, after.state)
        for name in ("status", "seq", "held", "name", "scene"):
            assert getattr(after, name) == getattr(before, name)
        for language in ("en-gb", "de"):
            assert told(after, language) == renamed(told(before, language), made)
        many += after.seq
    assert many > 150


@old_files
@everywhere
def test_what_went_through_twice_is_the_same(played: Chronicle, again: Any, tmp_path: Path) -> None:  # noqa: F811
    once = again(played)
    twice = again(once)
    first, counts = moving.taken_out(once, tmp_path / "first.zip")
    second, counts_again = moving.taken_out(twice, tmp_path / "second.zip")
    assert plain(first) == plain(second)
    assert counts == counts_again


@old_files
@everywhere
def test_a_running_fight_goes_on(played: Chronicle, again: Any) -> None:  # noqa: F811
    made = again(played)
    story = User.objects.get(username="story")
    fight = Encounter.objects.fights().get(chronicle=made, status=Status.RUNNING)
    state = logs.state_now(fight)
    who = next(one for one, each in state.combatants.items() if each.character and each.player)
    character = Character.objects.get(pk=state.combatants[who].character)
    assert character.chronicle_id == made.pk
    harm = commands.Harm(who, 1, Damage.LETHAL, why="A loose stone.")
    perform.perform(encounter_id=fight.pk, actor=story, command=harm)
    hurt = Character.objects.get(pk=character.pk)
    assert (hurt.marks, hurt.injuries) != (character.marks, character.injuries)
    # Across the border: the harm, and five steps from before.
    for _step in range(6):
        perform.undo(encounter_id=fight.pk, actor=story)
    fight.refresh_from_db()
    assert export.is_whole(fight)
    assert not list(checking._check_log(fight))
    for _step in range(6):
        perform.redo(encounter_id=fight.pk, actor=story)
    fight.refresh_from_db()
    assert logs.state_of(logs.rows_of(fight)) == logs.load_state(fight, fight.state)
    # What happened there is unknown here.
    here = Character.objects.get(chronicle=played, name=character.name)
    assert (here.marks, here.injuries) == (character.marks, character.injuries)


@old_files
@everywhere
def test_no_difference_is_found_between_sheets_and_fights(played: Chronicle, again: Any) -> None:  # noqa: F811
    made = again(played)
    before, after = (
        [each for fight in _unfinished(one) for each in checking._check_sheets(fight)] for one in (played, made)
    )
    assert len(before) == len(after)


def _unfinished(chronicle: Chronicle) -> list[Encounter]:
    return list(Encounter.objects.filter(chronicle=chronicle).exclude(status=Status.ENDED).select_related("chronicle"))


# ------------------------------------------------------------------ one with everything


def of(chronicle: Chronicle, name: str) -> Encounter:
    return Encounter.objects.select_related("chronicle").get(chronicle=chronicle, name=name)


def test_what_is_kept_beside_a_fight(full: Chronicle, moved: Any) -> None:
    made = moved()
    new = made.coming.new
    assert of(made, "The chapel").notes.text == "Ilya has the key."
    row, was = (of(each, "The bridge").reinforcements.get() for each in (made, full))
    assert (row.label, row.words, row.mask, row.created) == (was.label, was.words, was.mask, was.created)
    thug = made.characters.get(name="Thug")
    assert row.people == new.inside(was.people)
    assert row.people[0]["character"] == thug.pk
    crypt = of(made, "The crypt")
    assert (crypt.status, crypt.scene) == ("draft", "*Cold.*")
    assert crypt.place == of(full, "The crypt").place
    for name in ("The chapel", "The towpath", "The bridge"):
        there, here = of(made, name), of(full, name)
        assert (there.begun, there.ended, there.created) == (here.begun, here.ended, here.created)
    assert made.encounters.get(outside_fights=True).seq == full.encounters.get(outside_fights=True).seq


def test_a_reinforcement_still_joins(full: Chronicle, moved: Any, storyteller: Any) -> None:
    from combat.commands.reinforcements import bring_in

    fight = of(moved(), "The bridge")
    before = len(fight.state["combatants"])
    bring_in(encounter_id=fight.pk, actor=storyteller, row_id=fight.reinforcements.get().pk)
    fight.refresh_from_db()
    assert len(fight.state["combatants"]) == before + 5


def test_a_held_roll_is_held_until_it_is_released(full: Chronicle, moved: Any, player: Any) -> None:
    fight = of(moved(), "The bridge")
    held = LogRow.objects.get(encounter=fight, seq=fight.held)
    table = view_for(records.read(fight), TABLE)
    assert held.token not in [each.id for each in table.log.entries]
    perform.let_go(encounter_id=fight.pk, actor=player, token=held.token)
    fight.refresh_from_db()
    assert fight.held is None
    assert held.token in [each.id for each in view_for(records.read(fight), TABLE).log.entries]


def test_a_question_can_still_be_answered(full: Chronicle, moved: Any, player: Any) -> None:
    fight = of(moved(), "The bridge")
    (exchange,) = logs.state_now(fight).exchanges
    answer = commands.AnswerAttack(exchange.id, exchange.asked[0], Defence(""))
    perform.perform(encounter_id=fight.pk, actor=player, command=answer)
    fight.refresh_from_db()
    assert not logs.state_now(fight).exchanges


def test_running_clocks_are_gone_and_paused_ones_stay(full: Chronicle, moved: Any) -> None:
    fight = of(full, "The bridge")
    (exchange,) = logs.state_now(fight).exchanges
    question = f"{exchange.id} {exchange.asked[0]}"
    Encounter.objects.filter(pk=fight.pk).update(clocks={question: 1.5})
    assert of(moved(), "The bridge").clocks == {}
    Encounter.objects.filter(pk=fight.pk).update(clocks={question: None})
    made = moved()
    (exchange,) = logs.state_now(of(made, "The bridge")).exchanges
    assert of(made, "The bridge").clocks == {f"{exchange.id} {exchange.asked[0]}": None}


def test_noted_seals_are_still_recognised(full: Chronicle, moved: Any) -> None:
    before = LogRow.objects.filter(encounter=of(full, "The chapel")).order_by("seq")
    noted = {shown(row.seal) for row in before if row.command["is"] in ("Begin", "End")}
    after = of(moved(), "The chapel")
    kept = earlier_seals(after)
    assert noted == {each.seal for found in kept.values() for each in found}
    assert all(each.imported for found in kept.values() for each in found)


def test_the_export_of_what_came_in_verifies(full: Chronicle, moved: Any, tmp_path: Path) -> None:
    for encounter in Encounter.objects.filter(chronicle=moved()).select_related("chronicle"):
        file = tmp_path / f"{encounter.pk}.jsonl"
        file.write_text("".join(export.lines(encounter)))
        said = io.StringIO()
        call_command("verify", str(file), stdout=said)
        assert f"{encounter.seq} rows, none changed" in said.getvalue()


def test_accounts_and_presses_stay_behind(full: Chronicle, moved: Any) -> None:
    rows = LogRow.objects.filter(encounter__chronicle=moved())
    assert {(row.actor_id, row.key, row.sent) for row in rows} == {(None, None, "")}
    assert {row.actor_name for row in rows} >= {"storyteller", "player"}


def test_the_bin_stays_behind(full: Chronicle, moved: Any) -> None:
    from django.utils import timezone

    Encounter.objects.filter(name="The crypt").update(binned=timezone.now())
    assert not Encounter.with_bin.filter(chronicle=moved(), name="The crypt").exists()


def test_an_archive_without_a_log_of_rolls_gets_an_empty_one(full: Chronicle, moved: Any) -> None:
    def without(files: moving.Files) -> None:
        for name in [name for name in files if name.endswith("encounter.json") and files[name]["outside_fights"]]:
            del files[name], files[name.replace("encounter.json", "log.jsonl")]

    log = moved(without).encounters.get(outside_fights=True)
    assert (log.seq, log.status) == (0, "running")
    assert codec.load_state(log.state).outside_fights
