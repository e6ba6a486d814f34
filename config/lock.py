"""File lock on the embedded database: each server holds it, and the system releases it when the process ends."""

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
    """Another process holds the lock."""


@contextlib.contextmanager
def held(database: Path, *, alone: bool, wait: bool = False) -> Iterator[None]:
    """Hold a database's lock: shared among servers, or exclusive (`alone`) for a single server or a restore.

    Raises `Taken` if it is held, or with `wait` blocks until it is free.

    On systems without such locks, nothing is held and nobody is refused.
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
