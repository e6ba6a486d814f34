"""People act as fast as they can while the server is killed (kill -9) or paused again and again to compare pages."""

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
"""Time limit in seconds for anything at all, even on the slowest machine."""
SECONDS_AN_ACTION = 10.0
"""Time limit in seconds for an action on the slowest machine."""
SECONDS_TO_AGREE = 60.0
"""Time limit in seconds for pages to catch up with the server: many heartbeats."""
ACTIONS_A_FIGHT = 1000
PLAYERS = 4
TABS = 16
"""Acting pages, a quarter of them Storytellers'."""
LONGEST_QUOTED = 300


@dataclass
class Report:
    """The result of a run: counts, faults, and seconds from the server's start until pages were current."""

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
        """How many faults start with this word: "lost", "twice", "diverged" and so on."""
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
    """`tabs` acting pages, and one watching page for each view: the Storytellers', each player's, and the table's on an
    observer's page and on the wall. Watching pages are live; acting ones only have what their answers bring."""
    async with contextlib.AsyncExitStack() as stack:
        storytellers, players = table.named("storyteller"), table.named("player")
        people = [*storytellers * (tabs // 4 // len(storytellers)), *players * (tabs * 3 // 4 // len(players))]
        acting = {await opened(stack, url, table, person): person for person in people}
        for page in acting:
            # Many at once on a busy machine wait longer than one person does.
            page.longest_answer = DEADLINE
        watchers = [storytellers[0], *players, *table.named("observer"), None]
        shown = [await opened(stack, url, table, person) for person in watchers]
        watching = [await stack.enter_async_context(page.live()) for page in shown]
        yield Crowd(table, acting, lost_in=lost_in), watching


async def opened(stack: contextlib.AsyncExitStack, url: str, table: Table, person: Person | None) -> Page:
    """A person's page of the fight, or the wall's for None. Its visitor is closed with the `stack`."""
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
    """Run until at least `actions` are acknowledged, with `stops` spread over them, in fights of a thousand actions.

    At a stop the server is killed and restarted, unless `kill` is False; then all pages are compared with it. The
    server must not be running before, and is not afterwards.
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
    """One fight on a running server; `kills` is that server if it is to be killed."""
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
        # At a random moment during the pending presses.
        await asyncio.sleep(chance.uniform(0, 0.3))
        crowd.gate.clear()  # pending presses continue; new ones wait until all pages have been compared
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
    """Roll initiative, so that players can declare."""
    page, person = next(iter(crowd.pages.items()))
    await crowd.do(page, person, "initiative", {}, "")


async def _kill(server: Vesper, pages: list[Page], report: Report) -> None:
    """Kill the server at a random moment, restart it, and measure how long the pages take to catch up."""
    server.kill()
    report.kills += 1
    back = await server.started()
    async with asyncio.timeout(DEADLINE):
        while not all(page.is_open and page.told_at for page in pages):
            await asyncio.sleep(0.02)
    report.converged += [page.told_at - back for page in pages]


async def _compare(pages: list[Page], report: Report, *, timed: bool) -> None:
    """Record which pages differ and, if `timed`, how long it took until none did."""
    begun = time.monotonic()
    report.faults += await differences(pages)
    if timed:
        report.converged.append(time.monotonic() - begun)


async def differences(pages: list[Page]) -> list[str]:
    """Pages that don't show what the server shows now. A heartbeat must bring them up to date."""
    fresh = {}
    for page in pages:
        if (page.audience, page.path) not in fresh:
            fresh[page.audience, page.path] = await page.fresh()
    deadline = time.monotonic() + SECONDS_TO_AGREE
    while True:
        wrong = [page for page in pages if (page.version, page.shown()) != fresh[page.audience, page.path]]
        if not wrong or time.monotonic() > deadline:
            break
        # What the server was still working on has reached pages since.
        ahead = {
            (page.audience, page.path): page for page in wrong if page.version > fresh[page.audience, page.path][0]
        }
        for place, page in ahead.items():
            fresh[place] = await page.fresh()
        await asyncio.sleep(0.05)
    return [_difference(page, *fresh[page.audience, page.path]) for page in wrong]


def _difference(page: Page, version: int, panes: dict[str, tuple[int, str]]) -> str:
    shown = page.shown()
    names = sorted(name for name in {*panes, *shown} if panes.get(name) != shown.get(name))
    return f"diverged: {page.audience} is at {page.version} of {version}, {', '.join(names)} differ"


def mended(server: Vesper, table: Table) -> list[str]:
    """What the server had to repair in this fight at its start: a kill between saving a sheet and its fight."""
    lines = server.said.read_text().splitlines()
    return [f"apart: {line}" for line in lines if "Repaired." in line and table.encounter in line]


def looked_into(server: Vesper, table: Table, crowd: Crowd) -> list[str]:
    """The database's faults in a fight after the last kill."""
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
    """The tracebacks in a server's log, except those that contain one of the `provoked` texts."""
    said = server.said.read_text() if server.said.exists() else ""
    return [f"failed: {each[-LONGEST_QUOTED:]}" for each in unexpected_tracebacks(said, provoked)]
