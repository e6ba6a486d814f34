"""Hostile sockets: some read nothing, a thousand open at once, some send garbage or a megabyte.

Nobody else may notice.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import secrets
import socket
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench.faults.acting import Crowd
from bench.faults.findings import Findings
from bench.faults.killing import differences, failures, looked_into
from bench.faults.outage import data, evening_at
from bench.harness import Page, Person, Table, Vesper, set_table

PRESSES = 20
SECONDS_BETWEEN = 0.1
THOUSAND = 1000
AT_ONCE = 50
DEAF = 10
TEXT, BINARY = 0x81, 0x82
HEARTBEAT = json.dumps({"have": 0}).encode()
"""Sent as by an empty page: the answer is the whole fight."""

TIMES_SLOWER, SECONDS_SLOWER = 3.0, 0.5
MEGABYTES_MORE = 100


@dataclass
class Report(Findings):
    """The effect on others: seconds per press, of which median and 95th percentile are reported, and the server's
    memory."""

    name: str
    seconds: list[float] = field(default_factory=list)
    memory: int = 0

    def at(self, share: float) -> float:
        """The quantile of the seconds until a press is answered and visible on another page."""
        ordered = sorted(self.seconds)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))]

    def __str__(self) -> str:
        return (
            f"{'ok    ' if self.ok else 'not ok'} {self.name}: {len(self.seconds)} presses until shown on "
            f"another page: p50 {self.at(0.5):.2f} s, p95 {self.at(0.95):.2f} s; memory {self.memory / 2**20:.0f} MiB"
            + "".join(f"\n       {fault}" for fault in self.faults)
        )


class RawSocket:
    """A hand-written WebSocket that does what no browser does."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, server: Vesper, path: str, person: Person | None, *, deaf: bool = False) -> RawSocket:
        """Connect. A `deaf` one has almost no receive buffer. Raises `OSError`."""
        opened = socket.socket()
        opened.setblocking(False)
        if deaf:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        await asyncio.get_running_loop().sock_connect(opened, ("127.0.0.1", server.port))
        reader, writer = await asyncio.open_connection(sock=opened, limit=2**12)
        cookie = f"Cookie: vesper-session={person.session}\r\n" if person else ""
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nOrigin: {server.url}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{cookie}\r\n".encode()
        )
        await reader.readuntil(b"\r\n\r\n")
        return cls(reader, writer)

    async def send(self, content: bytes, head: int = TEXT) -> None:
        """Send a frame. Raises `OSError` at the latest one frame after the server has closed."""
        if self.writer.is_closing():
            raise ConnectionResetError
        size = len(content)
        length = bytes([128 | size]) if size < 126 else bytes([255]) + size.to_bytes(8, "big")
        self.writer.write(bytes([head]) + length + bytes(4) + content)  # masked with zeros, which is allowed
        await self.writer.drain()

    async def ended(self, within: float) -> bool:
        """Whether the server closes it within this many seconds."""
        with contextlib.suppress(OSError):
            async with asyncio.timeout(within):
                while await self.reader.read(2**16):
                    pass
        return self.reader.at_eof() or self.reader.exception() is not None


@dataclass
class Hostility:
    """What hostile clients know: the server, the table, and who they are."""

    server: Vesper
    table: Table
    page: Page

    @property
    def path(self) -> str:
        """The path of the fight's socket."""
        return f"/ws/encounters/{self.table.encounter}/"


async def deaf(foe: Hostility) -> None:
    """As many sockets as a reader may have request the whole fight again and again, and read nothing."""
    who = foe.table.named("observer")[0]
    sockets = [await RawSocket.open(foe.server, foe.path, who, deaf=True) for _socket in range(DEAF)]
    try:
        while True:
            for place, each in enumerate(sockets):
                with contextlib.suppress(OSError, TimeoutError):
                    if each.writer.is_closing():  # it was dropped, and reconnects
                        sockets[place] = await RawSocket.open(foe.server, foe.path, who, deaf=True)
                    async with asyncio.timeout(0.1):
                        await sockets[place].send(HEARTBEAT)
            await asyncio.sleep(0.4)
    finally:
        for each in sockets:
            each.writer.transport.abort()


