"""What is compared: a version of Vesper in one or two processes, with its tables."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from bench.harness import Table, Vesper, costs
from bench.harness.presses import Storyteller, cookie_of
from bench.harness.table import set_tables
from bench.tables.load import CHANCE, Seats, act_at
from script.test_servers import Postgres, Redis

PLAYERS, OBSERVERS, THUGS = 4, 1, 6
"""Beside the Storyteller: six people at a table, and ten combatants."""
BASELINE = 4
"""Tables opened before memory is measured: the first ones load templates and fill caches that all share."""
PRESSES_WHEN_OPENED = 2


@dataclass(slots=True)
class Result:
    """What a contender achieved at a rate: milliseconds per action, seconds in all, and seconds of CPU time."""

    latency: list[float] = field(default_factory=list)
    seconds: float = 0
    work: float = 0

    @property
    def achieved(self) -> float:
        """Actions per second."""
        return len(self.latency) / self.seconds

    @property
    def cpu(self) -> float:
        """Milliseconds of CPU time per action, of all processes."""
        return 1000 * self.work / len(self.latency)


class Contender:
    """A version in `root` on temporary data, with its processes. An async context, in which its tables are open.

    `sticky`: a table's sockets and presses go to one process, as behind a proxy that knows of fights. Otherwise each
    goes to any.
    """

    def __init__(
        self, folder: Path, *, version: str, root: Path, processes: int, tables: int, sticky: bool, postgres: bool
    ) -> None:
        self.version, self.processes, self.sticky = version, processes, sticky
        self._data = folder / f"{version}-{processes}"
        self._root, self._tables, self._postgres = root, tables, postgres
        self._stack = contextlib.AsyncExitStack()
        self.servers: list[Vesper] = []
        self.tables: list[Seats] = []
        self.per_table = 0.0
        """MiB of memory per table, over all processes."""

    @property
    def name(self) -> str:
        """Its version, number of processes, and whether these are sticky."""
        return f"{self.version}, {self.processes}{' sticky' if self.sticky else ''}"

    async def __aenter__(self) -> Self:
        try:
            await self._set_up()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def _set_up(self) -> None:
        self._data.mkdir()
        urls = {"redis": self._stack.enter_context(Redis()).url} if self.processes > 1 else {}
        if self._postgres:
            # `careful`: an action is on disk before it is answered, as on SQLite.
            urls["database"] = self._stack.enter_context(Postgres(careful=True)).first
        self.servers = [Vesper(self._data, root=self._root, **urls) for _process in range(self.processes)]
        people = {"players": PLAYERS, "observers": OBSERVERS, "thugs": THUGS}
        # In a thread: the sockets of other contenders answer pings meanwhile.
        made = await asyncio.to_thread(set_tables, self.servers[0], self._tables, **people)
        for server in self.servers:
            self._stack.enter_context(server)
            await server.started()
        self._presses = self._stack.enter_context(ThreadPoolExecutor(self._tables))
        before = 0
        for number, table in enumerate(made):
            if number == min(BASELINE, len(made) - 1):
                before = self.memory()
            await self._open(table)
        self.per_table = (self.memory() - before) / 1024**2 / max(1, len(made) - BASELINE)

    async def __aexit__(self, *_problem: object) -> None:
        for table in self.tables:
            table.leave()
        await self._stack.aclose()

    async def _open(self, table: Table) -> None:
        ports = [server.port for server in self.servers]
        if self.sticky:
            digest = hashlib.sha256(table.encounter.encode()).digest()
            ports = [ports[digest[0] % len(ports)]]
        storyteller = table.people["storyteller 1"]
        storytellers = Storyteller(
            encounter=table.encounter,
            target=table.combatants["Thug 1"],
            cookie=cookie_of(storyteller.session),
            ports=ports,
        )
        seats = Seats(_sockets(table, ports), storytellers, ports)
        await seats.first_frames()
        for _time in range(PRESSES_WHEN_OPENED):
            await seats.act(self._presses)
        self.tables.append(seats)

    async def act(self, due: Sequence[float], result: Result) -> None:
        """Let the tables act at these seconds, and add that to the result."""
        before = self.work()
        taken, seconds = await act_at(self.tables, due, self._presses)
        result.latency += taken
        result.seconds += seconds
        result.work += self.work() - before

    def work(self) -> float:
        """Seconds of CPU time so far, of all processes."""
        return sum(costs.seconds_of_work(server.pid) for server in self.servers)

    def memory(self) -> int:
        """Bytes of resident memory, of all processes."""
        return sum(costs.memory(server.pid) for server in self.servers)


def _sockets(table: Table, ports: Sequence[int]) -> list[dict[str, Any]]:
    """One for each person at the table."""
    path = f"/ws/encounters/{table.encounter}/?language=en-gb"
    return [
        {"port": CHANCE.choice(ports), "path": path, "cookie": cookie_of(person.session), "kind": person.audience}
        for person in table.people.values()
    ]
