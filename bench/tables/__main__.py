"""Many tables at once: twenty fights in twenty chronicles, with six people's screens each, and actions at a given rate.

    .venv/bin/python bench/tables [--rates 10 20 30 40] [--seconds 12] [--tables 20] [--processes 1 [2]] [--sticky]
                                  [--evenly] [--postgres] [--against CHECKOUT]

Starts `manage.py serve` on temporary data: one process with SQLite, or two with the same database and Redis, where each
socket and press goes to any of the two; with `--sticky` all of a fight go to the same. `--postgres` uses a temporary
PostgreSQL. With `--processes 1 2` both are measured, and with `--against CHECKOUT` an earlier version too, all with the
same actions: they take turns every few seconds, because only ratios of one run count.

Actions are due at random moments, as those of people who don't know of each other, or `--evenly` spaced; the tables
act in turn. Latency is counted from when an action was due until the last of its table's six screens has it, so it
includes waiting for the table's previous action. Prints for each rate: actions per second achieved, median and 95th
percentile in milliseconds, CPU time per action of all server processes, and the ratios of two processes to one and of
this version to the other; at the start, the memory that each opened table takes. Takes two minutes for each contender,
and longer if it can't keep up.
"""

# ruff: noqa: T201, E402 (prints its results; sys.path must be set before imports)

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[0] = str(ROOT)
sys.path.append(str(ROOT / "script"))

from bench.harness import costs
from bench.tables.contenders import Contender, Result
from bench.tables.load import arrivals

TURNS = 4
"""Into how many turns the seconds at a rate are split."""
NEW, OLD = "Vesper", "other version"
HEADING = "rate  version, processes       achieved      p50      p95      CPU"


def contenders(options: argparse.Namespace, folder: Path) -> Iterator[Contender]:
    """All combinations of versions and numbers of processes."""
    versions = {NEW: ROOT} | ({OLD: options.against.resolve()} if options.against else {})
    for version, root in versions.items():
        for processes in options.processes:
            yield Contender(
                folder,
                version=version,
                root=root,
                processes=processes,
                tables=options.tables,
                sticky=options.sticky and processes > 1,
                postgres=options.postgres,
            )


async def measure(rivals: Sequence[Contender], rate: float, seconds: float, *, evenly: bool) -> list[str]:
    """Let all act at this rate, in turn. A line for each."""
    results = {(rival.version, rival.processes): Result() for rival in rivals}
    for _turn in range(TURNS):
        due = list(arrivals(rate, seconds / TURNS, evenly=evenly))
        for rival in rivals:
            await rival.act(due, results[rival.version, rival.processes])
    told = []
    for rival in rivals:
        result = results[rival.version, rival.processes]
        p50, p95 = costs.p50(result.latency), costs.p95(result.latency)
        line = f"{rate:4}  {rival.name:22} {result.achieved:7.1f}/s {p50:8.1f} {p95:8.1f} {result.cpu:8.1f} ms"
        if rival.processes > 1 and (one := results.get((rival.version, 1))):
            line += f"   2/1: {_ratios(result, one)}"
        if rival.version == OLD:
            line += f"   new/old: {_ratios(results[NEW, rival.processes], result)}"
        told.append(line)
    return told


def _ratios(one: Result, other: Result) -> str:
    latency = costs.ratio(costs.p50(one.latency), costs.p50(other.latency))
    return f"p50 {latency}, CPU {costs.ratio(one.cpu, other.cpu)}"


async def run(options: argparse.Namespace) -> None:
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vesper-tables-")))
        rivals = []
        for rival in contenders(options, folder):
            rivals.append(await stack.enter_async_context(rival))
            print(f"{rival.name}: {options.tables} tables open, {rival.per_table:.2f} MiB each", flush=True)
        print(HEADING)
        for rate in options.rates:
            print("\n".join(await measure(rivals, rate, options.seconds, evenly=options.evenly)), flush=True)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--rates", type=float, nargs="+", default=[10, 20, 30, 40], help="actions per second")
    asked.add_argument("--seconds", type=float, default=12, help="how long to act at each rate")
    asked.add_argument("--tables", type=int, default=20)
    asked.add_argument("--processes", type=int, nargs="+", default=[1], choices=[1, 2])
    asked.add_argument("--sticky", action="store_true", help="with two: send what belongs to a fight to one of them")
    asked.add_argument("--evenly", action="store_true", help="actions are due at regular intervals")
    asked.add_argument("--postgres", action="store_true", help="use temporary PostgreSQL servers instead of SQLite")
    asked.add_argument("--against", type=Path, help="the checkout of another version, to take turns with")
    asyncio.run(run(asked.parse_args()))


if __name__ == "__main__":
    main()
