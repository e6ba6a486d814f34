"""Every socket against every role, through the whole application, in one table. A socket without a row fails."""

from __future__ import annotations

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings

from combat.live import consumers, pages
from combat.live.routing import websocket_urlpatterns
from config.asgi import application
from tests.combat.conftest import characters, draft, fight
from tests.combat.sockets import session_of
from tests.communicator import Communicator
from tests.test_leaks import world
from tests.test_permissions import ROLES, rows
from tests.world import World

__all__ = ["characters", "draft", "fight", "world"]  # fixtures

pytestmark = pytest.mark.django_db

OPEN = 0
SIGNED_OUT, NOT_YOURS, NOT_FOUND = consumers.SIGNED_OUT, consumers.NOT_YOURS, consumers.NOT_FOUND
NOBODY = {**dict.fromkeys(ROLES, NOT_FOUND), "guest": SIGNED_OUT}
MEMBERS = {**NOBODY, **dict.fromkeys(ROLES[:4], OPEN)}
STORYTELLER = {**NOBODY, "storyteller": OPEN}
OWN = {**STORYTELLER, "player": OPEN}
SIGNED_IN = {**dict.fromkeys(ROLES, OPEN), "guest": SIGNED_OUT}


def table(world: World) -> dict[str, dict[str, int]]:
    """For each path, who gets a socket, and the code that closes it for others."""
    ids, chronicle = world.ids, world.chronicle.pk
    fight = world.fight.encounter_id
    wall = f"ws/wall/{ids['wall']}"
    return {
        f"ws/encounters/{fight}/": MEMBERS,
        f"ws/encounters/{ids['draft']}/": STORYTELLER,
        f"ws/encounters/{ids['rolls']}/": MEMBERS,
        "ws/encounters/nowhere/": NOBODY,
        "ws/pages/home/me/": SIGNED_IN,
        f"ws/pages/home/{chronicle}/": NOBODY,
        f"ws/pages/chronicle/{chronicle}/": MEMBERS,
        f"ws/pages/settings/{chronicle}/": STORYTELLER,
        f"ws/pages/webhook/{chronicle}/": STORYTELLER,
        f"ws/pages/kinds/{chronicle}/": STORYTELLER,
        f"ws/pages/traits/{chronicle}/": STORYTELLER,
        f"ws/pages/powers/{chronicle}/": STORYTELLER,
        f"ws/pages/bin/{chronicle}/": STORYTELLER,
        f"ws/pages/pages/{chronicle}/": MEMBERS,
        f"ws/pages/page/{ids['open note']}/": MEMBERS,
        f"ws/pages/page/{ids['secret note']}/": STORYTELLER,
        f"ws/pages/page-form/{ids['open note']}/": STORYTELLER,
        f"ws/pages/page-form/{ids['secret note']}/": STORYTELLER,
        f"ws/pages/passage-form/{ids['open passage']}/": STORYTELLER,
        f"ws/pages/passage-form/{ids['secret passage']}/": STORYTELLER,
        f"ws/pages/gear/{chronicle}/": STORYTELLER,
        # Members who may not read a player's sheet see a card; of an NPC they see nothing.
        f"ws/pages/sheet/{ids['character']}/": MEMBERS,
        f"ws/pages/sheet/{ids['hidden character']}/": STORYTELLER,
        f"ws/pages/sheet/{ids['absent character']}/": STORYTELLER,
        f"ws/pages/cast/{chronicle}/": MEMBERS,
        f"ws/pages/ties/{chronicle}/": MEMBERS,
        f"ws/pages/face/{ids['character']}/": MEMBERS,
        f"ws/pages/face/{ids['hidden character']}/": STORYTELLER,
        f"ws/pages/face/{ids['met character']}/": {**STORYTELLER, "other_player": OPEN},
        f"ws/pages/sheet-form/{ids['character']}/": OWN,
        f"ws/pages/sheet-form/{ids['hidden character']}/": STORYTELLER,
        f"ws/pages/experience/{ids['character']}/": OWN,
        f"ws/pages/experience/{ids['hidden character']}/": STORYTELLER,
        f"ws/pages/ledgers/{chronicle}/": STORYTELLER,
        f"ws/pages/desk-notes/{fight}/": STORYTELLER,
        f"ws/pages/desk-notes/{ids['draft']}/": STORYTELLER,
        f"ws/pages/sessions/{chronicle}/": MEMBERS,
        f"ws/pages/session/{ids['session']}/": MEMBERS,
        f"ws/pages/session-form/{ids['session']}/": STORYTELLER,
        f"ws/pages/nothing/{chronicle}/": NOBODY,
        # Anybody with the link, for the fight now on the wall.
        f"{wall}/{fight}/": dict.fromkeys(ROLES, OPEN),
        f"{wall}/{ids['draft']}/": dict.fromkeys(ROLES, NOT_YOURS),
        f"{wall}/{ids['rolls']}/": dict.fromkeys(ROLES, NOT_YOURS),
        f"ws/wall/wrong/{fight}/": dict.fromkeys(ROLES, NOT_FOUND),
        f"ws/wall/{ids['token']}/{fight}/": dict.fromkeys(ROLES, NOT_FOUND),
        "ws/": dict.fromkeys(ROLES, NOT_FOUND),
        f"encounters/{fight}/": dict.fromkeys(ROLES, NOT_FOUND),
    }


async def answer(path: str, cookie: str) -> int:
    """`OPEN` if a frame arrives or the socket stays open; else its close code."""
    headers = [(b"host", b"localhost"), (b"origin", b"http://localhost"), (b"cookie", cookie.encode())]
    socket = Communicator(application, f"/{path}", headers=headers)
    accepted, _subprotocol = await socket.connect()
    assert accepted
    # Every socket sends the current state at once, or its close code.
    sent = await socket.receive_output()
    await socket.disconnect()
    return int(sent["code"]) if sent["type"] == "websocket.close" else OPEN


def test_every_socket_and_every_live_page_has_its_row(world: World) -> None:
    resolved = [route.pattern.match(path) for path in table(world) for route in websocket_urlpatterns]
    kinds = {tuple(sorted(found[2])) for found in resolved if found}
    assert kinds == {tuple(sorted(route.pattern.converters)) for route in websocket_urlpatterns}
    named = {found[2]["name"] for found in resolved if found and "name" in found[2]}
    assert named >= set(pages.PAGES)


@pytest.mark.parametrize("who", ROLES)
def test_who_gets_a_socket(world: World, who: str) -> None:
    consumers._open.clear()  # left over from earlier tests, which did not disconnect
    user = world.people[who]
    cookie = f"{settings.SESSION_COOKIE_NAME}={session_of(user).session_key}" if user else ""
    before = rows()

    async def scenario() -> dict[str, int]:
        return {path: await answer(path, cookie) for path in expected}

    expected = {path: row[who] for path, row in table(world).items()}
    assert async_to_sync(scenario)() == expected
    assert rows() == before
