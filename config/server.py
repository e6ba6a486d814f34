"""Serves Vesper by daphne until it is told to stop."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
from typing import Any

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]  # mypy expects a module

from config.daphne_internals import Gate, GracefulServer
from config.sockets import LONGEST_RECEIVED

MOST_FILES = 65536


def allow_many_sockets() -> None:
    """Each socket is an open file, and many systems begin with a thousand of them although they allow far more."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


LONGEST_TURN = 0.001
"""Seconds that a thread which works something out keeps the loop, which has all sockets, waiting."""


def keep_what_is_loaded() -> None:
    """What was loaded until now lives as long as the process.

    To look through it again for what nobody needs any more would stop everything for a tenth of a second.
    """
    gc.collect()
    gc.freeze()


M_MMAP_THRESHOLD = -3


def give_memory_back() -> None:
    """Have what was large go back to the system as soon as it is done with, also on threads that live on.

    glibc keeps more of it for itself each time that something larger is freed. Other systems need not be told.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, 1024 * 1024)


def serve(application: Any, host: str, port: int, ready: Any, gate: Gate | None = None) -> bool:
    """Serves until it is told to stop. Returns whether it ever listened."""
    allow_many_sockets()
    give_memory_back()
    keep_what_is_loaded()
    sys.setswitchinterval(LONGEST_TURN)
    server = GracefulServer(
        application,
        gate=gate or Gate(),
        endpoints=[f"tcp:port={port}:interface={host.strip('[]').replace(':', chr(92) + ':')}"],
        # A fight may last longer than a day, and a socket closed for its age would not come back by itself.
        websocket_timeout=-1,
        # Pages send heartbeats and nothing else; what they are sent is not held to this (`config/sockets.py`).
        websocket_max_message_size=LONGEST_RECEIVED,
        websocket_max_frame_size=LONGEST_RECEIVED,
        # No list of what was asked for: the paths of invitations are secrets.
        action_logger=None,
        server_name="",
        ready_callable=ready,
    )
    server.run()
    return not server.abort_start
