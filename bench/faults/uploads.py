"""People who send far too much: strangers who flood the server with bodies, and members who keep uploading pictures."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sys
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import aiohttp
from PIL import Image

from bench.faults.findings import TOKEN
from bench.faults.hostile import PRESSES, Report, compare, others
from bench.faults.killing import differences, failures
from bench.faults.outage import data, evening_at
from bench.harness import Person, Table, Vesper, Visitor, set_table

POURING = Path(__file__).with_name("pouring.py")
MEMBERS = 12
SECONDS_AHEAD = 3.0
SECONDS_TO_OVERFLOW = 60.0
"""How long a server that is broken on purpose may take to use too much memory: on a busy machine, bodies arrive
slowly."""
SECONDS_TO_PRESS_AGAIN = 1.0
"""Nobody can choose files faster."""
TIMES_SLOWER = 2.0


def strangers(kind: str) -> Callable[[Vesper, Table], Awaitable[None]]:
    """Forty strangers send 15 MB each, again and again, as this `kind` of `bench/faults/pouring.py`."""

    async def pour(server: Vesper, _table: Table) -> None:
        # A separate process, so that they don't slow down the presses being measured.
        process = await asyncio.create_subprocess_exec(sys.executable, str(POURING), str(server.port), kind)
        try:
            await process.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    return pour


async def painters(server: Vesper, table: Table) -> None:
    """Twelve members upload the largest pictures, one after the other, without a pause."""
    async with asyncio.TaskGroup() as group:
        for person in table.named("player"):
            group.create_task(_paint(server, person, table.characters[person.name.capitalize()]))


async def _paint(server: Vesper, person: Person, character: str) -> None:
    async with Visitor(server.url, person) as visitor:
        path = f"/characters/{character}/portrait/"
        _status, page = await visitor.get(path)
        (token,) = set(TOKEN.findall(page))
        for picture in itertools.cycle(pictures()):
            form = aiohttp.FormData()
            form.add_field("csrfmiddlewaretoken", token)
            form.add_field("picture", picture, filename="face")
            with contextlib.suppress(aiohttp.ClientError, TimeoutError):
                async with visitor.http.post(
                    server.url + path, data=form, headers={"Origin": server.url}, allow_redirects=False
                ) as answer:
                    await answer.read()
                    if answer.status == 429:
                        await asyncio.sleep(SECONDS_TO_PRESS_AGAIN)


@cache
def pictures() -> list[bytes]:
    """The largest pictures allowed, in each format that uses memory in its own way."""
    noise = Image.effect_noise((500, 500), 60).resize((4000, 4000))
    colours = Image.merge("RGB", [noise, noise.rotate(90), noise.rotate(180)])
    return [
        _saved(Image.new("RGBA", (3400, 3400), (200, 20, 20, 100)), "PNG"),
        _saved(colours, "JPEG", quality=2, progressive=True),
        _saved(colours.resize((1700, 1700)), "WEBP", quality=5),
        _saved(colours, "WEBP", quality=5),
    ]


def _saved(picture: Image.Image, kind: str, **more: Any) -> bytes:
    file = BytesIO()
    picture.save(file, kind, **more)
    return file.getvalue()


KINDS: list[tuple[str, Callable[[Vesper, Table], Awaitable[None]], float, int]] = [
    ("600 MB from strangers", strangers("length"), 0.1, 100),
    ("600 MB in chunks", strangers("chunked"), 0.1, 100),
    ("600 MB from strangers with made-up sessions", strangers("forged"), 0.1, 100),
    ("twelve members who send pictures", painters, 0.5, 150),
]
"""Name, attack, the seconds that others may wait beyond twice the quiet time, and the megabytes it may take."""


async def _overflow(server: Vesper, limit: int) -> int:
    """Wait, for a while at most, until a broken server uses more bytes than `limit`; returns its peak memory."""
    highest = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(SECONDS_TO_OVERFLOW):
            while highest <= limit:
                highest = max(highest, server.peak())
                await asyncio.sleep(0.2)
    return highest


async def run(
    folder: Path, *, presses: int = PRESSES, kinds: Sequence[int] = range(len(KINDS)), broken: str = ""
) -> list[Report]:
    """Measure a Storyteller's presses without an attack, then during each of the `kinds`, on a server that may be
    `broken` (`bench/faults/sabotage.py`)."""
    reports = []
    pictures()
    environment = {"DJANGO_SETTINGS_MODULE": "bench.faults.settings", "VESPER_FAULTS": broken} if broken else None
    with Vesper(data(folder, "uploads"), environment=environment) as server:
        table = await asyncio.to_thread(set_table, server, players=MEMBERS, thugs=2)
        await server.started()
        async with evening_at(server.url, table) as (crowd, pages):
            await others(Report("warm-up"), crowd, pages, presses)
            quiet = Report("nobody who sends anything")
            await others(quiet, crowd, pages, presses)
            quiet.memory = server.memory()
            reports.append(quiet)
            for name, kind, seconds, megabytes in [KINDS[each] for each in kinds]:
                report = Report(name)
                server.peak()
                foes = asyncio.ensure_future(kind(server, table))
                await asyncio.sleep(SECONDS_AHEAD)
                await others(report, crowd, pages, presses)
                if broken:
                    report.memory = await _overflow(server, quiet.memory + megabytes * 2**20)
                compare(report, quiet, server, foes, times=TIMES_SLOWER, seconds=seconds, megabytes=megabytes)
                foes.cancel()
                await asyncio.gather(foes, return_exceptions=True)
                report.faults += await differences(pages)
                reports.append(report)
        reports[-1].faults += failures(server)
    return reports
