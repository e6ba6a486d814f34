"""People who act as fast as they can, stopped again and again, by kill -9 of the server or to look at their pages."""

from __future__ import annotations

import asyncio
import contextlib
import json
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field

from bench.faults.acting import Crowd, Told, chance
from bench.harness import Page, Person, Table, Vesper, Visitor, set_table, spread
from bench.tracebacks import unexpected_tracebacks

DEADLINE = 120.0
"""Seconds within which anything at all has to happen, however slow the machine is."""
SECONDS_AN_ACTION = 10.0
"""As long may an action take on the slowest machine."""
SECONDS_TO_AGREE = 60.0
"""Within which pages have to show what the server shows: many heartbeats."""
ACTIONS_A_FIGHT = 1000
PLAYERS = 4
TABS = 16
"""Pages that act: a quarter of them Storytellers'."""
LONGEST_QUOTED = 300


@dataclass
class Report:
    """What came of a run: counts, faults, and seconds from when the server listened until pages showed the present."""

    actions: int = 0
    refused: int = 0
    again: int = 0
    kills: int = 0
    edits: int = 0
    converged: list[float] = field(default_factory=list)
    answered: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def count(self, word: str) -> int:
        """How many of the faults are of a kind: "lost", "twice", "diverged" and so on."""
        return sum(fault.startswith(f"{word}:") for fault in self.faults)

    def __str__(self) -> str:
        kinds = sorted({fault.partition(":")[0] for fault in self.faults})
        wrong = ", ".join(f"{self.count(kind)} {kind}" for kind in kinds) or "nothing wrong"
        return (
            f"{self.actions} actions acknowledged, {self.refused} refused, {self.again} sent again, "
            f"{self.edits} sheets edited, {self.kills} kills in {self.seconds:.0f} s: "
            f"{wrong}; pages: {spread(self.converged)}; answers: {spread(self.answered)}"
        )


