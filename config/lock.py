"""Whether a server uses the embedded database: each holds a lock beside it, which ends with the process."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # mypy expects a module


class Taken(Exception):
    """Another process holds it."""


@contextlib.contextmanager
def held(database: Path, *, alone: bool, wait: bool = False) -> Iterator[None]:
    """Hold the lock of a database: several servers at once, or one or whoever replaces it `alone`.

    Raises `Taken`, or with `wait` comes when the others have left.

    Where the system knows no such locks, nothing is held and nobody is refused.
    """
    if fcntl is None:
        yield
        return
    descriptor = os.open(f"{database}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            raise Taken from None
        yield
    finally:
        os.close(descriptor)
