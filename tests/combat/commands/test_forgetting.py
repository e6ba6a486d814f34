"""An account is deleted while it acts, or while the server is killed: everything or nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import connection

from campaigns import leaving
from campaigns.models import Membership, User
from characters.models import Character
from combat.commands import checking
from combat.log import export
from combat.log.reseal import FORMER
from combat.models import LogRow
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]

ROLLS = 8


def test_an_account_that_is_deleted_while_it_acts(fight: Table, player: Any, storyteller: Any) -> None:
    """Its last actions are in the log or refused, the Storyteller's all count, and the log is whole."""

    def rolls() -> int:
        done = 0
        try:
            for _number in range(ROLLS):
                fight.do(commands.RollTraits(fight["Ilya"], ("wits",)), by=player)
                done += 1
        except PermissionDenied:
            return done
        finally:
            connection.close()
        return done

    def harms() -> int:
        try:
            for _number in range(ROLLS):
                fight.do(commands.Harm(fight["Thug 1"], 1, Damage.BASHING), by=storyteller)
        finally:
            connection.close()
        return ROLLS

    def deletes() -> int:
        try:
            leaving.delete_account(player)
        finally:
            connection.close()
        return 0

    fight.do(commands.RollTraits(fight["Ilya"], ("wits",)), by=player)
    before = fight.encounter.seq
    with ThreadPoolExecutor(3) as pool:
        done = [each.result(60) for each in [pool.submit(work) for work in (rolls, harms, deletes)]]
    assert fight.encounter.seq == before + sum(done)
    assert export.is_whole(fight.encounter)
    assert not User.objects.filter(pk=player.pk).exists()
    names = list(LogRow.objects.filter(encounter=fight.encounter_id).values_list("actor_name", flat=True))
    assert player.display_name not in names
    assert names.count(FORMER) == done[0] + 1


def test_two_storytellers_who_leave_at_once(chronicle: Any, storyteller: Any, player: Any) -> None:
    """One of them stays: the chronicle has other members."""
    Membership.objects.filter(user=player).update(role="storyteller")

    def leaves(user: Any) -> str:
        try:
            leaving.delete_account(user)
        except leaving.Refused as refusal:
            return str(refusal)
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(2) as pool:
        said = list(pool.map(leaves, (storyteller, player)))
    assert sorted(map(bool, said)) == [False, True]
    assert Membership.objects.storytellers().filter(chronicle=chronicle).count() == 1


KILLED = """
import os, signal, sys
import django
django.setup()
from campaigns import leaving
from campaigns.models import User
leaving._forget_sign_ins = lambda _user: os.kill(os.getpid(), signal.SIGKILL)
leaving.delete_account(User.objects.get(pk=int(sys.argv[1])))
"""


def test_a_kill_in_the_middle_leaves_everything(fight: Table, player: Any) -> None:
    fight.do(commands.RollTraits(fight["Ilya"], ("wits",)), by=player)
    before = list(export.sealed_rows(fight.encounter))
    kept = connection.settings_dict["NAME"]
    base = "sqlite://" if connection.vendor == "sqlite" else os.environ["DATABASE_URL"].rpartition("/")[0]
    environment = {
        **os.environ,
        "DATABASE_URL": f"{base}/{kept}",
        "VESPER_DATA": str(settings.DATA_DIR),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-c", KILLED, str(player.pk)]
    ended = subprocess.run(command, cwd=settings.BASE_DIR, env=environment, capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
    assert list(export.sealed_rows(fight.encounter)) == before
    assert Character.objects.get(name="Ilya").owner == player
    assert Membership.objects.filter(user=player).exists()
    # And it can be repeated.
    leaving.delete_account(player)
    assert export.is_whole(fight.encounter)
    assert not User.objects.filter(pk=player.pk).exists()


def test_a_ruleset_that_is_missing_is_no_obstacle(fight: Table, player: Any) -> None:
    fight.do(commands.RollTraits(fight["Ilya"], ("wits",)), by=player)
    type(fight.encounter.chronicle).objects.update(ruleset="gone")
    leaving.delete_account(player)
    assert export.is_whole(fight.encounter)
    assert FORMER in set(LogRow.objects.values_list("actor_name", flat=True))


def test_a_broken_log_is_told_to_the_administrator(fight: Table, player: Any, caplog: Any) -> None:
    fight.do(commands.RollTraits(fight["Ilya"], ("wits",)), by=player)
    LogRow._base_manager.filter(encounter=fight.encounter_id, seq=2).update(events=[])
    caplog.set_level("INFO", "vesper.security")
    leaving.delete_account(player)
    assert f"broken-log-sealed encounter={fight.encounter_id} row=2" in caplog.text
    assert f"account-deleted account={player.pk}" in caplog.text
    assert export.fault_in(fight.encounter).seq == 2


def test_open_pages_are_told(fight: Table, player: Any, storyteller: Any) -> None:
    """The Storyteller's page shows the new seal and the new name, with a version that says so."""
    fight.do(commands.RollTraits(fight["Ilya"], ("wits",)), by=player)
    before = fight.encounter.versions
    leaving.delete_account(player)
    after = fight.encounter.versions
    assert after["storyteller"]["version"] > before["storyteller"]["version"]
    assert list(checking._check_views(fight.encounter)) == [], "no audience is behind its view"
