"""A server killed in the middle of an award to eight: all get it, or nobody."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from bench.faults import awarding
from bench.harness import Vesper, set_table
from bench.harness.server import ROOT
from tests import migrated

pytestmark = pytest.mark.django_db(transaction=True)

KILLED = 9
AWARD = """
import os, sys
import django
django.setup()
from campaigns.models import Role
from characters import experience
from characters.models import Character, ExperienceEntry
by = Character.objects.get(pk=sys.argv[1]).chronicle.memberships.filter(role=Role.STORYTELLER).first()
save = ExperienceEntry.save
def killed(entry, **more):
    save(entry, **more)
    if ExperienceEntry.objects.filter(reason="torn").count() == 5:
        os.kill(os.getpid(), 9)
ExperienceEntry.save = killed
experience.award(by=by, to=sys.argv[1:], amount=1, reason="torn", key="torn")
"""


def test_killed_between_two_of_eight_nobody_has_it(tmp_path: Path) -> None:
    migrated.put(tmp_path / "vesper.sqlite3")
    with Vesper(tmp_path) as server:
        table = set_table(server, players=awarding.PLAYERS)
        who = [one for name, one in table.characters.items() if name.startswith("Player")]
        environment = {"DJANGO_SETTINGS_MODULE": "config.settings", **server.environment}
        done = subprocess.run([sys.executable, "-c", AWARD, *who], cwd=ROOT, env=environment, check=False)
        assert done.returncode == -KILLED
        report = awarding.Report()
        assert awarding._count(server, table, "torn", report) == 0
        assert report.ok


def test_killed_at_a_random_moment_all_have_it_after_the_next_press(tmp_path: Path) -> None:
    migrated.put(tmp_path / "awards" / "vesper.sqlite3")
    (report,) = asyncio.run(awarding.run(tmp_path, kills=1))
    assert report.ok, str(report)
