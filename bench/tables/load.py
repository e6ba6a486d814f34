"""Actions at a given rate on many tables, and how long each takes until the last of its table's screens has it."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from bench.harness.clients import Client, Gone
from bench.harness.presses import Storyteller

CHANCE = secrets.SystemRandom()

LONGEST_WAIT = 60.0
"""Seconds after which an action counts as lost, which ends the run."""


class Seats:
    """A table's sockets and its Storyteller. Its actions run one after the other."""

    def __init__(self, sockets: Sequence[dict[str, Any]], storyteller: Storyteller, ports: Sequence[int]) -> None:
        self.storyteller, self.ports = storyteller, ports
        self.clients = [Client(**socket) for socket in sockets]
        self.turn = asyncio.Lock()
        self._lacking: dict[Client, int] = {}
        self._all_have_it = asyncio.Event()
        self._problem: Exception | None = None
        for client in self.clients:
            asyncio.get_running_loop().add_reader(client.connection, self._read, client)

    def _read(self, client: Client) -> None:
        try:
            client.read()
        except (Gone, OSError) as problem:
            asyncio.get_running_loop().remove_reader(client.connection)
            self._problem = problem
            self._all_have_it.set()
            return
        if client.frames > self._lacking.get(client, client.frames):
            del self._lacking[client]
            if not self._lacking:
                self._all_have_it.set()

    async def first_frames(self) -> None:
        """Wait until each socket has its first frame."""
        async with asyncio.timeout(LONGEST_WAIT):
            await self._frames({client: 0 for client in self.clients if not client.frames})

    async def act(self, presses: ThreadPoolExecutor) -> None:
        """Press, and wait until all screens have it. Waits for the table's earlier actions first."""
        async with self.turn, asyncio.timeout(LONGEST_WAIT):
            waiting = asyncio.ensure_future(self._frames({client: client.frames for client in self.clients}))
            await asyncio.sleep(0)  # it must wait before the press
            port = CHANCE.choice(self.ports)
            await asyncio.get_running_loop().run_in_executor(presses, self.storyteller.act, port)
            await waiting

    async def _frames(self, lacking: dict[Client, int]) -> None:
        self._lacking = lacking
        self._all_have_it.clear()
        if lacking:
            await self._all_have_it.wait()
        if self._problem:
            raise SystemExit(f"a server closed a socket: {self._problem!r}")

    def leave(self) -> None:
        """Close the sockets."""
        for client in self.clients:
            asyncio.get_running_loop().remove_reader(client.connection)
            client.connection.close()


def arrivals(rate: float, seconds: float, *, evenly: bool) -> Iterator[float]:
    """The seconds at which actions are due: evenly spaced, or like those of people who don't know of each other."""
    due = 0.0
    while due < seconds:
        yield due
        due += 1 / rate if evenly else CHANCE.expovariate(rate)


async def act_at(
    tables: Sequence[Seats], due: Sequence[float], presses: ThreadPoolExecutor
) -> tuple[list[float], float]:
    """Let the tables act in turn, at these seconds.

    Returns the milliseconds from the moment each action was due until the last screen had it, so that a server that is
    behind doesn't look faster, and the seconds that all took.
    """
    begun = time.monotonic()
    order = CHANCE.sample(tables, len(tables))

    async def one(number: int, at: float) -> float:
        await asyncio.sleep(at - (time.monotonic() - begun))
        await order[number % len(order)].act(presses)
        return 1000 * (time.monotonic() - begun - at)

    taken = await asyncio.gather(*(one(number, at) for number, at in enumerate(due)))
    return taken, time.monotonic() - begun
