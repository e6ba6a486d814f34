"""Latency of one action with many watchers: from the Storyteller's POST until the last socket has its new frame.

    .venv/bin/python bench/live [--sockets 1 10 100 500] [--actions 40] [--events 10] [--players 4]
                                [--browser]

Starts `manage.py serve` on temporary data, and beside it a bare server (`bare.py`) that commits a row durably and sends
the same bytes to as many sockets; they act alternately. The clients are in a separate process (`clients.py`). Prints a
line for each number of sockets: median and 95th percentile of both in milliseconds, the ratio of the medians, and the
server's CPU time per action (user and system, all threads) and memory.
`--browser` adds two browsers, and measures from the Storyteller's click until the other one has painted the change.
"""

# ruff: noqa: T201, E402 (prints its results; sys.path must be set before imports)

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import re
import secrets
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlencode

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[0] = str(ROOT)

from bench.harness import Vesper, free_port, listens
from bench.live import browsers, table
from bench.live.table import CSRF, Reader, Table

WARMING_UP = 3
SOCKETS_OF_A_READER = 10
BLOW = {"amount": 1, "type": "bashing", "reason": ""}
UNHURT = {"bashing": 0, "lethal": 0, "aggravated": 0, "reason": ""}


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of an action with this many sockets. Times in milliseconds, memory in MiB."""

    sockets: int
    ours: list[float]
    theirs: list[float]
    work: float
    memory: float

    HEADING = "sockets      p50     p95    bare p50  bare p95   times   CPU per action  memory"

    def __str__(self) -> str:
        times = statistics.median(self.ours) / statistics.median(self.theirs)
        ours, theirs = (f"{statistics.median(each):7.1f} {_p95(each):7.1f}" for each in (self.ours, self.theirs))
        return f"{self.sockets:7}  {ours}     {theirs}   {times:5.1f}   {self.work:10.1f} ms  {self.memory:4.0f} MiB"


class Clients:
    """The process that holds the sockets."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "clients.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def tell(self, order: str, about: Any = ()) -> Any:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({order: about}) + "\n")
        self.process.stdin.flush()
        return self.heard()

    def heard(self) -> Any:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the clients ended")
        return json.loads(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_problem: object) -> None:
        self.process.kill()
        self.process.wait()


def connected(port: int) -> http.client.HTTPConnection:
    """A keep-alive connection without Nagle's delay."""
    made = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    made.connect()
    made.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