@contextlib.asynccontextmanager
async def crowd_at(
    url: str, table: Table, *, tabs: int = TABS, lost_in: int = 20
) -> AsyncIterator[tuple[Crowd, list[Page]]]:
    """So many pages (`tabs`) that act, and one that watches for each whose view there is: the Storytellers', each
    player's, the table's on an observer's page and on the wall. Those that watch are live; those that act have what
    they are answered."""
    async with contextlib.AsyncExitStack() as stack:
        storytellers, players = table.named("storyteller"), table.named("player")
        people = [*storytellers * (tabs // 4 // len(storytellers)), *players * (tabs * 3 // 4 // len(players))]
        acting = {await opened(stack, url, table, person): person for person in people}
        for page in acting:
            # So many at once on a busy machine wait longer than one person would.
            page.longest_answer = DEADLINE
        watchers = [storytellers[0], *players, *table.named("observer"), None]
        shown = [await opened(stack, url, table, person) for person in watchers]
        watching = [await stack.enter_async_context(page.live()) for page in shown]
        yield Crowd(table, acting, lost_in=lost_in), watching


async def opened(stack: contextlib.AsyncExitStack, url: str, table: Table, person: Person | None) -> Page:
    """Somebody's page of the table's fight, or for nobody the wall's; its visitor leaves with the `stack`."""
    visitor = await stack.enter_async_context(Visitor(url, person))
    return await (visitor.open(table.encounter) if person else visitor.open_wall(table.wall, table.encounter))


async def run(
    server: Vesper,
    *,
    actions: int,
    stops: int,
    kill: bool = True,
    players: int = PLAYERS,
    tabs: int = TABS,
    lost_in: int = 20,
    say: Callable[[str], None] = lambda _line: None,
) -> Report:
    """So many actions acknowledged at the least, and so many stops spread over them, in fights of a thousand actions
    each. At a stop the server is killed and started, unless `kill` is False; then all pages are compared with it.

    The server must not run yet, and does not run afterwards.
    """
    report, begun = Report(), time.monotonic()
    fights = -(-actions // ACTIONS_A_FIGHT)
    for number in range(fights):
        share = actions * (number + 1) // fights - actions * number // fights
        times = stops * (number + 1) // fights - stops * number // fights
        table = await asyncio.to_thread(set_table, server, players=players, thugs=4, bystanders=2)
        await server.started()
        async with crowd_at(server.url, table, tabs=tabs, lost_in=lost_in) as (crowd, pages):
            await _fight(server if kill else None, report, crowd, pages, actions=share, stops=times)
        server.kill()
        _count(report, crowd.told)
        report.faults += [*looked_into(server, table, crowd), *mended(server, table)]
        report.seconds = time.monotonic() - begun
        say(f"fight {number + 1} of {fights}: {report}")
    report.faults += failures(server)
    return report


async def _fight(
    kills: Vesper | None, report: Report, crowd: Crowd, pages: list[Page], *, actions: int, stops: int
) -> None:
    """One fight, on a server that runs; `kills` is that server where it is to be killed."""
    await _press_once(crowd)
    crowd.gate.set()
    acting = asyncio.create_task(crowd.act())
    storyteller = next(iter(crowd.pages))
    beside = asyncio.gather(crowd.write_notes(storyteller), crowd.edit_sheets(storyteller))
    apart = actions / (stops + 1)
    for number in range(stops):
        async with asyncio.timeout(DEADLINE + actions * SECONDS_AN_ACTION):
            while len(crowd.told.done) < apart * (number + 1):
                await asyncio.sleep(0.02)
        # In whatever moment of the presses that are under way.
        await asyncio.sleep(chance.uniform(0, 0.3))
        crowd.gate.clear()  # whoever is under way goes on; nobody begins anything new until all pages were compared
        if kills is not None:
            await _kill(kills, pages, report)
        async with asyncio.timeout(DEADLINE):
            await crowd.quiet.wait()
        await _compare(pages, report, timed=kills is None)
        crowd.gate.set()
    crowd.wanted = actions
    async with asyncio.timeout(DEADLINE + actions * SECONDS_AN_ACTION):
        await asyncio.gather(acting, beside)
    await _compare(pages, report, timed=kills is None)


def _count(report: Report, told: Told) -> None:
    report.actions += len(told.done)
    report.refused += len(told.refused)
    report.again += told.again
    report.edits += told.edits
    report.answered += told.seconds


async def _press_once(crowd: Crowd) -> None:
    """Initiative, so that players can declare."""
    page, person = next(iter(crowd.pages.items()))
    await crowd.do(page, person, "initiative", {}, "")


async def _kill(server: Vesper, pages: list[Page], report: Report) -> None:
    """Kill the server in the midst of it, start it again, and look how long the pages take to show the present."""
    server.kill()
    report.kills += 1
    back = await server.started()
    async with asyncio.timeout(DEADLINE):
        while not all(page.is_open and page.told_at for page in pages):
            await asyncio.sleep(0.02)
    report.converged += [page.told_at - back for page in pages]


async def _compare(pages: list[Page], report: Report, *, timed: bool) -> None:
    """Note which pages differ; `timed`, also how long it took until none did."""
    begun = time.monotonic()
    report.faults += await differences(pages)
    if timed:
        report.converged.append(time.monotonic() - begun)


async def differences(pages: list[Page]) -> list[str]:
    """Which pages do not show what the server shows now; a heartbeat has to bring a page there."""
    fresh = {}
    for page in pages:
        if (page.audience, page.path) not in fresh:
            fresh[page.audience, page.path] = await page.fresh()
    deadline = time.monotonic() + SECONDS_TO_AGREE
    while True:
        wrong = [page for page in pages if (page.version, page.shown()) != fresh[page.audience, page.path]]
        if not wrong or time.monotonic() > deadline:
            break
        await asyncio.sleep(0.05)
    return [_difference(page, *fresh[page.audience, page.path]) for page in wrong]


def _difference(page: Page, version: int, panes: dict[str, tuple[int, str]]) -> str:
    shown = page.shown()
    names = sorted(name for name in {*panes, *shown} if panes.get(name) != shown.get(name))
    return f"diverged: {page.audience} stands at {page.version} of {version}, {', '.join(names)} differ"


def mended(server: Vesper, table: Table) -> list[str]:
    """What a start of the server had to mend in this fight: a kill came between a sheet and its fight."""
    lines = server.said.read_text().splitlines()
    return [f"apart: {line}" for line in lines if "Mended." in line and table.encounter in line]


def looked_into(server: Vesper, table: Table, crowd: Crowd) -> list[str]:
    """What the database says of a fight after its server was killed for the last time."""
    told = crowd.told
    said = {
        "encounter": table.encounter,
        "first": table.rows,
        "done": told.done,
        "refused": told.refused,
        "notes": told.notes,
        "edited": told.edited,
        "shown": told.shown,
    }
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(said, file)
        file.flush()
        found: list[str] = json.loads(server.manage("bench/faults/check.py", file.name))
    return found


def failures(server: Vesper, *, provoked: Sequence[str] = ()) -> list[str]:
    """The tracebacks in a server's log, except those with one of the `provoked` texts in them."""
    said = server.said.read_text() if server.said.exists() else ""
    return [f"failed: {each[-LONGEST_QUOTED:]}" for each in unexpected_tracebacks(said, provoked)]
