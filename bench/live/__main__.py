"""Latency and CPU time of one action with many watchers: from the Storyteller's POST until the last socket has its new
frame.

    .venv/bin/python bench/live [--sockets 1 10 100 500] [--actions 40] [--events 10] [--players 6] [--combatants 10]
                                [--against CHECKOUT] [--long EVENTS] [--browser]

Starts `manage.py serve` on temporary data, and beside it servers that do less: `bare.py` commits a row durably and
sends the same bytes to as many sockets; `lean.py` does so in Django, for a session and its user. They act in turn,
action by action, because only ratios of one run count: a shared machine's speed varies within minutes.
`--against CHECKOUT` adds an earlier version of Vesper from its folder, with the same Python and a fight of its own, and
`--long EVENTS` this version with so many rows in the log. The clients are in a separate process.

Prints for each number of sockets each server's median and 95th percentile in milliseconds, CPU time per action (user
and system, all threads) and memory, and then the ratios of Vesper's medians and CPU times to the others'. Takes five
minutes, twice as long with `--against` and `--long`.
`--browser` adds two browsers, and measures from the Storyteller's click until the other one has painted the change.
"""

# ruff: noqa: T201, E402 (prints its results; sys.path must be set before imports)

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[0] = str(ROOT)

from bench.harness import costs
from bench.harness.clients import Clients
from bench.live import browsers
from bench.live.rivals import Lesser, Rival, Version

WARMING_UP = 3
SOCKETS_OF_A_READER = 10
SETTLING = 0.02
"""Seconds after the last frame that still count as the action's work."""


@dataclass(slots=True)
class Cost:
    """What a server's actions cost: milliseconds until the last frame, and of CPU time, one each per action; MiB."""

    latency: list[float] = field(default_factory=list)
    work: list[float] = field(default_factory=list)
    memory: float = 0

    @property
    def cpu(self) -> float:
        """Milliseconds of CPU time per action, on average."""
        return sum(self.work) / len(self.work)

    def __str__(self) -> str:
        p50, p95 = costs.p50(self.latency), costs.p95(self.latency)
        return f"{p50:8.1f} {p95:8.1f} {self.cpu:8.1f} ms {self.memory:5.0f} MiB"


class Bench:
    """All servers and their clients. The first is compared with the others."""

    HEADING = (
        f"{'sockets':7}  {'server':22} {'p50':>8} {'p95':>8} {'CPU':>8}    {'memory':>9}   p50 and CPU, Vesper's times"
    )

    def __init__(self, rivals: Sequence[Rival], clients: Clients) -> None:
        self.rivals, self.clients = rivals, clients

    def measure(self, sockets: int, actions: int) -> list[str]:
        """Open this many sockets on each server, and let all act in turn. A line for each."""
        for rival in self.rivals:
            self.share_frames()
            self.clients.tell("open", [rival.socket(place) for place in range(sockets)])
        for _time in range(WARMING_UP):
            self.turn({})
        found = {rival.name: Cost() for rival in self.rivals}
        for _time in range(actions):
            self.turn(found)
        for rival in self.rivals:
            found[rival.name].memory = costs.memory(rival.pid) / 1024**2
        self.clients.tell("close")
        return self.lines(sockets, found)

    def lines(self, sockets: int, found: dict[str, Cost]) -> list[str]:
        """A line for each server, with the ratios to the first."""
        first, *others = [rival.name for rival in self.rivals]
        ours = found[first]
        told = [f"{sockets:7}  {first:22} {ours}"]
        for name in others:
            theirs = found[name]
            latency = costs.ratio(costs.p50(ours.latency), costs.p50(theirs.latency))
            told.append(f"{sockets:7}  {name:22} {theirs}   {latency:>6} {costs.ratio(ours.cpu, theirs.cpu):>6}")
        return told

    def turn(self, found: dict[str, Cost]) -> None:
        """One action on each, added to what was `found`."""
        for rival in self.rivals:
            self.share_frames(rival)
            before = costs.seconds_of_work(rival.pid)
            latency = self.until_last(rival)
            time.sleep(SETTLING)
            work = costs.seconds_of_work(rival.pid) - before
            if cost := found.get(rival.name):
                cost.latency.append(latency)
                cost.work.append(1000 * work)

    def until_last(self, rival: Rival) -> float:
        """Milliseconds from the POST until the last socket has its frame."""
        self.clients.tell("await", [rival.port])
        begun = time.monotonic()
        rival.act()
        return float(1000 * (self.clients.heard()["last"] - begun))

    def share_frames(self, *rivals: Rival) -> None:
        """Tell the servers that need it, or these, the frames that the first one sent last."""
        frames = self.clients.tell("frames", [self.rivals[0].port])["frames"]
        for rival in rivals or self.rivals:
            rival.be_told(frames)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--sockets", type=int, nargs="+", default=[1, 10, 100, 500])
    asked.add_argument("--actions", type=int, default=40)
    asked.add_argument("--events", type=int, default=10, help="rows in the log at the start")
    asked.add_argument("--players", type=int, default=6)
    asked.add_argument("--combatants", type=int, default=10)
    asked.add_argument("--against", type=Path, help="the checkout of another version, to take turns with")
    asked.add_argument("--long", type=int, help="also this version with so many rows in the log")
    asked.add_argument("--browser", action="store_true", help="also measure two browsers, from click to paint")
    options = asked.parse_args()
    readers = max(SOCKETS_OF_A_READER, -(-max(options.sockets) // SOCKETS_OF_A_READER))
    fight = {"events": options.events, "players": options.players, "combatants": options.combatants, "readers": readers}
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="vesper-live-")))
        ours = Version("Vesper", folder / "ours", ROOT, fight)
        rivals: list[Rival] = [stack.enter_context(ours)]
        if options.against:
            earlier = Version("the other version", folder / "against", options.against.resolve(), fight)
            rivals.append(stack.enter_context(earlier))
        if options.long:
            longer = Version(f"with {options.long} rows", folder / "long", ROOT, {**fight, "events": options.long})
            rivals.append(stack.enter_context(longer))
        rivals += [stack.enter_context(Lesser(name, f"{name}.py", folder, ours)) for name in ("lean", "bare")]
        players, combatants = options.players, options.combatants
        rows = ours.fight.rows
        print(f"{rows} rows in the log, {players} players, {combatants} combatants, {options.actions} actions")
        with Clients() as clients:
            bench = Bench(rivals, clients)
            print(Bench.HEADING)
            for sockets in options.sockets:
                print("\n".join(bench.measure(sockets, options.actions)), flush=True)
        if options.browser:
            print(browsers.measure(ours.fight, ours.server, options.actions))


if __name__ == "__main__":
    main()
