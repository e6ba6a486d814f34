"""Messages that arrive after the server has closed a socket: they are ignored, and nothing fails."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.conf import settings

from campaigns.models import Membership
from combat.live import consumers, wall
from combat.live.consumers import (
    BAD_MESSAGE,
    CROWDED,
    MESSAGES,
    MOST_SOCKETS,
    NOT_FOUND,
    NOT_YOURS,
    SIGNED_OUT,
    TOO_MANY,
)
from config.asgi import application
from tests.combat.conftest import Table
from tests.combat.sockets import no_hints, session_of
from tests.communicator import Communicator

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_panes", "nobody_is_there_yet")]

HEARTBEATS = {"fight": '{"have": 0}', "wall": '{"have": 0}', "page": '{"have": ""}'}
KINDS = list(HEARTBEATS)


class Place:
    """A table with the paths of its sockets, one of each type."""

    def __init__(self, fight: Table, player: Any) -> None:
        self.fight = fight
        self.open_sockets: list[Communicator] = []
        self.player = player
        self.by = Membership.objects.get(chronicle=fight.encounter.chronicle, user=fight.storyteller)
        self.cookie = f"{settings.SESSION_COOKIE_NAME}={session_of(player).session_key}"
        self.paths = {
            "fight": f"/ws/encounters/{fight.encounter_id}/",
            "wall": f"/ws/wall/{wall.open_wall(by=self.by)}/{fight.encounter_id}/",
            "page": f"/ws/pages/chronicle/{fight.encounter.chronicle_id}/",
        }

    async def open(self, path: str, cookie: str) -> Communicator:
        """A socket that was just accepted."""
        headers = [(b"host", b"localhost"), (b"origin", b"http://localhost"), (b"cookie", cookie.encode())]
        socket = Communicator(application, path, headers=headers)
        assert (await socket.connect())[0]
        return socket

    async def opened(self, kind: str) -> Communicator:
        """A socket that has received the current state. Kept, as asgiref cancels a communicator without a reference."""
        self.open_sockets.append(await self.open(self.paths[kind], self.cookie))
        await self.open_sockets[-1].receive_from()
        return self.open_sockets[-1]

    def lose(self, kind: str) -> None:
        """Take away the right to see it."""
        if kind == "wall":
            wall.close_wall(by=self.by)
        else:
            Membership.objects.filter(chronicle=self.by.chronicle_id, user=self.player).delete()


@pytest.fixture
def place(fight: Table, player: Any, monkeypatch: pytest.MonkeyPatch) -> Place:
    no_hints(monkeypatch)
    return Place(fight, player)


async def ends_quietly(socket: Communicator, kind: str, code: int) -> None:
    """It is closed with this code, and anything its page sends before it knows is ignored."""
    assert await socket.receive_output() == {"type": "websocket.close", "code": code}
    for text in (HEARTBEATS[kind], "rubbish", *[HEARTBEATS[kind]] * MESSAGES):
        await socket.send_to(text)
    assert await socket.receive_nothing()
    await socket.disconnect()  # re-raises the consumer's exception


@pytest.mark.parametrize(
    ("kind", "path", "signed_in", "code"),
    [
        ("fight", "/ws/encounters/nowhere/", True, NOT_FOUND),
        ("fight", "/ws/encounters/nowhere/", False, SIGNED_OUT),
        ("wall", "/ws/wall/wrong/nowhere/", True, NOT_FOUND),
        ("wall", "", True, NOT_YOURS),
        ("page", "/ws/pages/chronicle/nowhere/", True, NOT_FOUND),
        ("page", "/ws/pages/home/me/", False, SIGNED_OUT),
        ("page", "/ws/nothing/", True, NOT_FOUND),
    ],
)
def test_one_that_was_refused(place: Place, kind: str, path: str, signed_in: bool, code: int) -> None:
    elsewhere = path or place.paths["wall"].replace(place.fight.encounter_id, "another")

    async def scenario() -> None:
        await ends_quietly(await place.open(elsewhere, place.cookie if signed_in else ""), kind, code)

    async_to_sync(scenario)()


async def rubbish(place: Place, kind: str, socket: Communicator) -> None:
    await socket.send_to("rubbish")


async def flood(place: Place, kind: str, socket: Communicator) -> None:
    for _message in range(MESSAGES):
        await socket.send_to(HEARTBEATS[kind])
        await socket.receive_output()
    await socket.send_to(HEARTBEATS[kind])


async def crowd(place: Place, kind: str, socket: Communicator) -> None:
    for _socket in range(MOST_SOCKETS):
        await place.opened(kind)


async def lose(place: Place, kind: str, socket: Communicator) -> None:
    await sync_to_async(place.lose)(kind)
    await socket.send_to(HEARTBEATS[kind])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("end", "code"),
    [
        (rubbish, BAD_MESSAGE),
        (flood, TOO_MANY),
        (crowd, CROWDED),
        pytest.param(lose, NOT_YOURS, marks=pytest.mark.servers),
    ],
    ids=["rubbish", "flood", "crowd", "lost"],
)
def test_one_that_was_open(
    place: Place, kind: str, end: Callable[[Place, str, Communicator], Awaitable[None]], code: int
) -> None:
    consumers._open.clear()  # left over from earlier tests, which did not disconnect

    async def scenario() -> None:
        socket = await place.opened(kind)
        await end(place, kind, socket)
        await ends_quietly(socket, kind, code)

    async_to_sync(scenario)()
