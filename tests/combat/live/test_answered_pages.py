"""A response contains the panes that a press changed; the socket brings other changes, and lost ones."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.urls import reverse

from combat.panes import versions
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import Table
from tests.combat.sockets import Socket, opened, play

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_panes", "nobody_is_there_yet"), pytest.mark.servers]

PAGE, OTHER_PAGE = "a" * 32, "b" * 32
Presses = Callable[..., Awaitable[Any]]


@pytest.fixture
def presses(fight: Table, signed_in: Any, storyteller: Any, django_capture_on_commit_callbacks: Any) -> Presses:
    """presses("harm", page=PAGE, ...) during an async test, with hints sent -> the response to the Storyteller."""

    def press(name: str, page: str = PAGE, **fields: Any) -> Any:
        headers = {"HX-Request": "true", "Vesper-Page": page}
        with django_capture_on_commit_callbacks(execute=True):
            return signed_in(storyteller).post(
                reverse("combat:do", args=[fight.encounter_id, name]), {"version": now(fight)} | fields, headers=headers
            )

    return sync_to_async(press)


def now(fight: Table) -> int:
    return versions.version_of(fight.encounter, "storyteller")


async def page_of(user: Any, fight: Table, page: str, audience: str = "storyteller") -> Socket:
    """The socket of a page that is up to date."""
    have = await sync_to_async(lambda: versions.version_of(fight.encounter, audience))()
    socket = await opened(user, fight.encounter_id, f"have={have}&audience={audience}&page={page}")
    await socket.send_to(json.dumps({"have": have}))
    assert json.loads(await socket.receive_from()) == {"version": have}
    return socket


def test_what_the_answer_brings_comes_once(fight: Table, storyteller: Any, player: Any, presses: Presses) -> None:
    theirs = f"player-{player.pk}"

    async def scenario() -> None:
        mine = await page_of(storyteller, fight, PAGE)
        my_other = await page_of(storyteller, fight, OTHER_PAGE)
        players = await page_of(player, fight, PAGE, theirs)
        assert "_log.html" in (await presses("initiative", key="one")).content.decode()
        assert "_log.html" in await my_other.receive_from()
        # A page's name means nothing to another audience.
        assert "_log.html" in await players.receive_from()
        assert await mine.receive_nothing()
        for socket in (mine, my_other, players):
            await socket.disconnect()

    play(scenario)


def test_of_presses_one_after_the_other_nothing_comes_twice(fight: Table, storyteller: Any, presses: Presses) -> None:
    async def scenario() -> None:
        socket = await page_of(storyteller, fight, PAGE)
        for turn in range(3):
            assert (await presses("initiative", key=f"press {turn}")).status_code == 200
        assert await socket.receive_nothing()
        await socket.disconnect()

    play(scenario)


def test_what_others_do_comes_from_there_on(fight: Table, storyteller: Any, presses: Presses, acts: Any) -> None:
    async def scenario() -> None:
        socket = await page_of(storyteller, fight, PAGE)
        await presses("initiative", key="one")
        answered = await sync_to_async(now)(fight)
        await acts(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
        news = await socket.receive_from()
        assert f'data-since="{answered}"' in news
        assert "_log.html" in news
        assert await socket.receive_nothing()
        await socket.disconnect()

    play(scenario)


def test_what_was_lost_with_an_answer_comes_with_the_next_heartbeat(
    fight: Table, storyteller: Any, presses: Presses, acts: Any
) -> None:
    async def scenario() -> None:
        socket = await page_of(storyteller, fight, PAGE)
        have = await sync_to_async(now)(fight)
        await presses("initiative", key="one")
        await acts(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
        await socket.receive_from()
        await socket.send_to(json.dumps({"have": have}))
        everything = await socket.receive_from()
        assert f'data-since="{have}"' in everything
        assert "_bar.html" in everything
        await socket.disconnect()

    play(scenario)


def test_a_refusal_brings_no_panes_so_the_socket_does(
    fight: Table, player: Any, signed_in: Any, storyteller: Any, django_capture_on_commit_callbacks: Any
) -> None:
    """The roller sees it first; another player's refused press reveals it to all, but contains no panes."""
    audience = f"player-{player.pk}"

    def refused() -> int:
        headers = {"HX-Request": "true", "Vesper-Page": PAGE}
        with django_capture_on_commit_callbacks(execute=True):
            answer = signed_in(player).post(
                reverse("combat:do", args=[fight.encounter_id, "full-defence"]),
                {"who": fight["Ilya"], "key": "refused"},
                headers=headers,
            )
        return int(answer.status_code)

    def hold() -> None:
        fight.do(commands.Harm(fight["Ilya"], 7, Damage.LETHAL))
        encounter = fight.encounter
        encounter.held = encounter.seq
        # As rendered while it is held.
        from combat.history import records

        versions.advance(encounter, lambda: records.read(fight.encounter), records.read(encounter))
        encounter.save()

    async def scenario() -> None:
        await sync_to_async(hold)()
        socket = await page_of(player, fight, PAGE, audience)
        assert await sync_to_async(refused)() == 422
        assert "lethal" in await socket.receive_from()
        await socket.disconnect()

    play(scenario)
