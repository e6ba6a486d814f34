"""Sealing a log again without somebody's name: the chain stays whole, and noted seals have an explanation."""

from __future__ import annotations

import json
from datetime import datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models import QuerySet
from django.urls import reverse

from combat.commands import perform
from combat.history.actors import shown_name
from combat.history.records import read
from combat.history.stored import stored_rows
from combat.log import export as exports
from combat.log import reseal, seal
from combat.log import rows as logs
from combat.models import Encounter, LogRow
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import Table
from tests.kept import kept

pytestmark = pytest.mark.django_db


@pytest.fixture
@kept
def ended(fight: Table, player) -> Table:
    """A fight in which a player acted between the Storyteller's commands, and which is over."""
    player.first_name = "Xanthippe Quill"
    player.save()
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
    fight.do(commands.RollTraits(fight["Ilya"], ("wits",)), by=player)
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.BASHING))
    fight.do(commands.RollTraits(fight["Ilya"], ("wits",)), by=player)
    fight.do(commands.End())
    return fight


def log_of(fight: Table) -> list[dict[str, Any]]:
    return list(exports.sealed_rows(fight.encounter))


def written(fight: Table, path: Any) -> Any:
    path.write_text("".join(exports.lines(fight.encounter)))
    return path


def verified(*arguments: Any) -> str:
    said = StringIO()
    call_command("verify", *map(str, arguments), stdout=said)
    return said.getvalue()


def forget(fight: Table, user: Any) -> Any:
    encounter = Encounter.objects.get(pk=fight.encounter_id)
    return reseal.remove_name(encounter, user.pk)


@pytest.mark.servers
def test_the_name_is_gone_and_everything_else_is_as_it_was(ended, player):
    before, state = log_of(ended), ended.state
    assert {row["actor_name"] for row in before} == {player.display_name, ended.storyteller.display_name}
    assert forget(ended, player) is None
    after = log_of(ended)
    assert exports.is_whole(ended.encounter)
    first = next(n for n, row in enumerate(before) if row["actor_name"] == player.display_name)
    assert after[:first] == before[:first]
    for row, was in zip(after[first:], before[first:], strict=True):
        name = reseal.FORMER if was["actor_name"] == player.display_name else was["actor_name"]
        assert row | {"seal": ""} == was | {"seal": "", "actor_name": name}
        assert row["seal"] != was["seal"]
    assert ended.encounter.seal == after[-1]["seal"]
    assert ended.state == state == logs.state_of(logs.rows_of(ended.encounter), logs.first_state(ended.encounter))


def test_the_seals_that_people_may_have_noted_are_remembered_from_the_first_change_on(ended, player):
    before = log_of(ended)
    forget(ended, player)
    (kept,) = ended.encounter.earlier_seals
    assert kept["at"] == seal.moment(logs_time(kept))
    assert kept == {
        "encounter": ended.encounter_id,
        "rows": len(before),
        "seal": before[-1]["seal"],
        "at": kept["at"],
        "why": "name-removed",
    }
    forget(ended, ended.storyteller)
    begun = next(row for row in before if row["command"]["is"] == "Begin")
    assert [each["rows"] for each in ended.encounter.earlier_seals] == [len(before), begun["seq"], len(before)]
    assert ended.encounter.earlier_seals[1]["seal"] == begun["seal"]
    exports.check_earlier(ended.encounter.earlier_seals)


def logs_time(kept: dict[str, Any]) -> Any:
    return datetime.fromisoformat(kept["at"])


def test_a_second_time_and_a_stranger_change_nothing(ended, player, other_player):
    forget(ended, player)
    before, kept = log_of(ended), ended.encounter.earlier_seals
    forget(ended, player)
    forget(ended, other_player)
    assert log_of(ended) == before
    assert ended.encounter.earlier_seals == kept


def test_a_long_log_is_sealed_in_pages(ended, player, monkeypatch):
    monkeypatch.setattr(reseal, "AT_ONCE", 2)
    forget(ended, player)
    assert exports.is_whole(ended.encounter)


def test_play_goes_on_after_it(ended, player):
    forget(ended, player)
    perform.undo(encounter_id=ended.encounter_id, actor=ended.storyteller)
    ended.do(commands.Harm(ended["Ilya"], 1, Damage.LETHAL))
    assert exports.is_whole(ended.encounter)
    fresh = logs.state_of(logs.rows_of(ended.encounter), logs.first_state(ended.encounter))
    assert ended.state == fresh


