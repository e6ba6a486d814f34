"""Queue for requests that hash a password: one runs at a time, a few wait, the rest are turned away.

Hashing is slow on purpose, and anybody can ask for it without an account. A request waits here before it gets a thread
or a database connection, so that a crowd at the sign-in form doesn't slow down those who are playing.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.http import HttpRequest
from django.urls import Resolver404, resolve

from config.network import client_address

HASHING = frozenset(
    {
        "campaigns:sign-in",
        "campaigns:sign-up",
        "campaigns:password-change",
        "campaigns:delete-account",
        "story:account-data",
        "campaigns:password-reset-confirm",
        "admin:campaigns_user_add",
        "admin:auth_user_password_change",
    }
)
"""The views that hash a password on POST."""

PLACES = 40
"""Queue length, including the request being served: two or three seconds of work."""
PLACES_OF_AN_ADDRESS = 12
"""Limit per address: enough for a whole table behind one router at the same moment."""
SECONDS_TO_TRY_AGAIN = 5
PAUSE = 0.03
"""Pause before each request, in seconds, that leaves the CPU to those who are playing."""
PAUSE_BEFORE_REFUSAL = 0.1
"""Pause before each refusal, in seconds. Refusals render a page, so they take turns as well."""
WAITING_FOR_REFUSAL = 100
"""Above this many waiting refusals, the answer is a bare 429, sent at once."""

MOST_PATHS = 500

REFUSED = "vesper.refused"
"""The scope key that makes `config.middleware.turned_away` answer the request."""


class PasswordQueue:
    """ASGI middleware in front of Django. Each process has its own queue."""

    def __init__(self, application: Any) -> None:
        self.application = application
        self._places = Counter[str]()
        self._turn = asyncio.Lock()
        self._refusing = 0
        self._refusal = asyncio.Lock()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if not hashes_a_password(scope):
            await self.application(scope, receive, send)
        elif self.has_room_for(address := address_of(scope)):
            await self._serve(address, scope, receive, send)
        else:
            await self._refuse(scope, receive, send)

    def has_room_for(self, address: str) -> bool:
        """Whether another request from this address may wait."""
        return self._places.total() < PLACES and self._places[address] < PLACES_OF_AN_ADDRESS

    async def _serve(self, address: str, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self._places[address] += 1
        try:
            async with self._turn:
                await asyncio.sleep(PAUSE)
                await self.application(scope, receive, send)
        finally:
            self._places -= Counter([address])  # subtraction also drops addresses at zero

    async def _refuse(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if self._refusing >= WAITING_FOR_REFUSAL:
            headers = [(b"retry-after", b"%d" % SECONDS_TO_TRY_AGAIN), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 429, "headers": headers})
            await send({"type": "http.response.body"})
            return
        self._refusing += 1
        try:
            async with self._refusal:
                await asyncio.sleep(PAUSE_BEFORE_REFUSAL)
                await self.application({**scope, REFUSED: True}, receive, send)
        finally:
            self._refusing -= 1


def hashes_a_password(scope: Mapping[str, Any]) -> bool:
    """Whether answering this request hashes a password."""
    return scope["method"] == "POST" and _hashes(scope["path"])


@lru_cache(MOST_PATHS)
def _hashes(path: str) -> bool:
    # Remembered, since this is asked on the event loop, and a fight's pages post to the same few paths all evening.
    try:
        return resolve(path).view_name in HASHING
    except Resolver404:
        return False


def address_of(scope: Mapping[str, Any]) -> str:
    """The client address of an ASGI scope, as :func:`config.network.client_address` determines it."""
    request = HttpRequest()
    forwarded = [value.decode("latin1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    request.META = {"REMOTE_ADDR": (scope.get("client") or [""])[0], "HTTP_X_FORWARDED_FOR": ",".join(forwarded)}
    return client_address(request)