class Storyteller:
    """Acts like a Storyteller's page: on a keep-alive connection, with session cookies and the page's version."""

    def __init__(self, fight: Table, port: int) -> None:
        self.fight, self.port = fight, port
        self.connection = connected(port)
        page = self._ask("GET", f"/encounters/{fight.encounter}/")
        (self.version,) = re.findall(r'id="version" data-version="(\d+)"', page)
        self.hurt = False

    def act(self) -> None:
        """Alternate between a blow and healing it; players, observers and the wall see both."""
        name, said = ("boxes", UNHURT) if self.hurt else ("damage", BLOW)
        page = {"who": self.fight.target, "version": self.version, "key": secrets.token_hex(16), "why": ""}
        sent = urlencode({**said, **page})
        answer = self._ask("POST", f"/encounters/{self.fight.encounter}/do/{name}", sent)
        self.hurt = not self.hurt
        (self.version,) = re.findall(r'id="version" data-version="(\d+)"', answer)

    def _ask(self, method: str, path: str, body: str | None = None) -> str:
        headers = {"Cookie": self.fight.storyteller.cookie, "Origin": f"http://127.0.0.1:{self.port}"}
        if body is not None:
            headers |= {"X-CSRFToken": CSRF, "HX-Request": "true", "Content-Type": "application/x-www-form-urlencoded"}
        self.connection.request(method, path, body and body.encode(), headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if answer.status != http.client.OK:
            raise SystemExit(f"{method} {path}: {answer.status}\n{text[:2000]}")
        return text


class BareActor:
    """Acts on the bare server."""

    def __init__(self, port: int) -> None:
        self.connection = connected(port)

    def act(self) -> None:
        self._post("/act", b"x" * 1000)

    def will_send(self, frames: dict[str, str]) -> None:
        for kind, frame in frames.items():
            self._post(f"/frames/{kind}", frame.encode())

    def _post(self, path: str, body: bytes) -> None:
        self.connection.request("POST", path, body)
        self.connection.getresponse().read()


class Bench:
    """Both servers, their clients, and their actors."""

    def __init__(self, fight: Table, server: Vesper, bare: int, clients: Clients) -> None:
        self.fight, self.server, self.bare, self.clients = fight, server, bare, clients
        self.storyteller, self.other = Storyteller(fight, server.port), BareActor(bare)

    def measure(self, sockets: int, actions: int) -> Cost:
        """Open this many sockets on each server, and let both act alternately."""
        readers = [self.fight.readers[place % len(self.fight.readers)] for place in range(sockets)]
        self.clients.tell("open", [_socket(each, self.server.port) for each in readers])
        self.share_frames()
        self.clients.tell("open", [_socket(each, self.bare, bare=True) for each in readers])
        for _time in range(WARMING_UP):
            self.turn()
        turns = [self.turn() for _time in range(actions)]
        memory = self.server.memory() / 1024**2
        self.clients.tell("close")
        ours, theirs, work = (list(each) for each in zip(*turns, strict=True))
        return Cost(sockets, ours, theirs, 1000 * sum(work) / actions, memory)

    def turn(self) -> tuple[float, float, float]:
        """One action on each: milliseconds of ours and of theirs, and seconds of our CPU time."""
        before = self.server.seconds_of_work()
        ours = self.until_last(self.storyteller, self.server.port)
        work = self.server.seconds_of_work() - before
        self.share_frames()
        return ours, self.until_last(self.other, self.bare), work

    def until_last(self, actor: Storyteller | BareActor, port: int) -> float:
        """Milliseconds from the POST until the last socket has its frame."""
        self.clients.tell("await", [port])
        begun = time.monotonic()
        actor.act()
        return float(1000 * (self.clients.heard()["last"] - begun))

    def share_frames(self) -> None:
        """Make the bare server send the frames that ours sent last."""
        self.other.will_send(self.clients.tell("frames", [self.server.port])["frames"])


def _socket(reader: Reader, port: int, *, bare: bool = False) -> dict[str, Any]:
    path = f"/{reader.audience}" if bare else f"{reader.path}?language=en-gb"
    return {"port": port, "path": path, "cookie": reader.cookie, "kind": reader.audience}


def _p95(values: list[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(0.95 * len(values)))]


@contextlib.contextmanager
def bare_server(folder: str) -> Iterator[int]:
    """The port of a bare server, whose database is also in `folder`."""
    port = free_port()
    process = subprocess.Popen([sys.executable, str(HERE / "bare.py"), str(port), f"{folder}/bare.sqlite3"])
    try:
        while not listens(port):
            if process.poll() is not None:
                raise SystemExit("the bare server did not start")
            time.sleep(0.02)
        yield port
    finally:
        process.kill()
        process.wait()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--sockets", type=int, nargs="+", default=[1, 10, 100, 500])
    asked.add_argument("--actions", type=int, default=40)
    asked.add_argument("--events", type=int, default=10, help="rows in the log at the start")
    asked.add_argument("--players", type=int, default=4)
    asked.add_argument("--browser", action="store_true", help="also measure two browsers, from click to paint")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="vesper-live-") as folder:
        readers = max(SOCKETS_OF_A_READER, -(-max(options.sockets) // SOCKETS_OF_A_READER))
        os.environ["VESPER_DATA"] = folder
        fight = table.prepare(events=options.events, players=options.players, readers=readers)
        print(f"{fight.rows} rows in the log, {options.players} players, {options.actions} actions")
        with Vesper(Path(folder)) as server, bare_server(folder) as bare:
            server.start()
            with Clients() as clients:
                bench = Bench(fight, server, bare, clients)
                print(Cost.HEADING)
                for sockets in options.sockets:
                    print(bench.measure(sockets, options.actions), flush=True)
            if options.browser:
                print(browsers.measure(fight, server, options.actions))


if __name__ == "__main__":
    main()
