"""What a process costs: its CPU time and memory, and how measured values are summed up."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Sequence
from pathlib import Path


def seconds_of_work(pid: int) -> float:
    """A process's CPU time in seconds, over all its threads, ended ones too. To the nanosecond, unlike `/proc`."""
    # Linux's clock of another process: clock_getcpuclockid(3).
    return time.clock_gettime((~pid << 3) | 2)


def memory(pid: int) -> int:
    """A process's resident memory in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def p50(values: Sequence[float]) -> float:
    """The median; 0 if there are none."""
    return statistics.median(values) if values else 0.0


def p95(values: Sequence[float]) -> float:
    """The 95th percentile; 0 if there are none."""
    return sorted(values)[min(len(values) - 1, int(0.95 * len(values)))] if values else 0.0


def ratio(one: float, other: float) -> str:
    """How many times `other` it is, as text with three significant digits."""
    return f"{one / other:#.3g}".rstrip(".") if other else "-"
