"""A server killed between the change of a sheet and its fight's: they agree after the next start."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable

import pytest

from bench.faults import killing
from bench.harness import Table, Vesper, set_table
from bench.harness.server import ROOT

pytestmark = pytest.mark.django_db(transaction=True)

KILLED = 9
EDIT = """
import os, sys
import django
django.setup()
from campaigns.models import Role
from characters.models import Character
from characters.services import SheetData, update_sheet
from combat.commands import revising
from combat.live import receivers
{killed}
one = Character.objects.get(pk=sys.argv[1])
by = one.chronicle.memberships.filter(role=Role.STORYTELLER).first()
edited = SheetData(one.name, one.kind, traits={{**one.traits, "firearms": 4}}, resources=one.resources)
update_sheet(by=by, character=one, sheet=edited, version=one.version)
"""
LOOK = """
import json, sys
import django
django.setup()
from characters.models import Character
from combat.log import rows
from combat.models import Encounter
fight = Encounter.objects.select_related("chronicle").get(pk=sys.argv[2])
mine = next(each for each in rows.state_now(fight).combatants.values() if each.character == sys.argv[1])
on_sheet = Character.objects.get(pk=sys.argv[1]).traits.get("firearms", 0)
last = fight.rows.order_by("-seq").values_list("kind", flat=True)[0]
print(json.dumps([on_sheet, mine.sheet.traits.get("firearms", 0), last]))
"""


def killed_at(server: Vesper, table: Table, killed: str) -> int:
    """Edit a sheet in a process that is killed by the lines `killed`; returns its exit code."""
    program = [sys.executable, "-c", EDIT.format(killed=killed), table.characters["Player 1"]]
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings", **server.environment}
    return subprocess.run(program, cwd=ROOT, env=environment, check=False).returncode


def dots(server: Vesper, table: Table) -> list[object]:
    """The dots on the sheet and in the fight, and the type of the log's last row."""
    server.environment.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    said: list[object] = json.loads(server.manage("-c", LOOK, table.characters["Player 1"], table.encounter))
    return said


@pytest.mark.servers
def test_killed_before_the_fight_has_it_the_sheet_does_not_have_it_either(vesper: Callable[..., Vesper]) -> None:
    server = vesper()
    table = set_table(server, players=1, observers=0, thugs=1)
    before = dots(server, table)
    assert killed_at(server, table, f"revising.append = lambda *_given: os._exit({KILLED})") == KILLED
    assert dots(server, table) == before
    assert killed_at(server, table, "") == 0
    assert dots(server, table) == [4, 4, "sheet"]


@pytest.mark.servers
def test_a_fight_that_was_not_told_has_the_sheet_after_a_start(vesper: Callable[..., Vesper]) -> None:
    """As after a kill of an older version, or a future bug: the fight is updated after the edit's commit."""
    server = vesper()
    table = set_table(server, players=1, observers=0, thugs=1)
    told_later = "receivers._revise = lambda *_who, worn=False: worn or receivers._after_the_edit(lambda: os._exit(9))"
    assert killed_at(server, table, told_later) == KILLED
    assert dots(server, table)[:2] == [4, 0]
    server.start()
    assert dots(server, table) == [4, 4, "sheet"]
    said = f"Fight {table.encounter} had an old sheet of character {table.characters['Player 1']} (Traits). Repaired."
    assert said in server.said.read_text()
    server.end()
    server.start()
    assert server.said.read_text().count("Repaired.") == 1


def test_the_harness_finds_sheets_that_no_fight_is_told_of(vesper: Callable[..., Vesper]) -> None:
    report = asyncio.run(killing.run(vesper("untold"), actions=16, stops=0, players=2, tabs=8))
    assert report.edits
    assert report.count("sheet")
