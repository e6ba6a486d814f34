"""Takes away something that Vesper depends on while people act, and gives it back.

Records what the pages say, what is lost, and how soon everything recovers without anybody reloading a page.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.faults.acting import Crowd, players_wish, storytellers_wish
from bench.faults.findings import Findings
from bench.faults.killing import DEADLINE, differences, failures, looked_into, opened
from bench.faults.onlooker import Onlooker, Seen, onlooker
from bench.faults.proxy import Proxy
from bench.harness import Page, Person, Table, Vesper, set_table, spread
from script.test_servers import Postgres, Redis

SECONDS_BEFORE, SECONDS_AFTER = 3.0, 3.0
A_MOMENT = 0.2
SECONDS_TO_THINK = 1.0
"""Seconds between two presses on one page: as in play, since the delays of a flood would hide those of the fault."""


@dataclass
class Report(Findings):
    """The result of an outage. Times are in seconds since the outage ended."""

    name: str
    hurt: float = 0.0
    before: int = 0
    during: int = 0
    after: int = 0
    refused: int = 0
    again: int = 0
    answered: float = 0.0
    live: float = 0.0
    longest: list[float] = field(default_factory=list)
    seen: Seen = field(default_factory=Seen)

    def __str__(self) -> str:
        return (
            f"{'ok    ' if self.ok else 'not ok'} {self.name}, {self.hurt:.0f} s: acknowledged {self.before} before, "
            f"{self.during} during, {self.after} after; {self.refused} refused, {self.again} resent; answered again "
            f"after {self.answered:.1f} s, every page live and current after {self.live:.1f} s; answers in all: "
            f"{spread(self.longest)}\n       {self.seen}" + "".join(f"\n       {fault}" for fault in self.faults)
        )


@dataclass
class Evening:
    """A table at play, and an onlooker at the desk."""

    crowd: Crowd
    pages: list[Page]
    onlooker: Onlooker
    report: Report

    def expect(self, what: str, *, holds: bool) -> None:
        """Record a fault unless it `holds`."""
        if not holds:
            self.report.faults.append(f"page: {what}")

    async def somebody_acts(self, *, within: float = DEADLINE) -> bool:
        """Whether another press is acknowledged from now on, within this many seconds."""
        before, deadline = len(self.crowd.told.done), time.monotonic() + within
        while len(self.crowd.told.done) == before and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        return len(self.crowd.told.done) > before


Fault = Callable[[Evening], Awaitable[None]]
"""Causes the outage, checks the page, and ends the outage."""


async def suffer(
    name: str, servers: Sequence[Vesper], fault: Fault, *, url: str = "", provoked: Sequence[str] = ()
) -> Report:
    """Play, with the outage in the middle. The `servers` share an empty database; people reach them at `url`.

    Their logs may contain tracebacks with one of the `provoked` texts, and no others.
    """
    first = servers[0]
    table = await asyncio.to_thread(set_table, first, players=2, thugs=2)
    for server in servers:
        if not server.listens():
            await server.started()
    url = url or first.url
    report = Report(name)
    looks = table.named("storyteller")[0]
    async with evening_at(url, table) as (crowd, pages), onlooker(url, table, looks) as desk:
        evening = Evening(crowd, pages, desk, report)
        evening.expect("it is live at first", holds=await desk.is_live(within=60))
        acting = [asyncio.create_task(_act(crowd, page, person)) for page, person in crowd.pages.items()]
        await asyncio.sleep(SECONDS_BEFORE)
        await evening.somebody_acts()
        await _hurt(evening, fault)
        await asyncio.sleep(SECONDS_AFTER)
        crowd.wanted = 0
        async with asyncio.timeout(DEADLINE):
            await asyncio.gather(*acting)
            await _settled(desk)
        report.faults += await differences(pages)
        report.seen = await desk.look()
    evening.expect("half-typed text is kept, and the page never reloaded", holds=report.seen.kept)
    count(report, crowd, looks.user)
    report.faults += await asyncio.to_thread(looked_into, first, table, crowd)
    report.faults += [fault for server in servers for fault in failures(server, provoked=provoked)]
    return report


@contextlib.asynccontextmanager
async def evening_at(url: str, table: Table) -> AsyncIterator[tuple[Crowd, list[Page]]]:
    """Acting pages of a Storyteller and the players, and watching pages of an observer and the wall, all live."""
    async with contextlib.AsyncExitStack() as stack:

        async def page_of(person: Person | None) -> Page:
            return await stack.enter_async_context((await opened(stack, url, table, person)).live())

        acting = {await page_of(person): person for person in (*table.named("storyteller"), *table.named("player"))}
        watching = [await page_of(person) for person in (*table.named("observer"), None)]
        yield Crowd(table, acting), [*acting, *watching]


async def _act(crowd: Crowd, page: Page, person: Person) -> None:
    wish = storytellers_wish if person.audience == "storyteller" else players_wish
    while not crowd.finished:
        await crowd.do(page, person, *wish(crowd.table, person))
        await asyncio.sleep(SECONDS_TO_THINK)


async def _hurt(evening: Evening, fault: Fault) -> None:
    report, told = evening.report, evening.crowd.told
    report.before, begun = len(told.done), time.monotonic()
    await fault(evening)
    mended = time.monotonic()
    report.hurt, report.during = mended - begun, len(told.done) - report.before
    async with asyncio.timeout(DEADLINE):
        await evening.somebody_acts()
        report.answered = time.monotonic() - mended
        # Recovered: every page has received something on a new socket, or has the newest version.
        while not all(page.is_open for page in evening.pages):
            await asyncio.sleep(0.02)
    evening.expect("it is live again by itself", holds=await evening.onlooker.is_live(within=DEADLINE))
    report.live = time.monotonic() - mended


async def _settled(desk: Onlooker) -> None:
    """Wait until every press at the desk is answered."""
    while not all(desk.seen.presses.values()):
        await asyncio.sleep(A_MOMENT)


def count(report: Report, crowd: Crowd, user: int) -> None:
    """Add what the `user` at the desk was told to what the crowd was told, and count both."""
    told = crowd.told
    for key, status in report.seen.presses.items():
        (told.done if status == 200 else told.refused).append((user, key, ""))
    told.shown += report.seen.shown
    report.after = len(told.done) - report.before - report.during
    report.refused, report.again, report.longest = len(told.refused), told.again, told.seconds


def data(folder: Path, name: str) -> Path:
    """A folder for a server's files."""
    made = folder / name
    made.mkdir(parents=True, exist_ok=True)
    return made


@contextlib.contextmanager
def pair_of_processes(folder: Path) -> Iterator[tuple[list[Vesper], Proxy, Postgres, Redis]]:
    """Two server processes, not started yet, with their own PostgreSQL and Redis, behind a proxy.

    Raises `script.test_servers.Missing` if the servers are not available.
    """
    # `careful`, as it is killed: what it committed must survive.
    with Postgres(careful=True) as postgres, Redis() as redis:
        urls = {"database": postgres.first, "redis": redis.url}
        pair = [
            Vesper(data(folder, "pair"), **urls) for _process in range(2)
        ]  # one folder, as they share the secret key
        with pair[0], pair[1], Proxy(*(each.port for each in pair)) as proxy:
            yield pair, proxy, postgres, redis
