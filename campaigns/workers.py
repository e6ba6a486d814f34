"""Work in a process of its own, at low priority: it takes no time from fights, and may end at any moment.

Each piece of work has a folder. The process holds a lock in it as long as it lives, however it ends, so any server
process can tell. The work says how far it is in a file of the folder, and ends early if somebody puts a file `stop`
there.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

try:
    import fcntl
    import resource
except ImportError:  # Windows
    fcntl = resource = None  # type: ignore[assignment]  # mypy expects modules

LOCK, PROGRESS, STOP = "lock", "progress", "stop"
NICE = 10

_started: dict[Path, subprocess.Popen[bytes]] = {}
"""The processes that this one has started: without file locks, only these are known."""

_here = threading.Lock()
"""Held by the thread of this process that is in :func:`one_at_a_time`."""


class Stopped(Exception):
    """Somebody stopped the work."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a piece of work is: `done` of `total`, in its own unit."""

    done: int
    total: int

    @property
    def percent(self) -> int:
        """The same in per cent, 99 at most: only the end is the end."""
        return min(99, 100 * self.done // self.total) if self.total else 0


def start(folder: Path, *command: str) -> None:
    """Start `manage.py` with this command for the work in a folder."""
    for old in (STOP, PROGRESS):
        (folder / old).unlink(missing_ok=True)
    program = [sys.executable, str(settings.BASE_DIR / "manage.py"), *command]
    with open(folder / LOCK, "wb") as lock:
        held = []
        if fcntl is not None:
            # The child inherits it: there is no moment in which nobody holds it.
            fcntl.flock(lock, fcntl.LOCK_EX)
            held = [lock.fileno()]
        process = subprocess.Popen(
            program, pass_fds=held, stdin=subprocess.DEVNULL, start_new_session=True, cwd=settings.BASE_DIR
        )
    _started[folder] = process
    threading.Thread(target=_reap, args=(folder, process), daemon=True).start()


def is_alive(folder: Path) -> bool:
    """Whether a process works in this folder."""
    if fcntl is None:
        return folder in _started
    try:
        lock = open(folder / LOCK, "rb")  # noqa: SIM115  # closed below
    except OSError:
        return False
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
        return False


def stop(folder: Path) -> None:
    """Ask the process in this folder to end: it does so when it next tells how far it is."""
    with contextlib.suppress(OSError):
        (folder / STOP).touch()


def progress(folder: Path) -> Progress:
    """How far the work in a folder is."""
    try:
        done, total = map(int, (folder / PROGRESS).read_text().split())
    except (OSError, ValueError):
        return Progress(0, 0)
    return Progress(done, total)


class Teller:
    """Says how far the work in a folder is, for the process that does it. Raises `Stopped` once that is wanted."""

    def __init__(self, folder: Path, total: int = 0) -> None:
        self._folder = folder
        self._done = 0
        self._said = -1
        self.total = total

    def __call__(self, more: int) -> None:
        self._done += more
        percent = 100 * self._done // self.total if self.total else 0
        if percent == self._said:
            return
        self._said = percent
        if (self._folder / STOP).exists():
            raise Stopped
        write(self._folder / PROGRESS, f"{self._done} {self.total}")


def write(path: Path, text: str) -> None:
    """Write a file as a whole: a process that reads it meanwhile gets the last one."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(text)
    new.replace(path)


def be_humble() -> None:
    """Lower this process's priority."""
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)


def limit_memory(most: int) -> None:
    """Limit this process's memory to so many bytes: what needs more fails with `MemoryError`."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


@contextlib.contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Let one thread of all server processes at a time do something with the pieces of work in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with _here, open(folder / LOCK, "wb") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _reap(folder: Path, process: subprocess.Popen[bytes]) -> None:
    process.wait()
    if _started.get(folder) is process:
        del _started[folder]