def test_no_cache_serves_the_old_name(ended, player):
    assert player.display_name in str(ended.view("storyteller").log)
    forget(ended, player)
    assert player.display_name not in str(ended.view("storyteller").log)
    assert all(row.by != player.display_name for row in logs.rows_of(ended.encounter))
    assert shown_name(reseal.FORMER) in str(ended.view("storyteller").log)
    assert "a former member" in {row.who for row in stored_rows(ended.encounter)}
    assert read(ended.encounter).rows


@pytest.mark.parametrize("place", [1, 4, 7])
def test_a_broken_log_loses_the_name_and_stays_broken_at_the_same_row(ended, player, place):
    row = LogRow.objects.get(encounter=ended.encounter_id, seq=place)
    QuerySet.update(LogRow.objects.filter(pk=row.pk), cast={"turned": 1})
    seals = [each["seal"] for each in log_of(ended)]
    assert exports.fault_in(ended.encounter).seq == place
    assert forget(ended, player).seq == place
    assert exports.fault_in(ended.encounter).seq == place
    assert ended.encounter.earlier_seals == []
    assert player.display_name not in json.dumps(log_of(ended))
    # Cached rows are found by their seals: those of changed rows must be new.
    mine = LogRow.objects.filter(encounter=ended.encounter_id, actor=player)
    assert not set(mine.values_list("seal", flat=True)) & set(seals)


def test_a_log_whose_end_is_missing_stays_so(ended, player):
    Encounter.objects.filter(pk=ended.encounter_id).update(seq=ended.encounter.seq + 1)
    assert not exports.is_whole(ended.encounter)
    forget(ended, player)
    assert not exports.is_whole(ended.encounter)


@pytest.mark.servers
def test_verify_explains_a_seal_that_was_noted_before(ended, player, tmp_path):
    old = written(ended, tmp_path / "old.jsonl")
    noted = seal.shown(ended.encounter.seal)
    forget(ended, player)
    new = written(ended, tmp_path / "new.jsonl")
    assert player.display_name not in new.read_text()
    said = verified(new, "--seal", noted)
    assert f"{noted} was the seal of row {ended.encounter.seq} until" in said
    assert "the name of a deleted account was removed" in said
    assert "none changed, removed or inserted" in said
    assert "none changed" in verified(old, "--seal", noted)
    with pytest.raises(CommandError, match="no row has the seal"):
        verified(new, "--seal", "0123 4567 89ab cdef")


def test_an_earlier_export_proves_that_only_the_name_was_removed(ended, player, tmp_path):
    old = written(ended, tmp_path / "old.jsonl")
    forget(ended, player)
    new = written(ended, tmp_path / "new.jsonl")
    assert "In it, no row was changed" in verified(new, "--before", old)
    head, *rows = map(json.loads, new.read_text().splitlines())
    rows[2]["cast"] = {"forged": True}
    before = seal.first(ended.encounter_id)
    for row in rows:
        row["seal"] = before = seal.seal(before, row)
    new.write_text("\n".join(map(json.dumps, (head | {"seal": before}, *rows))))
    with pytest.raises(CommandError, match="row 3 is different in the earlier export"):
        verified(new, "--before", old)
    with pytest.raises(CommandError, match="rows after row"):
        verified(old, "--before", grown(ended, tmp_path / "grown.jsonl"))


def grown(fight: Table, path: Any) -> Any:
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    return written(fight, path)


@pytest.mark.parametrize(
    "odd", ['"x"', "[1]", "[{}]", "null", '[{"encounter": "a", "rows": 1, "seal": "b", "at": "soon", "why": "?"}]']
)
def test_earlier_seals_that_are_none_are_refused(odd, tmp_path):
    file = tmp_path / "odd.jsonl"
    file.write_text('{"format": "vesper-log-1", "earlier_seals": ' + odd + "}")
    with pytest.raises(CommandError, match="The earlier seals of this log can't be read"):
        call_command("verify", str(file))


def test_the_report_shows_the_seal_that_was_noted_beside_the_new_one(ended, player, client):
    noted = seal.shown(ended.encounter.seal)
    forget(ended, player)
    client.force_login(ended.storyteller, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("combat:report", args=[ended.encounter_id])).content.decode()
    assert f"Seal {seal.shown(ended.encounter.seal)}:" in page
    assert f"Earlier seal {noted}, until" in page
    assert "the name of a deleted account was removed from the log" in page
    QuerySet.update(Encounter.objects.all(), earlier_seals=[imported(each) for each in ended.encounter.earlier_seals])
    page = client.get(reverse("combat:report", args=[ended.encounter_id])).content.decode()
    assert "the log was imported from another Vesper" in page


def imported(kept: dict[str, Any]) -> dict[str, Any]:
    return kept | {"why": "imported", "encounter": "elsewhere"}
