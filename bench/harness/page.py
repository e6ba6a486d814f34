"""A fight's pages as browsers keep them, over HTTP and a WebSocket.

:class:`Page` mirrors what `static/js/frames.js` and `combat/live/_socket.html` do in a browser: change them together.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import aiohttp

from bench.harness.panes import TOKEN, VERSION, bring, fields_of, panes_in, plain
from bench.harness.table import Person

HEARTBEAT = 5.0
PATIENCE = 4.0
POLL = 3.0
LONGEST_ANSWER = 8.0
"""Seconds without an answer after which a press is resent."""
INSISTENCE = 120.0
"""Seconds after which resending stops."""
LONGEST_WAIT = 1.0
"""Seconds between two tries of a press; a real page waits up to eight."""
LONGEST_FRAME = 4 * 1024 * 1024
OURS = (4401, 4403, 4404)


def reconnect_delay(tries: int) -> float:
    """Seconds until the next try after this many failures, like `delay` in static/js/socket.js."""
    return 0.2 + secrets.randbelow(1000) / 1000 * (0.8 if tries < 50 else 4.8)


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of a press: the answer's status and body, the press's `key`, and the number of `tries`."""

    status: int
    html: str
    key: str
    tries: int

    @property
    def done(self) -> bool:
        """Whether the server acknowledged it."""
        return self.status == 200


class NoAnswer(Exception):
    """The server did not answer any of the tries."""


class Visitor:
    """A browser with somebody signed in; with `person=None` one without an account, such as a wall screen."""

    def __init__(self, url: str, person: Person | None) -> None:
        self.url = url
        self.person = person
        self._session: aiohttp.ClientSession | None = None

    async def __aenter__(self) -> Self:
        cookies = {"vesper-session": self.person.session} if self.person else {}
        # `unsafe` accepts cookies from an IP address.
        jar = aiohttp.CookieJar(unsafe=True)
        jar.update_cookies(cookies)
        self._session = aiohttp.ClientSession(cookie_jar=jar, timeout=aiohttp.ClientTimeout(total=60))
        return self

    async def __aexit__(self, *_problem: object) -> None:
        await self.http.close()

    @property
    def http(self) -> aiohttp.ClientSession:
        """The session with the cookies. Raises `RuntimeError` outside of `async with`."""
        if self._session is None:
            raise RuntimeError("use the visitor in an `async with`")
        return self._session

    async def get(self, path: str) -> tuple[int, str]:
        """Status and body of a path."""
        async with self.http.get(self.url + path, allow_redirects=False) as response:
            return response.status, await response.text()

    async def open(self, encounter: str) -> Page:
        """Open a fight's page. Raises `NoAnswer` if it cannot be shown."""
        return await self._page(f"/encounters/{encounter}/", f"/ws/encounters/{encounter}/", f"/encounters/{encounter}")

    async def open_wall(self, token: str, encounter: str) -> Page:
        """Open the chronicle's wall screen, which shows this fight."""
        return await self._page(f"/wall/{token}/", f"/ws/wall/{token}/{encounter}/", f"/wall/{token}/{encounter}")

    async def _page(self, path: str, live: str, since: str) -> Page:
        status, html = await self.get(path)
        if status != 200:
            raise NoAnswer(f"{path}: {status}")
        return Page(self, html, path=path, live=live, since=since)


