"""The upgrade of a database with thousands of characters from before sheets had a history: in steps, on every database.

`VESPER_SHEETS=5000` upgrades that many and prints how long it took and how much memory.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.harness.server import ROOT
from tests.faults.conftest import beside_the_tests

pytestmark = [pytest.mark.servers, pytest.mark.django_db(transaction=True)]

SHEETS = int(os.environ.get("VESPER_SHEETS", "1200"))
"""More than two of the migration's steps."""

BEFORE = ("characters", "0019")

FILL = """
import json, sys
import django
django.setup()
from django.db import connection, transaction
count = int(sys.argv[1])
long_ago, later = "2026-10-01 20:00:00+00:00", "2026-10-0{} 20:00:00+00:00"
columns = ("id", "chronicle_id", "kind", "name", "concept", "traits", "resources", "merits", "details", "specialties",
    "lists", "marks", "injuries", "scars", "impairments", "lasting", "notes", "storyteller_notes", "updated", "version")
with transaction.atomic(), connection.cursor() as cursor:
    cursor.execute(
        "INSERT INTO campaigns_chronicle"
        " (id, name, ruleset, description, options, conduct, own_kinds, created, version)"
        " VALUES ('many', 'Many', 'masquerade', '', '{}', '{}', '{}', %s, 1)", [long_ago])
    cursor.executemany(
        f"INSERT INTO characters_character ({', '.join(columns)}) VALUES ({', '.join(['%s'] * len(columns))})",
        [(f"c{number:06}", "many", "mortal", f"Somebody {number}", "", '{"strength": 3}', "{}",
          '["iron_will", "luck"]' if number % 2 else "[]", "{}", "{}", "{}", '["lethal"]', "[]", "[]", "[]", "[]",
          f"Note {number}.", "", long_ago, number + 1) for number in range(count)])
    cursor.executemany(
        "INSERT INTO characters_sheetchange (character_id, at, cause, fight, reason, changes)"
        " VALUES (%s, %s, 'form', '', '', %s)",
        [(f"c{number:06}", later.format(day), json.dumps(change)) for number in range(1, count, 2)
         for day, change in (
             (1, [["trait:strength", 1, 2]]),
             (2, [["merit:luck", "", "x"], ["trait:strength", 2, 3]]),
         )])
"""

UPGRADE = """
import json, resource, sys, time
import django
django.setup()
from django.core.management import call_command
began = time.monotonic()
call_command("migrate", verbosity=0)
print(json.dumps([time.monotonic() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]))
"""

LOOK = """
import json
import django
django.setup()
from django.db.models import Count
from characters.models import Character, SheetChange
everybody = Character.objects.order_by("pk")
odd = everybody.get(pk="c000001")
print(json.dumps({
    "sheets": [[one.name, one.traits, one.merits, one.marks, one.notes, one.version] for one in everybody],
    "begun": SheetChange.objects.filter(cause="begun").count(),
    "twice": everybody.annotate(begun=Count("changes")).exclude(begun__in=(1, 3)).count(),
    "history": [[row.cause, row.at.isoformat()[:19], row.changes] for row in odd.changes.order_by("at")],
}))
"""


def run(url: str, data: Path, *arguments: str) -> Any:
    """The JSON that a program prints, run with this database."""
    ours = {"DATABASE_URL": url, "VESPER_DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
    how: dict[str, Any] = {"cwd": ROOT, "env": {**os.environ, **ours}, "capture_output": True, "text": True}
    done = subprocess.run([sys.executable, *arguments], check=False, **how)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout) if done.stdout.strip() else None


@pytest.fixture
def database(django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with beside_the_tests(django_db_blocker, tmp_path_factory, is_migrated=False) as url:
        yield url


def test_thousands_of_sheets_get_their_history(database: str, tmp_path: Path) -> None:
    run(database, tmp_path, "manage.py", "migrate", *BEFORE, "-v0")
    run(database, tmp_path, "-c", FILL, str(SHEETS))
    seconds, kilobytes = run(database, tmp_path, "-c", UPGRADE)
    sys.stdout.write(f"{SHEETS} sheets: {seconds:.1f} s, {kilobytes // 1024} MB\n")
    now = run(database, tmp_path, "-c", LOOK)
    merits = [[], ["iron_will", "luck"]]
    assert now["sheets"] == [
        [f"Somebody {number}", {"strength": 3}, merits[number % 2], ["lethal"], f"Note {number}.", number + 1]
        for number in range(SHEETS)
    ]
    assert (now["begun"], now["twice"]) == (SHEETS, 0)
    assert now["history"] == [
        ["begun", "2026-10-01T19:59:59", []],
        ["form", "2026-10-01T20:00:00", [["traits:strength", 1, 2]]],
        ["form", "2026-10-02T20:00:00", [["traits:strength", 2, 3], ["merits", ["iron_will"], ["iron_will", "luck"]]]],
    ]
