"""Hurts a real server in every way that an evening can, and looks whether anybody was told something untrue.

    .venv/bin/python bench/faults kill [--actions 10000] [--stops 40] [--postgres]
    .venv/bin/python bench/faults lossy [--actions 2000] [--stops 20] [--postgres]
    .venv/bin/python bench/faults controls [--postgres]
    .venv/bin/python bench/faults outage|redis|postgres|cut|disk|hostile|signing-in|uploads

`kill`: kill -9 of the server under sixteen people who act as fast as they can; PostgreSQL goes on meanwhile, and need
not wait for the disk. `lossy`: a channel layer that loses a third of its messages, doubles a tenth and delays half.
`controls`: four servers that are broken on purpose, each of which has to be found out (`bench/faults/sabotage.py`).
`outage`: one of two server processes killed, then the other. `redis`, `postgres`: stopped and started again under two
processes. `cut`: the network swallows everything for half a minute. `disk`: it is full. A browser at the Storyteller's
desk is asked what it says meanwhile. `hostile`: sockets that read nothing, come by the thousand, or send rubbish.
`signing-in`: forty people who sign in or up as fast as they are answered, and the same without the queue for passwords,
which has to be found out.
`uploads`: strangers who pour bodies into it, members who keep sending pictures.

Ends with 1 where something was wrong. Loopback only; what it starts it ends.
"""

# ruff: noqa: T201, E402 (its result is what it prints; the repository first has to be found)

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

from bench.faults import cutting, disk, hostile, killing, postgres_away, processes, redis_away, signing_in, uploads
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
}
CONTROLS = {"keyless": "twice", "pushed,lossy": "diverged", "early": "lost", "untold": "sheet"}
"""What is broken, and the fault that has to be found."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, actions, stops in (("kill", 10_000, 40), ("lossy", 2_000, 20), ("controls", 60, 1)):
        command = commands.add_parser(name)
        command.add_argument("--actions", type=int, default=actions)
        command.add_argument("--stops", type=int, default=stops, help="how often to kill, or to compare all pages")
        command.add_argument("--postgres", action="store_true", help="on PostgreSQL and Redis, started for it")
    for name, module in OUTAGES.items():
        commands.add_parser(name, help=(module.__doc__ or "").partition(".")[0])
    asked = parser.parse_args()
    if asked.command in OUTAGES:
        sys.exit(_outage(asked.command))
    sys.exit(not (controls(asked) if asked.command == "controls" else hurt(asked)))


def hurt(asked: argparse.Namespace) -> bool:
    """Whether nothing is wrong after a run of `kill` or `lossy`."""
    kill = asked.command == "kill"
    with servers("" if kill else "lossy", postgres=asked.postgres) as server:
        report = asyncio.run(killing.run(server, actions=asked.actions, stops=asked.stops, kill=kill, say=_say))
    _say(str(report))
    for fault in report.faults:
        _say(f"  {fault}")
    return not report.faults


def controls(asked: argparse.Namespace) -> bool:
    """Whether each broken server is found out."""
    found = []
    for faults, word in CONTROLS.items():
        with servers(faults, postgres=asked.postgres) as server:
            run = killing.run(server, actions=asked.actions, stops=asked.stops, kill=faults == "early", lost_in=4)
            report = asyncio.run(run)
        found.append(report.count(word))
        _say(f"{faults}: {found[-1]} {word} ({report})")
    return all(found)


def _outage(name: str) -> bool:
    """Whether anything was wrong with how it was survived."""
    with tempfile.TemporaryDirectory(prefix="vesper-faults-") as folder:
        reports = asyncio.run(OUTAGES[name].run(Path(folder)))
    for report in reports:
        _say(str(report))
    return not all(report.ok for report in reports)


@contextlib.contextmanager
def servers(faults: str, *, postgres: bool) -> Iterator[Vesper]:
    """A server that does not run yet, on databases of its own, and broken in these ways."""
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
