"""A log's hash chain: rows changed, dropped or inserted later are detected."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import QuerySet
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from combat.commands import perform
from combat.history.records import read
from combat.log import export as exports
from combat.log import seal
from combat.models import LogRow
from combat.panes.build import view_for
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import Table
from tests.kept import kept

pytestmark = pytest.mark.django_db

WAIVE = ["MQ-MULTI-1", "MQ-ORDER-1", "MQ-DECL-1"]


def rows_of(fight: Table, command: str) -> list[LogRow]:
    """The rows of this type of command. PostgreSQL cannot query their content: see `WrittenField`."""
    rows = LogRow.objects.filter(encounter=fight.encounter_id).order_by("seq")
    return [row for row in rows if row.command["is"] == command]


@pytest.fixture
@kept
def fought(fight: Table) -> Table:
    """Blows, an undo and redo, an undo of several, and a new blow."""
    for who in ("Ilya", "Marguerite"):
        fight.do(Attack(fight[who], (fight["Thug 1"],)), waive=WAIVE)
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    perform.redo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    (begun,) = rows_of(fight, "Begin")
    perform.undo_to(encounter_id=fight.encounter_id, actor=fight.storyteller, token=begun.token)
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],)), waive=WAIVE)
    return fight


def rows(fight: Table) -> list[dict[str, Any]]:
    return list(exports.sealed_rows(fight.encounter))


def resealed(changed: list[dict[str, Any]], encounter_id: str) -> list[dict[str, Any]]:
    """A forgery by somebody who knows how seals are made."""
    before = seal.first(encounter_id)
    for row in changed:
        before = row["seal"] = seal.seal(before, row)
    return changed


def written(fight: Table, changed: list[dict[str, Any]], **head: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    first = json.loads(next(exports.lines(fight.encounter)))
    return first | head, changed


@pytest.mark.servers
def test_each_row_of_a_fight_is_sealed_with_the_one_before(fought):
    log = rows(fought)
    assert len(log) > 10
    assert list(exports.faults_of(*written(fought, log))) == []
    assert len({row["seal"] for row in log}) == len(log)
    assert fought.encounter.seal == log[-1]["seal"]
    assert exports.is_whole(fought.encounter)


@pytest.mark.parametrize("field", seal.SEALED[1:])
def test_a_row_that_was_changed_breaks_the_chain(fought, field):
    log = rows(fought)
    log[4][field] = {"altered": 1} if isinstance(log[4][field], dict) else "altered"
    assert [fault.seq for fault in exports.faults_of(*written(fought, log))] == [5]


@pytest.mark.servers
def test_a_die_turned_in_the_database_is_found(fought, client, storyteller, page_of_report):
    assert "No roll in the log was changed" in page_of_report()
    row = next(
        each for each in LogRow.objects.filter(encounter=fought.encounter_id) if '"faces": [' in json.dumps(each.events)
    )
    turned = json.dumps(row.events).replace('"faces": [8', '"faces": [10', 1)
    assert turned != json.dumps(row.events)
    QuerySet.update(LogRow.objects.filter(pk=row.pk), events=json.loads(turned))
    assert not exports.is_whole(fought.encounter)
    assert "The log no longer matches its seals" in page_of_report()


@pytest.fixture
def page_of_report(fought, client, storyteller):
    def page() -> str:
        client.force_login(storyteller)
        return client.get(reverse("combat:report", args=[fought.encounter_id])).content.decode()

    return page


def test_a_row_that_was_dropped_is_missed(fought):
    log = rows(fought)
    assert [fault.seq for fault in exports.faults_of(*written(fought, log[:3] + log[4:]))] == [4]
    assert [fault.seq for fault in exports.faults_of(*written(fought, log[:-1]))] == [len(log)]


def test_a_row_that_was_slipped_in_is_found(fought):
    log = rows(fought)
    twice = [*log[:3], log[2] | {"seq": 4, "token": "sneaked"}, *(row | {"seq": row["seq"] + 1} for row in log[3:])]
    assert [fault.seq for fault in exports.faults_of(*written(fought, twice))] == [4]


def test_who_seals_a_changed_log_anew_is_found_by_a_seal_that_was_noted(fought, tmp_path):
    """The chain doesn't protect against somebody who can recompute it; a seal that players noted does."""
    noted = rows(fought)[-1]["seal"]
    forged = rows(fought)
    forged[4]["actor_name"] = "Somebody else"
    forged = resealed(forged, fought.encounter_id)
    head, _ = written(fought, forged, seal=forged[-1]["seal"])
    export = tmp_path / "forged.jsonl"
    export.write_text("\n".join(json.dumps(line) for line in (head, *forged)))
    call_command("verify", str(export), stdout=StringIO())
    with pytest.raises(CommandError, match="no row has the seal"):
        call_command("verify", str(export), "--seal", seal.shown(noted))


