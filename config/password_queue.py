"""The queue for requests that hash a password: one is served at a time, a few wait, the rest are turned away.

Hashing is slow on purpose, and anybody can ask for it without an account. A request waits here, before it has a thread
or a connection to the database, so that a crowd at the sign-in form takes neither from the people who play.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.urls import Resolver404, resolve

from config.network import client_address

HASHING = frozenset(
    {
        "campaigns:sign-in",
        "campaigns:sign-up",
        "campaigns:password-change",
        "campaigns:password-reset-confirm",
        "admin:campaigns_user_add",
        "admin:auth_user_password_change",
    }
)
"""The views that hash a password when they are posted to."""

PLACES = 40
"""Requests in the queue at once, the one being served included: two or three seconds of work."""
PLACES_OF_AN_ADDRESS = 12
"""Of those, how many one address may hold: a whole table behind one router, all at the same moment."""
SECONDS_TO_TRY_AGAIN = 5
PAUSE = 0.03
"""Seconds before each request in which the processor is free for those who play."""
PAUSE_BEFORE_REFUSAL = 0.1
"""The same before each refusal, whose page has to be drawn: they take turns as well."""
WAITING_FOR_REFUSAL = 100
"""Beyond this many, a refusal is a bare status, sent at once."""

REFUSED = "vesper.refused"
"""The key in a request's scope that makes Django answer with the page of `config.middleware.turned_away`."""


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
        """Whether one more request from this address may wait."""
        return self._places.total() < PLACES and self._places[address] < PLACES_OF_AN_ADDRESS

    async def _serve(self, address: str, scope: dict[str, Any], receive: Any, send: Any) -> None:
        self._places[address] += 1
        try:
            async with self._turn:
                await asyncio.sleep(PAUSE)
                await self.application(scope, receive, send)
        finally:
            self._places -= Counter([address])  # which also forgets an address without a place

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
    """Whether answering this request takes a hash."""
    if scope["method"] != "POST":
        return False
    try:
        return resolve(scope["path"]).view_name in HASHING
    except Resolver404:
        return False


def address_of(scope: Mapping[str, Any]) -> str:
    """The address that the request counts against, as :func:`config.network.client_address` has it."""
    request = HttpRequest()
    forwarded = [value.decode("latin1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    request.META = {"REMOTE_ADDR": (scope.get("client") or [""])[0], "HTTP_X_FORWARDED_FOR": ",".join(forwarded)}
    return client_address(request)
