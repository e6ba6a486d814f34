"""`bench/live` runs. Tests don't judge what it measures."""

from __future__ import annotations

import os
import subprocess
import sys

from django.conf import settings


def test_it_drives_the_server_and_the_bare_one_and_prints_what_they_cost() -> None:
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    done = subprocess.run(
        [sys.executable, "bench/live", "--sockets", "2", "--actions", "2", "--events", "20"],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    first, _heading, line = done.stdout.splitlines()
    assert first.startswith("20 rows in the log")
    sockets, p50, p95, bare_p50, bare_p95, times, work, _milliseconds, memory, _mebibytes = line.split()
    assert sockets == "2"
    assert 0 < float(bare_p50) <= float(bare_p95)
    assert 0 < float(p50) <= float(p95)
    assert float(times) > 0
    assert float(work) > 0
    assert float(memory) > 0
