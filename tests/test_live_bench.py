"""`bench/live` and `bench/tables` run. Tests don't judge what they measure."""

from __future__ import annotations

import os
import subprocess
import sys

from django.conf import settings


def run(*command: str) -> list[str]:
    """The lines that a measurement prints."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=settings.BASE_DIR,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_all_servers_take_turns_and_are_compared() -> None:
    against = ("--against", str(settings.BASE_DIR))
    first, _heading, *lines = run("bench/live", "--sockets", "2", "--actions", "2", "--events", "20", *against)
    assert first.startswith("20 rows in the log, 6 players, 10 combatants")
    ours, *others = lines
    assert [line[9:31].strip() for line in lines] == ["Vesper", "the other version", "lean", "bare"]
    for line in lines:
        p50, p95, cpu, _milliseconds, memory, _mebibytes, *ratios = line[31:].split()
        assert 0 < float(p50) <= float(p95)
        assert float(cpu) > 0
        assert float(memory) > 0
        assert len(ratios) == (0 if line == ours else 2)
        assert all(float(ratio) > 0 for ratio in ratios)
    assert all(line.startswith("      2") for line in others)


def test_many_tables_act() -> None:
    opened, _heading, line = run("bench/tables", "--tables", "2", "--rates", "4", "--seconds", "2")
    assert opened.startswith("Vesper, 1: 2 tables open, ")
    rate, *_name, achieved, p50, p95, cpu, _milliseconds = line.split()
    assert rate == "4.0"
    assert float(achieved.removesuffix("/s")) > 0
    assert 0 < float(p50) <= float(p95)
    assert float(cpu) > 0
