"""A real browser at the Storyteller's desk during a fault: what the page says, and whether it keeps typed text."""

from __future__ import annotations

import asyncio
import contextlib
import time
import urllib.parse
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from playwright.async_api import Page, Request, async_playwright

from bench.harness import Person, Table
from script import chromium

SHOWS = "/do/let-go"
"""The page posts here by itself once a player's dice have landed (static/js/reveal.js)."""
HALF = "a half-typed wo"
TO_READ = 700
"""Milliseconds after which a second press of “next” is an answer (static/js/desk.js)."""
WATCH = """() => {
  window.stillHere = true;
  window.badge = [document.getElementById("live").dataset.state];
  window.words = [];
  new MutationObserver(() => {
    const state = document.getElementById("live").dataset.state;
    if (state !== badge.at(-1)) badge.push(state);
    const said = document.getElementById("messages").innerText.trim();
    if (said && said !== words.at(-1)) words.push(said);
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-state"] });
}"""


@dataclass
class Seen:
    """What the Storyteller saw: the badge's states and the page's messages, in order."""

    badge: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    presses: dict[str, int] = field(default_factory=dict)
    """Each press's response status by key; 0 until it is answered."""
    shown: list[str] = field(default_factory=list)
    """Log entries that the server confirmed as revealed to the table. Revealing adds no row."""
    kept: bool = False
    """Whether the page never reloaded and still has the half-typed text."""

    def __str__(self) -> str:
        said = f", said “{' / '.join(self.words)}”" if self.words else ""
        return f"page: {' → '.join(self.badge)}{said}, half-typed text {'kept' if self.kept else 'LOST'}"


class Onlooker:
    """The Storyteller at the desk, in a browser."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.seen = Seen()

    async def press(self) -> None:
        """Press the desk's next button, and again if it asks first, without waiting for the outcome."""
        button = self.page.locator("button.next").first
        asks = await button.get_attribute("data-asks")
        await button.click()
        if asks:
            await self.page.wait_for_timeout(TO_READ)
            await button.click()

    async def is_live(self, *, within: float) -> bool:
        """Whether the badge says "live" within this many seconds."""
        return await self._comes("document.getElementById('live').dataset.state === 'live'", within)

    async def is_not_live(self, *, within: float) -> bool:
        """Whether the badge says something else within this many seconds."""
        return await self._comes("document.getElementById('live').dataset.state !== 'live'", within)

    async def speaks(self, *, within: float) -> bool:
        """Whether a message appears within this many seconds."""
        return await self._comes("document.getElementById('messages').innerText.trim() !== ''", within)

    async def _comes(self, condition: str, within: float) -> bool:
        # Not `wait_for_function`: the content security policy forbids the script it injects.
        deadline = time.monotonic() + within
        while not await self.page.evaluate(condition):
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(0.1)
        return True

    async def look(self) -> Seen:
        """What was seen so far."""
        self.seen.kept = await self.page.evaluate(
            "half => window.stillHere === true && document.getElementById('id_words').value === half", HALF
        )
        if self.seen.kept:
            self.seen.badge = await self.page.evaluate("badge")
            self.seen.words = await self.page.evaluate("words")
        return self.seen

    def _asked(self, request: Request) -> None:
        if "/do/" in request.url and not request.url.endswith(SHOWS):
            self.seen.presses.setdefault(_sent(request, "key"), 0)

    async def _answered(self, request: Request) -> None:
        response = await request.response() if "/do/" in request.url else None
        if response is None or response.status >= 500:
            return  # the page will resend it
        if not request.url.endswith(SHOWS):
            self.seen.presses[_sent(request, "key")] = response.status
        elif response.status == 200:
            self.seen.shown.append(_sent(request, "entry"))


def _sent(request: Request, name: str) -> str:
    return urllib.parse.parse_qs(request.post_data or "").get(name, [""])[0]


@contextlib.asynccontextmanager
async def onlooker(url: str, table: Table, person: Person) -> AsyncIterator[Onlooker]:
    """A browser at this Storyteller's desk, with half-typed text. Raises `RuntimeError` without Chromium."""
    program = chromium.path()
    if program is None:
        raise RuntimeError(chromium.MISSING)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=chromium.QUIETLY)
        try:
            context = await browser.new_context(base_url=url, viewport={"width": 1366, "height": 768})
            await context.add_cookies([{"name": "vesper-session", "value": person.session, "url": url}])
            page = await context.new_page()
            looking = Onlooker(page)
            page.on("request", looking._asked)
            page.on("requestfinished", looking._answered)
            await page.goto(f"/encounters/{table.encounter}/")
            await page.evaluate(WATCH)
            await page.locator("#id_words").fill(HALF)
            yield looking
        finally:
            await browser.close()
