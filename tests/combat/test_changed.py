"""An encounter is saved without the columns that haven't changed."""

from __future__ import annotations

from copy import copy
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from combat.models import Encounter
from tests.combat.conftest import Table

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


def written(row: Encounter) -> str:
    """The columns that saving the row's changes writes, as SQL; "" for none."""
    with CaptureQueriesContext(connection) as queries:
        row.save_changed()
    sql = [each["sql"] for each in queries if each["sql"].startswith("UPDATE")]
    assert len(sql) <= 1
    return sql[0].partition(" SET ")[2].partition(" WHERE ")[0] if sql else ""


@pytest.fixture
def row(fight: Table) -> Any:
    return Encounter.objects.without_state().get(pk=fight.encounter_id)


def test_nothing_is_written_without_a_change(row: Encounter) -> None:
    row.clocks = dict(row.clocks)
    assert written(row) == ""


def test_only_what_differs(row: Encounter) -> None:
    Encounter.objects.filter(pk=row.pk).update(name="Renamed meanwhile")
    row.seq, row.clocks, row.state = row.seq + 1, {"a": 1.0}, {"combatants": {}}
    assert {each.split(" = ")[0] for each in written(row).split(', "')} == {'"seq"', 'state"', 'clocks"'}
    assert written(row) == ""
    row.seq -= 1
    assert '"seq"' in written(row)
    now = Encounter.objects.get(pk=row.pk)
    assert (now.name, now.clocks, now.state, now.seq) == ("Renamed meanwhile", {"a": 1.0}, {"combatants": {}}, row.seq)


def test_a_copy_does_not_share_its_changes(row: Encounter) -> None:
    before = copy(row)
    row.scene = "Rain."
    assert "scene" in written(row)
    assert written(before) == ""


def test_after_a_usual_save_or_a_refresh_it_is_not_sure_and_writes_everything(row: Encounter) -> None:
    row.save()
    assert "earlier_seals" in written(row)
    assert written(row) == ""
    Encounter.objects.filter(pk=row.pk).update(seq=90)
    old = row.seq
    row.refresh_from_db(fields=["seq"])
    row.seq = old
    assert written(row).startswith('"seq"')
    row.refresh_from_db()
    row.seq = 90
    assert '"seq"' in written(row)


def test_what_is_new_or_gone(row: Encounter) -> None:
    made = Encounter(chronicle_id=row.chronicle_id, name="Another")
    made.save()
    made.name = "A third"
    assert '"name"' in written(made)
    Encounter.objects.filter(pk=made.pk).delete()
    made.name = "A fourth"
    with pytest.raises(DatabaseError), transaction.atomic():
        made.save_changed()


def test_versions_are_parsed_once_for_all_who_read_the_same(row: Encounter) -> None:
    Encounter.objects.filter(pk=row.pk).update(versions={"table": {"version": 3, "panes": {}}})
    one, other = Encounter.objects.get(pk=row.pk), Encounter.objects.get(pk=row.pk)
    assert one.versions == other.versions == {"table": {"version": 3, "panes": {}}}
    if connection.vendor == "sqlite":  # PostgreSQL's driver parses JSON itself
        assert one.versions is other.versions
    one.versions = {**one.versions, "from": 4}
    one.save_changed()
    assert Encounter.objects.get(pk=row.pk).versions == {"table": {"version": 3, "panes": {}}, "from": 4}
    assert other.versions == {"table": {"version": 3, "panes": {}}}
