"""A page's sockets, as a browser opens them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings
from django.test import Client

from campaigns.session_store import SessionStore
from combat.live.consumers import EncounterConsumer
from tests.communicator import Communicator


def session_of(user: Any) -> SessionStore:
    client = Client()
    client.force_login(user)
    return client.session


def cookies_of(session: Any) -> dict[str, str]:
    """The cookies of a browser with this session, or of one without (None)."""
    return {settings.SESSION_COOKIE_NAME: session.session_key} if session else {}


class Socket(Communicator):
    """A page's socket, opened by a user, or by a guest (None)."""

    def __init__(self, user: Any, encounter_id: str, query: str = "", session: Any = None) -> None:
        super().__init__(EncounterConsumer.as_asgi(), f"/ws/encounters/{encounter_id}/?{query}")
        self.scope["cookies"] = cookies_of(session or (user and session_of(user)))
        self.scope["url_route"] = {"args": (), "kwargs": {"encounter_id": encounter_id}}

    async def code(self) -> int:
        """The code with which it closes."""
        closed = await self.receive_output()
        assert closed["type"] == "websocket.close", closed
        return int(closed["code"])


async def opened(user: Any, encounter_id: str, query: str = "") -> Socket:
    """A socket that a page has just opened."""
    socket = await sync_to_async(Socket)(user, encounter_id, query)
    connected, _ = await socket.connect()
    assert connected
    return socket


def play(scenario: Callable[[], Awaitable[None]]) -> None:
    async_to_sync(scenario)()


def no_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lose every hint."""
    monkeypatch.setattr("combat.live.hub.hint", lambda *_, **_more: None)
    monkeypatch.setattr("combat.live.receivers.hint", lambda *_, **_more: None)
