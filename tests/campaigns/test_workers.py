"""Processes that work beside the server: alive while they live, however they end, and never for longer."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from campaigns import workers
from campaigns.workers import Progress, Stopped, Teller

SLEEP = "import os, pathlib, time; pathlib.Path({path!r}).write_text(str(os.getpid())); time.sleep(60)"


@pytest.fixture
def asleep(tmp_path: Path) -> Iterator[int]:
    """The process id of work that takes a minute."""
    told = tmp_path / "pid"
    workers.start(tmp_path, "shell", "-v", "0", "-c", SLEEP.format(path=str(told)))
    assert workers.is_alive(tmp_path)
    deadline = time.monotonic() + 60
    while not (told.exists() and told.read_text()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    pid = int(told.read_text())
    yield pid
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def test_it_is_alive_until_it_is_killed(asleep: int, tmp_path: Path) -> None:
    assert workers.is_alive(tmp_path)
    os.kill(asleep, signal.SIGKILL)
    deadline = time.monotonic() + 30
    while workers.is_alive(tmp_path):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert not Path(f"/proc/{asleep}").exists() or time.monotonic() < deadline


def test_a_folder_in_which_nothing_was_started_is_not_alive(tmp_path: Path) -> None:
    assert not workers.is_alive(tmp_path)
    assert not workers.is_alive(tmp_path / "missing")


def test_it_tells_how_far_it_is(tmp_path: Path) -> None:
    tell = Teller(tmp_path, 200)
    tell(50)
    assert workers.progress(tmp_path) == Progress(50, 200)
    assert workers.progress(tmp_path).percent == 25
    tell(500)
    assert workers.progress(tmp_path).percent == 99
    assert workers.progress(tmp_path / "missing").percent == 0


def test_it_ends_when_it_is_stopped(tmp_path: Path) -> None:
    tell = Teller(tmp_path, 4)
    tell(1)
    workers.stop(tmp_path)
    with pytest.raises(Stopped):
        tell(1)
