"""The processes of forecasts: however one ends, nothing is left behind, and its page says what happened."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from campaigns import workers
from combat.desk.forecast import runs
from combat.desk.forecast.question import Question, WhatIf
from combat.desk.forecast.runs import Stage
from tests.combat.conftest import Table

pytestmark = pytest.mark.django_db

PATIENCE = 120
TOO_LITTLE = 90 * 1024**2
"""Bytes of address space in which Vesper loads, but plays no fights."""


def until(condition: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def is_there(pid: int) -> bool:
    """Whether a process is in the process table; those that have ended and wait for their parent aren't."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def begun(table: Table, seed: int = 1) -> int:
    """The number of the process of a forecast that has played its first fights."""
    runs.start(table.encounter_id, Question.about(table.encounter, {}, WhatIf(), seed))
    pid = workers._started[runs.folder_of(table.encounter_id)].pid
    until(lambda: look(table).fights, "no fight was played")
    return pid


def look(table: Table) -> runs.Run:
    found = runs.look(table.encounter_id)
    assert found is not None
    return found


def test_it_plays_while_it_is_watched_and_ends_when_stopped(draft: Table) -> None:
    pid = begun(draft)
    run = look(draft)
    assert run.stage is Stage.PLAYING
    assert run.goal == runs.STEPS[0]
    assert os.getpriority(os.PRIO_PROCESS, pid) >= workers.NICE
    until(lambda: look(draft).fights > run.fights, "no more fights were played")
    runs.stop(draft.encounter_id)
    assert look(draft).stage is Stage.STOPPED
    assert look(draft).fights >= run.fights
    until(lambda: not is_there(pid), "it is still there")


def test_a_new_one_takes_its_place(draft: Table) -> None:
    first = begun(draft, seed=1)
    second = begun(draft, seed=2)
    assert look(draft).seed == 2
    until(lambda: not is_there(first), "the first is still there")
    assert is_there(second)
    runs.stop(draft.encounter_id)


def test_it_ends_when_nobody_watches(draft: Table) -> None:
    pid = begun(draft)
    long_ago = time.time() - runs.UNWATCHED - 1
    os.utime(runs.folder_of(draft.encounter_id) / runs.WATCHED, (long_ago, long_ago))
    until(lambda: not is_there(pid), "it is still there")
    assert look(draft).stage is Stage.UNWATCHED
    assert look(draft).fights


def test_a_killed_one_says_so_and_is_started_again(
    draft: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    pid = begun(draft)
    os.kill(pid, signal.SIGKILL)
    until(lambda: look(draft).stage is Stage.CUT_OFF, "nobody noticed")
    page = signed_in(storyteller).get(f"/encounters/{draft.encounter_id}/forecast/").content.decode()
    assert "It was interrupted" in page
    assert "How it ends" in page
    assert is_there(begun(draft, seed=2))
    runs.stop(draft.encounter_id)


def test_it_ends_without_enough_memory(draft: Table) -> None:
    folder = prepared(draft)
    workers.start(folder, "run_forecast", str(folder), "--server", str(os.getpid()), "--memory", str(TOO_LITTLE))
    pid = workers._started[folder].pid
    until(lambda: not is_there(pid), "it is still there")
    assert look(draft).stage is Stage.CUT_OFF


def test_it_ends_with_the_server(draft: Table) -> None:
    """A server that is killed can't tell it to."""
    folder = prepared(draft)
    start = (
        "import os, subprocess, sys, time\n"
        f"command = [sys.executable, 'manage.py', 'run_forecast', {str(folder)!r}, '--server', str(os.getpid())]\n"
        "print(subprocess.Popen(command, start_new_session=True).pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    command = [sys.executable, "-c", start]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=settings.BASE_DIR) as server:
        assert server.stdout is not None
        pid = int(server.stdout.readline())
        until((folder / runs.TALLIES).exists, "no fight was played")
        server.kill()
    until(lambda: not is_there(pid), "it is still there")
    assert look(draft).stage is Stage.CUT_OFF


def prepared(table: Table) -> Path:
    """The folder of a forecast whose process has still to be started."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "start", lambda *_said: None)
        runs.start(table.encounter_id, Question.about(table.encounter, {}, WhatIf(), 1))
    return runs.folder_of(table.encounter_id)