class Page:
    """A fight's page in a browser: its panes, its socket, and presses of its buttons.

    `on_frame` is called with the page whenever its version increases, from any source. With `keeps_panes=False` only
    the version is parsed, which is much cheaper.
    """

    def __init__(self, visitor: Visitor, html: str, *, path: str, live: str, since: str) -> None:
        self.visitor = visitor
        self.path, self._live, self._since = path, live, since
        found, token = VERSION.search(html), TOKEN.search(html)
        if found is None:
            raise NoAnswer(f"{path} is not a fight's page")
        self.version, self.audience = int(found[1]), found[2]
        self.token = next(filter(None, token.groups())) if token else ""
        self.panes = dict(panes_in(html))
        """Panes by id, each with its version and HTML."""
        self.keeps_panes = True
        self.on_frame: Callable[[Page], None] = lambda _page: None
        self.longest_answer = LONGEST_ANSWER
        self.told_at = 0.0
        """When (`time.monotonic`) the current socket first confirmed or delivered the current state."""
        self.left: int | None = None
        """The close code with which the server permanently ended this page."""
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._answered = asyncio.Event()
        self._news = asyncio.Event()

    # Frames.

    def apply(self, html: str) -> None:
        """Apply a frame from the socket, a poll or an answer."""
        found = VERSION.search(html)
        if found is None:
            return
        if self.keeps_panes:
            bring(self.panes, html)
        if int(found[1]) > self.version:
            self.version = int(found[1])
            self._news.set()
            self._news = asyncio.Event()
            self.on_frame(self)

    async def reach(self, version: int) -> None:
        """Wait until the page has at least this version."""
        while self.version < version:
            await self._news.wait()

    async def poll(self) -> int:
        """Poll like a page without a socket. Returns the response's status."""
        status, html = await self.visitor.get(
            f"{self._since}/since/{self.version}?audience={self.audience}&language=en-gb"
        )
        if status == 200:
            self.apply(html)
        return status

    async def fresh(self) -> tuple[int, dict[str, tuple[int, str]]]:
        """Version and panes of the same page freshly loaded, normalised as in :meth:`shown`."""
        status, html = await self.visitor.get(self.path)
        found = VERSION.search(html)
        if status != 200 or found is None:
            raise NoAnswer(f"{self.path}: {status}")
        return int(found[1]), {name: (version, plain(pane)) for name, (version, pane) in panes_in(html)}

    def shown(self) -> dict[str, tuple[int, str]]:
        """The panes of this page, without anything that differs on each request."""
        return {name: (version, plain(pane)) for name, (version, pane) in self.panes.items()}

    # The socket.

    @contextlib.asynccontextmanager
    async def live(self) -> AsyncIterator[Self]:
        """Keep the page live during the block, even if the server restarts."""
        tasks = [asyncio.create_task(work()) for work in (self._stay_connected, self._beat, self._ask_meanwhile)]
        try:
            yield self
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    @property
    def is_open(self) -> bool:
        """Whether the socket is open now."""
        return self._socket is not None and not self._socket.closed

    async def _stay_connected(self) -> None:
        tries = 0
        while self.left is None:
            address = f"{self._live}?have={self.version}&audience={self.audience}&language=en-gb"
            try:
                async with self.visitor.http.ws_connect(
                    self.visitor.url + address, origin=self.visitor.url, max_msg_size=LONGEST_FRAME
                ) as opened:
                    self._socket, self.told_at, tries = opened, 0.0, 0
                    await self._send_heartbeat()
                    await self._read(opened)
            except (aiohttp.ClientError, OSError, TimeoutError):
                tries += 1
            self._socket, self.told_at = None, 0.0
            await asyncio.sleep(reconnect_delay(tries))

    async def _read(self, opened: aiohttp.ClientWebSocketResponse) -> None:
        async for message in opened:
            if message.type == aiohttp.WSMsgType.TEXT:
                self._answered.set()
                if not message.data.startswith("{"):
                    self.apply(message.data)
                self.told_at = self.told_at or time.monotonic()
        if opened.close_code in OURS:
            self.left = opened.close_code

    async def _send_heartbeat(self) -> None:
        self._answered.clear()
        if self._socket is not None and not self._socket.closed:
            await self._socket.send_str(json.dumps({"have": self.version}))

    async def _beat(self) -> None:
        while self.left is None:
            await asyncio.sleep(HEARTBEAT)
            if not self.is_open:
                continue
            with contextlib.suppress(ConnectionError, aiohttp.ClientError):
                await self._send_heartbeat()
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._answered.wait()
            except TimeoutError:
                # Half-open: open the next one without waiting for this one to close.
                if self._socket is not None:
                    await self._socket.close()

    async def _ask_meanwhile(self) -> None:
        while self.left is None:
            await asyncio.sleep(POLL)
            if not self.is_open:
                with contextlib.suppress(aiohttp.ClientError, OSError, TimeoutError):
                    async with asyncio.timeout(PATIENCE):
                        await self.poll()

    # The buttons.

    async def post(self, name: str, fields: Mapping[str, Any], *, key: str, version: int | None) -> tuple[int, str]:
        """Send a command's form once. `version=None` omits the version, for forms without one."""
        form = aiohttp.FormData()
        more = {"key": key} | ({} if version is None else {"version": version})
        for field, value in {**fields, **more}.items():
            for each in value if isinstance(value, list | tuple) else [value]:
                form.add_field(field, str(each))
        headers = {"X-CSRFToken": self.token, "HX-Request": "true", "Origin": self.visitor.url}
        async with self.visitor.http.post(
            f"{self.visitor.url}{self.path}do/{name}",
            data=form,
            headers=headers,
            allow_redirects=False,
            timeout=aiohttp.ClientTimeout(total=self.longest_answer),
        ) as response:
            return response.status, await response.text()

    async def keep_notes(self, text: str, version: int) -> int:
        """Save the fight's notes, resending until answered. Returns the status. Raises `NoAnswer`."""
        headers = {"X-CSRFToken": self.token, "HX-Request": "true", "Origin": self.visitor.url}
        deadline = time.monotonic() + INSISTENCE
        while time.monotonic() < deadline:
            with contextlib.suppress(aiohttp.ClientError, OSError, TimeoutError):
                async with self.visitor.http.post(
                    f"{self.visitor.url}{self.path}notes/", data={"text": text, "version": version}, headers=headers
                ) as response:
                    if response.status < 500:
                        return response.status
            await asyncio.sleep(LONGEST_WAIT)
        raise NoAnswer(f"the notes were not answered within {INSISTENCE:.0f} seconds")

    async def edit_sheet(self, character: str, changes: Mapping[str, str]) -> bool:
        """Open a sheet's form, change these fields and save. Returns whether the server confirmed it."""
        path = f"/characters/{character}/edit/"
        with contextlib.suppress(aiohttp.ClientError, OSError, TimeoutError):
            status, html = await self.visitor.get(path)
            if status == 200:
                form = aiohttp.FormData([(name, changes.get(name, value)) for name, value in fields_of(html)])
                headers = {"X-CSRFToken": self.token, "Origin": self.visitor.url}
                async with self.visitor.http.post(
                    self.visitor.url + path, data=form, headers=headers, allow_redirects=False
                ) as response:
                    return response.status == 302
        return False

    async def press(self, name: str, /, *, loses_answer: bool = False, **fields: Any) -> Answer:
        """Press a button: resend with the same key and version until answered, and apply the answer.

        `loses_answer` drops the first answer, like a phone that lost its network. Raises `NoAnswer`.
        """
        key, version, tries = fresh_key(), self.version, 0
        deadline = time.monotonic() + INSISTENCE
        while time.monotonic() < deadline:
            tries += 1
            try:
                status, html = await self.post(name, fields, key=key, version=version)
            except (aiohttp.ClientError, OSError, TimeoutError):
                status, html = 0, ""
            if loses_answer:
                loses_answer = False
                continue
            if 0 < status < 500:
                if status in (200, 409):
                    self.apply(html)
                return Answer(status, html, key, tries)
            await asyncio.sleep(min(LONGEST_WAIT, 0.25 * 2**tries))
        raise NoAnswer(f"{name} was not answered within {INSISTENCE:.0f} seconds")


def fresh_key() -> str:
    """An idempotency key, generated like a page's."""
    return secrets.token_hex(16)