async def thousand(foe: Hostility) -> None:
    """Hold open a thousand sockets, half of them signed in, for as long as the server allows."""
    gate, held = asyncio.Semaphore(AT_ONCE), []

    async def one(number: int) -> None:
        async with gate:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                who = foe.table.named("observer")[0] if number % 2 else None
                held.append(await RawSocket.open(foe.server, foe.path, who))

    try:
        await asyncio.gather(*(one(number) for number in range(THOUSAND)))
        await asyncio.Event().wait()
    finally:
        for each in held:
            each.writer.transport.abort()


async def rubbish(foe: Hostility) -> None:
    """Send garbage of all sorts, including a megabyte, each on its own socket, again and again."""
    nonsense = [
        (b"x" * 2**20, TEXT),
        (b"x" * 2**20, BINARY),
        (secrets.token_bytes(2000), BINARY),
        (b"\xff\xfe\xfd", TEXT),
        (b"[" * 190, TEXT),
        (b'{"have": -1}', TEXT),
        (b'{"have": "1", "do": "damage"}', TEXT),
        (b"", 0x8F),
    ]
    while True:
        for content, head in nonsense:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                sent = await RawSocket.open(foe.server, foe.path, foe.table.named("observer")[0])
                with contextlib.suppress(OSError):
                    await sent.send(content, head)
                if not await sent.ended(within=30):
                    raise AssertionError(f"the server took {content[:20]!r}")
                sent.writer.transport.abort()


KINDS: list[tuple[str, Callable[[Hostility], Awaitable[None]], float]] = [
    ("ten sockets that read nothing", deaf, 2.0),
    ("a thousand sockets", thousand, 5.0),
    ("rubbish and megabytes", rubbish, 1.0),
]
"""Name, attack, and its head start in seconds."""


async def run(folder: Path, *, presses: int = PRESSES) -> list[Report]:
    """Measure others' presses without an attack, then during each one."""
    reports = []
    with Vesper(data(folder, "hostile")) as server:
        table = await asyncio.to_thread(set_table, server, players=1, thugs=2)
        await server.started()
        async with evening_at(server.url, table) as (crowd, pages):
            quiet = Report("nobody who means harm")
            await others(quiet, crowd, pages, presses)
            quiet.memory = server.memory()
            reports.append(quiet)
            for name, kind, ahead in KINDS:
                report = Report(name)
                foes = asyncio.ensure_future(kind(Hostility(server, table, pages[0])))
                await asyncio.sleep(ahead)
                await others(report, crowd, pages, presses)
                compare(report, quiet, server, foes)
                foes.cancel()
                await asyncio.gather(foes, return_exceptions=True)
                report.faults += await differences(pages)
                reports.append(report)
        reports[-1].faults += await asyncio.to_thread(looked_into, server, table, crowd)
    reports[-1].faults += failures(server)
    return reports


async def others(report: Report, crowd: Crowd, pages: list[Page], presses: int) -> None:
    """Press an even number of times as the Storyteller. Returns the seconds until the wall shows each press."""
    storyteller, wall = pages[0], pages[-1]
    person = crowd.pages[storyteller]
    who = next(iter(crowd.table.combatants.values()))
    for number in range(presses):
        before, begun = wall.version, time.monotonic()
        said = {"have": [], "had": "prone"} if number % 2 else {"have": ["prone"]}
        await crowd.do(storyteller, person, "conditions", {"who": who, **said}, "")
        async with asyncio.timeout(60):
            await wall.reach(before + 1)
        report.seconds.append(time.monotonic() - begun)
        await asyncio.sleep(SECONDS_BETWEEN)


def compare(
    report: Report,
    quiet: Report,
    server: Vesper,
    foes: asyncio.Future[None],
    *,
    times: float = TIMES_SLOWER,
    seconds: float = SECONDS_SLOWER,
    megabytes: int = MEGABYTES_MORE,
) -> None:
    """Record memory and faults: presses slower by both `times` and `seconds`, more than `megabytes` of additional
    memory, and attackers that failed."""
    report.memory = max(report.memory, server.memory(), server.peak())
    for share in (0.5, 0.95):
        if report.at(share) > times * quiet.at(share) + seconds:
            report.faults.append(f"slower: {report.at(share):.2f} s instead of {quiet.at(share):.2f} s")
    if report.memory - quiet.memory > megabytes * 2**20:
        report.faults.append(f"memory: {(report.memory - quiet.memory) / 2**20:.0f} MiB more")
    if foes.done():
        report.faults.append(f"ended: {foes.exception()!r}")
