"""Serves Vesper with daphne until it is stopped."""

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
    """Raise the limit of open files: each socket is one, and many systems start with a thousand but allow far more."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


LONGEST_TURN = 0.003
"""Thread switch interval in seconds: how long a busy thread can delay the event loop, which serves all sockets.

Shorter turns make a busy server slower: an answer is mostly rendered in one, and the next thread runs on another
processor, whose caches are cold.
"""


ALLOCATED = (50_000, 20, 20)
"""Objects after which the collector looks at the newest ones, and how many such looks make it look at older ones."""


def keep_what_is_loaded() -> None:
    """Freeze everything loaded so far, as it lives as long as the process.

    Otherwise each full garbage collection would scan it, and stop everything for a tenth of a second. Nearly all that
    an action allocates is freed without the collector, which therefore looks for cycles less often than by default.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*ALLOCATED)


M_MMAP_THRESHOLD = -3


def give_memory_back() -> None:
    """Make glibc return large allocations to the system when they are freed, also on long-lived threads.

    By default it raises its threshold each time something larger is freed. Other systems don't need this.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, 1024 * 1024)


def serve(application: Any, host: str, port: int, ready: Any, gate: Gate | None = None) -> bool:
    """Serve until stopped. Returns whether it ever listened."""
    allow_many_sockets()
    give_memory_back()
    keep_what_is_loaded()
    sys.setswitchinterval(LONGEST_TURN)
    server = GracefulServer(
        application,
        gate=gate or Gate(),
        endpoints=[f"tcp:port={port}:interface={host.strip('[]').replace(':', chr(92) + ':')}"],
        # A fight may last longer than a day, and a socket closed for its age would not reconnect by itself.
        websocket_timeout=-1,
        # Pages only send heartbeats. What they receive has its own limit (`config/sockets.py`).
        websocket_max_message_size=LONGEST_RECEIVED,
        websocket_max_frame_size=LONGEST_RECEIVED,
        # No access log: the paths of invitations are secrets.
        action_logger=None,
        server_name="",
        ready_callable=ready,
    )
    server.run()
    return not server.abort_start
