"""Forty people without accounts sign in or sign up again and again. Those who are playing must not notice."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

import aiohttp

from bench.faults.findings import TOKEN
from bench.faults.hostile import Report, others
from bench.faults.outage import data, evening_at
from bench.harness import Vesper, set_table
from bench.harness.page import NoAnswer

CROWD = 40
CONTROL_CROWD, CONTROL_PRESSES = 10, 3
"""The size of the crowd without the queue: forty would delay presses for minutes."""
LONGEST_PRESS = 60.0
"""Seconds that a press counts if nobody saw it."""
PRESSES = 40
ROUNDS = 3
SECONDS_AHEAD = 2.0
SECONDS_BETWEEN_LOOKS = 0.02
TIMES_SLOWER = 2.0
MEGABYTES_MORE = 150
BROKEN = {"DJANGO_SETTINGS_MODULE": "bench.faults.settings", "VESPER_FAULTS": "crowded"}

SIGN_IN, SIGN_UP = "/account/sign-in/", "/account/sign-up/"


def wrong_password() -> Mapping[str, str]:
    """A sign-in form with a wrong password."""
    return {"username": f"nobody-{secrets.token_hex(6)}", "password": "not the phrase"}


def new_account() -> Mapping[str, str]:
    """A sign-up form for a new account."""
    return {"username": f"new-{secrets.token_hex(6)}", "password": "a long enough phrase"}


Crowd = tuple[str, str, Callable[[], Mapping[str, str]], int]
"""Name, path, form, and number of addresses."""

CROWDS: list[Crowd] = [
    ("forty who sign in, from one address", SIGN_IN, wrong_password, 1),
    ("forty who sign in, from forty addresses", SIGN_IN, wrong_password, CROWD),
    ("forty who sign up, from forty addresses", SIGN_UP, new_account, CROWD),
]


async def run(folder: Path) -> list[Report]:
    """Measure others' presses during each crowd, and finally the control: a server without its queue, which must
    fail."""
    reports = [report for crowd in CROWDS for report in await beside(folder, crowd)]
    return [*reports, *await control(folder)]


async def control(folder: Path) -> tuple[Report, Report]:
    """The same without the queue. In order if it is detected."""
    quiet, report = await beside(folder, CROWDS[1], size=CONTROL_CROWD, presses=CONTROL_PRESSES, broken=True)
    report.name = f"control without the queue, {CONTROL_CROWD} of {report.name}"
    report.faults = [] if report.faults else ["the missing queue was not detected"]
    return quiet, report


async def beside(
    folder: Path, crowd: Crowd, *, size: int = CROWD, presses: int = PRESSES, broken: bool = False
) -> tuple[Report, Report]:
    """Alternate others' presses without and with the crowd, since the machine may be busy with other work too."""
    name, path, typed, addresses = crowd
    quiet, report, told = Report("nobody who signs in"), Report(name), Counter[int]()
    environment = {"VESPER_PROXIES": "1", **(BROKEN if broken else {})}
    with Vesper(data(folder, f"signing-in-{secrets.token_hex(4)}"), environment=environment) as server:
        table = await asyncio.to_thread(set_table, server, players=1, thugs=2)
        await server.started()
        async with evening_at(server.url, table) as (people, pages):
            for _round in range(ROUNDS):
                await others(quiet, people, pages, presses)
                quiet.memory = quiet.memory or server.memory()
                meant = signing_in(server, path, typed, size=size, addresses=addresses)
                async with meant as answers, _highest(server, report):
                    await asyncio.sleep(SECONDS_AHEAD)
                    try:
                        await others(report, people, pages, presses)
                    except (TimeoutError, NoAnswer):
                        report.seconds.append(LONGEST_PRESS)
                told.update(answers)
                if LONGEST_PRESS in report.seconds:
                    break
    slower, more = report.at(0.95) / quiet.at(0.95), (report.memory - quiet.memory) / 2**20
    answered = ", ".join(f"{told[status]} times {status}" for status in sorted(told))
    report.name += f" ({answered}), {slower:.1f} times the quiet p95, {more:+.0f} MiB"
    if slower > TIMES_SLOWER:
        report.faults.append(f"slower: {report.at(0.95):.3f} s instead of {quiet.at(0.95):.3f} s")
    if more > MEGABYTES_MORE:
        report.faults.append(f"memory: {more:.0f} MiB more")
    return quiet, report


@contextlib.asynccontextmanager
async def signing_in(
    server: Vesper, path: str, typed: Callable[[], Mapping[str, str]], *, size: int, addresses: int
) -> AsyncIterator[Counter[int]]:
    """A crowd whose members post again as soon as they are answered. Returns the response statuses."""
    answers = Counter[int]()

    async def one(number: int) -> None:
        headers = {"X-Forwarded-For": f"198.51.100.{number % addresses}", "Origin": server.url}
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(server.url, cookie_jar=jar, headers=headers) as browser:
            async with browser.get(path) as page:
                (token, *_) = TOKEN.findall(await page.text())
            while True:
                fields = {"csrfmiddlewaretoken": token, **typed()}
                async with browser.post(path, data=fields, allow_redirects=False) as answer:
                    await answer.read()
                answers[answer.status] += 1
                if answer.status == 302:  # the account exists now: the next one needs another name
                    browser.cookie_jar.clear(lambda cookie: "session" in cookie.key)
                    token = browser.cookie_jar.filter_cookies(page.url)["vesper-csrf"].value

    crowd = [asyncio.ensure_future(one(number)) for number in range(size)]
    try:
        yield answers
        if ended := [each.exception() for each in crowd if each.done()]:
            raise RuntimeError(f"the crowd ended: {ended[0]!r}")
    finally:
        for each in crowd:
            each.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)


@contextlib.asynccontextmanager
async def _highest(server: Vesper, report: Report) -> AsyncIterator[None]:
    """Track the server's highest memory use in the meantime."""

    async def look() -> None:
        while True:
            report.memory = max(report.memory, server.memory())
            await asyncio.sleep(SECONDS_BETWEEN_LOOKS)

    looking = asyncio.ensure_future(look())
    try:
        yield
    finally:
        looking.cancel()