@pytest.mark.servers
def test_the_storytellers_export_is_verified_without_the_database(fought, client, storyteller, tmp_path):
    client.force_login(storyteller)
    answer = client.get(reverse("combat:log", args=[fought.encounter_id]))
    assert 'filename="' in answer["Content-Disposition"]
    export = tmp_path / "log.jsonl"
    export.write_bytes(b"".join(answer.streaming_content))
    said = StringIO()
    call_command("verify", str(export), "--seal", seal.shown(fought.encounter.seal), stdout=said)
    assert f"{fought.encounter.seq} rows, none changed, removed or inserted" in said.getvalue()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "This is not the log of a fight."),
        ("not json", "Line 1 is not JSON."),
        ("[1]", "Line 1 is not a row."),
        ('{"format": "something"}', "This is not the log of a fight."),
        ('{"format": "vesper-log-1"}\n{"seq": 1}', "Line 2 has no “token”."),
        ("[" * 100_000, "Line 1 is not JSON."),
        ('{"format": "vesper-log-1", "rows": NaN}', "Line 1 is not JSON."),
        ('{"format": "vesper-log-1", "rows": -Infinity}', "Line 1 is not JSON."),
        ('{"format": "vesper-log-1", "rows": ' + "9" * 5000 + "}", "Line 1 is not JSON."),
        ('{"format": "something", "format": "vesper-log-1"}', "Line 1 is not JSON."),
        ('{"format": "vesper-log-1", "encounter": "\\ud800"}', "Line 1 is not JSON."),
    ],
)
def test_a_file_that_is_no_log_is_refused_with_a_sentence(text, sentence, tmp_path):
    export = tmp_path / "other"
    export.write_text(text)
    with pytest.raises(CommandError, match=sentence):
        call_command("verify", str(export))


def test_a_file_that_is_not_there_or_no_text_is_refused_too(tmp_path):
    with pytest.raises(CommandError, match="No such file"):
        call_command("verify", str(tmp_path / "nowhere"))
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CommandError, match="decode"):
        call_command("verify", str(tmp_path / "bytes"))


def test_a_second_value_under_a_key_is_no_row(fought, tmp_path):
    """The seal covers the last value, but a reader may see the first."""
    head, *log = list(exports.lines(fought.encounter))
    export = tmp_path / "twofold.jsonl"
    forged = log[3].replace('"actor_name":', '"actor_name": "Somebody else", "actor_name":', 1)
    export.write_text("".join((head, *log[:3], forged, *log[4:])))
    with pytest.raises(CommandError, match=r"Line 5 is not JSON\."):
        call_command("verify", str(export), stdout=StringIO())


def test_no_export_that_somebody_broke_passes_or_ends_in_an_error(fought, tmp_path):
    """Values replaced at any place: detected, or refused with a message."""
    whole = [json.loads(line) for line in exports.lines(fought.encounter)]
    export = tmp_path / "broken.jsonl"

    @settings(max_examples=60, deadline=None)
    @given(st.data())
    def holds(data):
        log = json.loads(json.dumps(whole))
        line = data.draw(st.sampled_from(log))
        name = data.draw(st.sampled_from(sorted(line)))
        line[name] = data.draw(ODD.filter(lambda odd: json.dumps(odd) != json.dumps(line[name])))
        export.write_text("\n".join(map(json.dumps, log)))
        if name in ("name", "ruleset") and line is log[0]:
            return  # not covered by the seal: for people to read
        with pytest.raises(CommandError):
            call_command("verify", str(export), stdout=StringIO())

    holds()


ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 99) | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


def test_everybody_reads_the_seal_when_the_fight_begins_and_ends(fought):
    fought.do(commands.End())
    (ends,) = rows_of(fought, "End")
    for audience in ("storyteller", "table"):
        text = str(view_for(read(fought.encounter), audience).log)
        assert seal.shown(ends.seal) in text, audience


def test_the_seal_is_on_the_report_and_on_no_page_of_the_fight(fought, client):
    fought.do(commands.End())
    (ends,) = rows_of(fought, "End")
    client.force_login(fought.storyteller, backend="django.contrib.auth.backends.ModelBackend")
    shown = seal.shown(ends.seal)
    assert shown not in client.get(reverse("combat:encounter", args=[fought.encounter_id])).content.decode()
    assert shown in client.get(reverse("combat:report", args=[fought.encounter_id])).content.decode()


@pytest.mark.servers
def test_a_seal_is_the_same_whatever_the_database_made_of_the_row(fought):
    """Written and read again: no text in a row may change on its way through the database."""
    assert connection.vendor in ("sqlite", "postgresql")
    for row in LogRow.objects.filter(encounter=fought.encounter_id):
        assert seal.content(LogRow.objects.get(pk=row.pk)) == seal.content(row)
