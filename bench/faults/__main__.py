"""Fault injection: breaks a real server in every way that can happen in play, and checks that nobody is misinformed.

    .venv/bin/python bench/faults kill [--actions 10000] [--stops 40] [--postgres]
    .venv/bin/python bench/faults lossy [--actions 2000] [--stops 20] [--postgres]
    .venv/bin/python bench/faults controls [--postgres]
    .venv/bin/python bench/faults outage|redis|postgres|cut|disk|hostile|signing-in|uploads|aging|awards

`kill`: kill -9 of the server while sixteen people act as fast as they can; PostgreSQL keeps running, without fsync.
`lossy`: a channel layer that loses a third of its messages, duplicates a tenth and delays half.
`controls`: four servers broken on purpose, each of which must be detected (`bench/faults/sabotage.py`).
`outage`: one of two server processes killed, then the other. `redis`, `postgres`: stopped and restarted under two
processes. `cut`: the network drops everything for half a minute. `disk`: it is full. During these, a browser at the
Storyteller's desk records what it shows. `hostile`: sockets that read nothing, open by the thousand, or send garbage.
`signing-in`: forty people who sign in or sign up without a pause, and the same without the password queue, which must
be detected.
`uploads`: strangers who flood the server with request bodies, members who keep uploading pictures.
`aging`: kill -9 while time passes for twenty characters, which must be for all of them or for none.
`awards`: kill -9 during awards of experience to eight characters: all get it, or nobody.

Exits with 1 if anything was wrong. Loopback only; stops everything it starts.
"""

# ruff: noqa: T201, E402 (prints its results; sys.path must be set before imports)

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[0] = str(ROOT)
sys.path.append(str(ROOT / "script"))

from bench.faults import (
    aging,
    awarding,
    cutting,
    disk,
    hostile,
    killing,
    postgres_away,
    processes,
    redis_away,
    signing_in,
    uploads,
)
from bench.harness import Vesper
from script.test_servers import Postgres, Redis

OUTAGES = {
    "outage": processes,
    "redis": redis_away,
    "postgres": postgres_away,
    "cut": cutting,
    "disk": disk,
    "hostile": hostile,
    "signing-in": signing_in,
    "uploads": uploads,
    "aging": aging,
    "awards": awarding,
}
CONTROLS = {"keyless": "twice", "pushed,lossy": "diverged", "early": "lost", "untold": "sheet"}
"""What is broken, and the fault that must be detected."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, actions, stops in (("kill", 10_000, 40), ("lossy", 2_000, 20), ("controls", 60, 1)):
        command = commands.add_parser(name)
        command.add_argument("--actions", type=int, default=actions)
        command.add_argument(
            "--stops", type=int, default=stops, help="how often to kill the server, or to compare all pages"
        )
        command.add_argument("--postgres", action="store_true", help="use temporary PostgreSQL and Redis servers")
    for name, module in OUTAGES.items():
        commands.add_parser(name, help=(module.__doc__ or "").partition(".")[0])
    asked = parser.parse_args()
    if asked.command in OUTAGES:
        sys.exit(_outage(asked.command))
    sys.exit(not (controls(asked) if asked.command == "controls" else hurt(asked)))


def hurt(asked: argparse.Namespace) -> bool:
    """Run `kill` or `lossy`. Returns whether nothing was wrong."""
    kill = asked.command == "kill"
    with servers("" if kill else "lossy", postgres=asked.postgres) as server:
        report = asyncio.run(killing.run(server, actions=asked.actions, stops=asked.stops, kill=kill, say=_say))
    _say(str(report))
    for fault in report.faults:
        _say(f"  {fault}")
    return not report.faults


def controls(asked: argparse.Namespace) -> bool:
    """Whether each broken server is detected."""
    found = []
    for faults, word in CONTROLS.items():
        with servers(faults, postgres=asked.postgres) as server:
            run = killing.run(server, actions=asked.actions, stops=asked.stops, kill=faults == "early", lost_in=4)
            report = asyncio.run(run)
        found.append(report.count(word))
        _say(f"{faults}: {found[-1]} {word} ({report})")
    return all(found)


def _outage(name: str) -> bool:
    """Run one of the outages. Returns whether anything was wrong."""
    with tempfile.TemporaryDirectory(prefix="vesper-faults-") as folder:
        reports = asyncio.run(OUTAGES[name].run(Path(folder)))
    for report in reports:
        _say(str(report))
    return not all(report.ok for report in reports)


@contextlib.contextmanager
def servers(faults: str, *, postgres: bool) -> Iterator[Vesper]:
    """A server with these faults, not yet started, on temporary databases."""
    with contextlib.ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vesper-faults-")))
        urls = {}
        if postgres:
            urls = {"database": stack.enter_context(Postgres()).first, "redis": stack.enter_context(Redis()).url}
        broken = {"DJANGO_SETTINGS_MODULE": "bench.faults.settings", "VESPER_FAULTS": faults} if faults else {}
        yield stack.enter_context(Vesper(data, environment=broken, **urls))


def _say(line: str) -> None:
    print(line, flush=True)


if __name__ == "__main__":
    main()
