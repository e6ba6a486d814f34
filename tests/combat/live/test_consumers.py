"""The socket: brings the current state, then changes; accepts heartbeats and nothing else."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.management import call_command

from combat.live import consumers, rooms
from combat.live.consumers import EncounterConsumer
from combat.live.hub import group_of, hub
from combat.panes import versions
from combat.secrecy.audiences import player_audience
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import SECRET, Table
from tests.combat.sockets import no_hints, opened, play

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_panes", "nobody_is_there_yet")]


@pytest.mark.servers
def test_it_brings_the_present_and_then_what_changed(fight: Table, player: Any, acts: Any) -> None:
    async def scenario() -> None:
        socket = await opened(player, fight.encounter_id)
        present = await socket.receive_from()
        assert "Ilya" in present
        assert "_scene.html" in present
        await acts(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
        news = await socket.receive_from()
        assert "lethal" in news
        assert "_scene.html" not in news
        assert SECRET not in present + news
        await socket.disconnect()

    play(scenario)


@pytest.mark.servers
@pytest.mark.parametrize("put_back", [False, True])
def test_it_brings_nothing_that_the_page_has(fight: Table, player: Any, put_back: bool) -> None:
    if put_back:
        call_command("restored")
    audience = f"player-{player.pk}"
    have = versions.version_of(fight.encounter, audience)

    async def scenario() -> None:
        socket = await opened(player, fight.encounter_id, f"have={have}&audience={audience}")
        assert await socket.receive_nothing()
        await socket.send_to(json.dumps({"have": have}))
        assert json.loads(await socket.receive_from()) == {"version": have}
        await socket.disconnect()

    play(scenario)


def test_a_page_of_another_audience_gets_everything(fight: Table, player: Any) -> None:
    async def scenario() -> None:
        socket = await opened(player, fight.encounter_id, "have=9999&audience=storyteller")
        assert "_scene.html" in await socket.receive_from()
        await socket.disconnect()

    play(scenario)


@pytest.mark.parametrize("have", ["9" * 5000, "-1", "", "x", "٣"])
def test_a_page_that_claims_nonsense_gets_everything(fight: Table, player: Any, have: str) -> None:
    from urllib.parse import quote

    async def scenario() -> None:
        socket = await opened(player, fight.encounter_id, f"have={quote(have)}&audience=player-{player.pk}")
        assert "_scene.html" in await socket.receive_from()
        await socket.disconnect()

    play(scenario)


@pytest.mark.servers
def test_the_hidden_ones_deeds_send_players_nothing(fight: Table, player: Any, storyteller: Any, acts: Any) -> None:
    async def scenario() -> None:
        players = await opened(player, fight.encounter_id)
        storytellers = await opened(storyteller, fight.encounter_id)
        await players.receive_from()
        await storytellers.receive_from()
        await acts(commands.Harm(fight[SECRET], 1, Damage.LETHAL))
        assert SECRET in await storytellers.receive_from()
        assert await players.receive_nothing()
        await players.disconnect()
        await storytellers.disconnect()

    play(scenario)


@pytest.mark.servers
def test_a_heartbeat_makes_up_for_lost_hints(
    fight: Table, player: Any, acts: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_hints(monkeypatch)

    async def scenario() -> None:
        socket = await opened(player, fight.encounter_id)
        await socket.receive_from()
        await acts(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
        assert await socket.receive_nothing()
        await socket.send_to(json.dumps({"have": 1}))
        assert "lethal" in await socket.receive_from()
        have = await sync_to_async(lambda: versions.version_of(fight.encounter, f"player-{player.pk}"))()
        await socket.send_to(json.dumps({"have": have}))
        assert json.loads(await socket.receive_from()) == {"version": have}
        await socket.disconnect()

    play(scenario)


@pytest.mark.servers
def test_one_place_in_the_layer_for_many_sockets(fight: Table, player: Any, acts: Any) -> None:
    from channels.layers import get_channel_layer

    async def scenario() -> None:
        sockets = [await opened(player, fight.encounter_id) for _ in range(3)]
        for socket in sockets:
            await socket.receive_from()
        # Each layer adds its own prefix to the names.
        ours = f"encounter.{fight.encounter_id}.player-{player.pk}"
        groups = [who for name, who in get_channel_layer().groups.items() if name.endswith(ours)]
        assert [len(group) for group in groups] == [1]
        await acts(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
        for socket in sockets:
            assert "lethal" in await socket.receive_from()
            await socket.disconnect()
        assert not get_channel_layer().groups

    play(scenario)


# ------------------------------------------------------------------ incoming messages


BAD = [
    "hello",
    "{}",
    "[]",
    "null",
    '{"have": -1}',
    '{"have": true}',
    '{"have": "1"}',
    '{"have": 1.5}',
    '{"have": 1, "do": "harm"}',
    '{"have": 99999999999999999999}',
    '{"have": ' + "1" * 300 + "}",
    "[" * 150,
    '{"have": NaN}',
]


@pytest.mark.parametrize("text", BAD)
def test_it_takes_heartbeats_and_nothing_else(fight: Table, player: Any, text: str) -> None:
    async def scenario() -> None:
        socket = await opened(player, fight.encounter_id)
        await socket.receive_from()
        await socket.send_to(text)
        assert await socket.code() == 4400

    before = fight.encounter.seq
    play(scenario)
    assert fight.encounter.seq == before


def test_bytes_are_no_heartbeat(fight: Table, player: Any) -> None:
    async def scenario() -> None:
        socket = await opened(player, fight.encounter_id)
        await socket.receive_from()
        await socket.send_to(bytes_data=b'{"have": 1}')
        assert await socket.code() == 4400

    play(scenario)


def test_a_flood_is_stopped(fight: Table, player: Any) -> None:
    audience = f"player-{player.pk}"
    have = versions.version_of(fight.encounter, audience)

    async def scenario() -> None:
        socket = await opened(player, fight.encounter_id, f"have={have}&audience={audience}")
        for _ in range(31):
            await socket.send_to(json.dumps({"have": have}))
        outputs = [await socket.receive_output() for _ in range(31)]
        assert outputs[-1] == {"type": "websocket.close", "code": 4429}

    play(scenario)


def test_the_eleventh_socket_of_somebody_ends_the_oldest(fight: Table, player: Any, other_player: Any) -> None:
    async def scenario() -> None:
        neighbour = await opened(other_player, fight.encounter_id)
        await neighbour.receive_from()
        sockets = [await opened(player, fight.encounter_id) for _ in range(10)]
        for socket in sockets:
            await socket.receive_from()
        eleventh = await opened(player, fight.encounter_id)
        await eleventh.receive_from()
        assert await sockets[0].code() == 4408
        for socket in (neighbour, sockets[1], eleventh):
            await socket.send_to('{"have": 9999}')
            assert "version" in await socket.receive_from(), "the others go on"

    play(scenario)


def test_a_socket_that_was_closed_makes_room(fight: Table, player: Any) -> None:
    async def scenario() -> None:
        first = await opened(player, fight.encounter_id)
        await first.receive_from()
        for _ in range(12):
            passing = await opened(player, fight.encounter_id)
            await passing.receive_from()
            await passing.disconnect()
        await first.send_to('{"have": 9999}')
        assert "version" in await first.receive_from()

    play(scenario)


# ------------------------------------------------------------------ the end


def test_a_socket_that_fails_is_waited_for_no_more(fight: Table, player: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets no disconnect, so it would otherwise be served for the rest of the process's life."""

    async def scenario() -> None:
        socket = await opened(player, fight.encounter_id)
        await socket.receive_from()
        group = group_of(fight.encounter_id, player_audience(player.pk))
        assert hub()._listeners[group]
        monkeypatch.setattr(EncounterConsumer, "lacking", classmethod(lambda *_: 1 / 0))
        await socket.send_to(json.dumps({"have": 1}))
        with pytest.raises(ZeroDivisionError):
            await socket.receive_output(10)
        assert group not in hub()._listeners
        assert not consumers._open
        assert not rooms._all[asyncio.get_running_loop()]

    play(scenario)
