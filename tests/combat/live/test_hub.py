"""Hints between processes: nobody waits for a channel layer that is away, and it recovers when it returns."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import time
from collections.abc import Awaitable, Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.conf import settings

from campaigns import outage
from combat.live import hub as broadcast
from combat.live.hub import Hub, Message, group_of, hint, hub

GROUP = group_of("fight", "table")
MESSAGE = {"type": "hint", "encounter": "fight", "audience": "table"}


class Moody(InMemoryChannelLayer):  # type: ignore[misc]  # channels has no types
    """A channel layer that can be made to fail or to hang."""

    mood = "well"

    async def _suffer(self) -> None:
        if self.mood == "failing":
            raise ConnectionError("away")
        if self.mood == "silent":
            await asyncio.sleep(60)

    async def group_add(self, *given: Any) -> None:
        await self._suffer()
        await super().group_add(*given)

    async def group_discard(self, *given: Any) -> None:
        await self._suffer()
        await super().group_discard(*given)

    async def group_send(self, *given: Any) -> None:
        await self._suffer()
        await super().group_send(*given)


class Page:
    """A listening page."""

    def __init__(self) -> None:
        self.heard = asyncio.Event()

    def __call__(self, _message: Message) -> None:
        self.heard.set()

    async def hears(self, *, within: float = 30) -> bool:
        try:
            await asyncio.wait_for(self.heard.wait(), within)
        except TimeoutError:
            return False
        self.heard.clear()
        return True


@pytest.fixture
def layer(monkeypatch: pytest.MonkeyPatch) -> Moody:
    made = Moody()
    monkeypatch.setattr(broadcast, "get_channel_layer", lambda: made)
    return made


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "PATIENCE", 0.2)
    monkeypatch.setattr(broadcast, "SECONDS_BETWEEN_TRIES", 0.2)
    monkeypatch.setattr(broadcast, "_outage", outage.Outage())
    monkeypatch.setattr(outage, "SECONDS", 0.2)


def play(scenario: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(scenario())  # type: ignore[arg-type]


@pytest.mark.parametrize("mood", ["failing", "silent"])
def test_who_comes_while_the_layer_is_away_is_let_in_at_once_and_hears_when_it_is_back(layer: Moody, mood: str) -> None:
    async def scenario() -> None:
        hub, first, second = Hub(), Page(), Page()
        layer.mood = mood
        begun = time.monotonic()
        await hub.join(GROUP, first)
        await hub.join(group_of("fight", "storyteller"), second)
        assert time.monotonic() - begun < 10
        assert not await first.hears(within=0.1)
        layer.mood = "well"
        # Both catch up, and receive hints from now on.
        assert await first.hears()
        assert await second.hears()
        await layer.group_send(GROUP, MESSAGE)
        assert await first.hears()
        assert not await second.hears(within=0.1)
        await hub.leave(GROUP, first)
        await hub.leave(group_of("fight", "storyteller"), second)

    play(scenario)


def test_a_layer_that_is_lost_is_looked_for_again(layer: Moody, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        hub, page = Hub(), Page()
        receive, broken = layer.receive, asyncio.Event()

        async def receive_until_broken(channel: str) -> Any:
            waiting = asyncio.ensure_future(receive(channel))
            done, _ = await asyncio.wait([waiting, asyncio.ensure_future(broken.wait())], return_when="FIRST_COMPLETED")
            if waiting in done:
                return waiting.result()
            waiting.cancel()
            broken.clear()
            raise ConnectionError("away")

        monkeypatch.setattr(layer, "receive", receive_until_broken)
        await hub.join(GROUP, page)
        await layer.group_send(GROUP, MESSAGE)
        assert await page.hears()
        broken.set()
        assert await page.hears()
        await layer.group_send(GROUP, MESSAGE)
        assert await page.hears()
        await hub.leave(GROUP, page)

    play(scenario)


def test_who_leaves_while_the_layer_is_away_leaves(layer: Moody) -> None:
    async def scenario() -> None:
        hub, page = Hub(), Page()
        await hub.join(GROUP, page)
        layer.mood = "failing"
        await hub.leave(GROUP, page)
        layer.mood = "well"
        await layer.group_send(GROUP, MESSAGE)
        assert not await page.hears(within=0.3)

    play(scenario)


@pytest.mark.parametrize("mood", ["well", "failing", "silent"])
def test_the_sockets_of_the_process_itself_hear_once_whatever_the_layer_does(layer: Moody, mood: str) -> None:
    async def scenario() -> None:
        page, other, heard = Page(), Page(), []

        def listener(message: Message) -> None:
            heard.append(message)
            page(message)

        await hub().join(GROUP, listener)
        await hub().join(group_of("fight", "storyteller"), other)
        await hub().join(group_of("elsewhere", "table"), other)
        layer.mood = mood
        await asyncio.to_thread(hint, "fight", "table", "storyteller")
        assert await page.hears()
        assert await other.hears()
        # The layer's echo is not delivered again; another process's hint is.
        assert not await page.hears(within=0.3)
        assert len(heard) == 1
        assert not await other.hears(within=0)
        layer.mood = "well"
        await layer.group_send(GROUP, MESSAGE)
        assert await page.hears()
        await hub().leave(GROUP, listener)
        for group in (group_of("fight", "storyteller"), group_of("elsewhere", "table")):
            await hub().leave(group, other)

    play(scenario)


def test_a_hint_into_silence_keeps_nobody_waiting_twice(layer: Moody, monkeypatch: pytest.MonkeyPatch) -> None:
    layer.mood = "silent"
    monkeypatch.setattr(outage, "SECONDS", 60)
    monkeypatch.setattr(broadcast, "PATIENCE", 1)
    begun = time.monotonic()
    for _ in range(20):
        hint("fight", "table")
    assert time.monotonic() - begun < 10


def test_hints_go_out_again_after_a_silence(layer: Moody) -> None:
    layer.mood = "silent"
    hint("fight", "table")
    layer.mood = "well"
    time.sleep(0.3)
    heard: list[str] = []

    async def group_send(group: str, _message: Any) -> None:
        heard.append(group)

    layer.group_send = group_send
    hint("fight", "table")
    assert heard == [GROUP]


# With Redis -----------------------------------------------------------------------------------------------------


def own_servers() -> Any:
    path = Path(settings.BASE_DIR, "script", "test_servers.py")
    spec = importlib.util.spec_from_file_location("test_servers", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def redis() -> Iterator[Any]:
    """A Redis for this test, which may stop and start it."""
    servers = own_servers()
    if not servers.program("redis-server"):
        assert not os.environ.get("CI") or not servers.listens(6379), "a Redis runs here, and its program is not found"
        pytest.skip("no Redis: apt-get install redis-server")
    with servers.Redis() as started:
        yield started


def test_processes_hear_each_other_and_again_after_redis_was_away(redis: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broadcast, "PATIENCE", 2)

    async def scenario() -> None:
        config = settings_for(redis.url)
        here, elsewhere = RedisPubSubChannelLayer(**config), RedisPubSubChannelLayer(**config)
        monkeypatch.setattr(broadcast, "get_channel_layer", lambda: here)
        hub, page, late = Hub(), Page(), Page()
        await hub.join(GROUP, page)
        await elsewhere.group_send(GROUP, MESSAGE)
        assert await page.hears()

        await asyncio.to_thread(redis.end)
        begun = time.monotonic()
        await hub.join(group_of("fight", "storyteller"), late)
        assert time.monotonic() - begun < 10

        await asyncio.to_thread(redis.start)
        assert await late.hears(within=10)
        assert await page.hears(within=10)
        for _ in range(20):  # the other process must reconnect too
            try:
                await elsewhere.group_send(GROUP, MESSAGE)
            except Exception:
                continue
            if await page.hears(within=0.5):
                break
        else:
            pytest.fail("nothing was heard after Redis was back")
        await hub.leave(GROUP, page)
        await hub.leave(group_of("fight", "storyteller"), late)
        await here.flush()
        await elsewhere.flush()

    play(scenario)


def settings_for(url: str) -> dict[str, Any]:
    return {"hosts": [{"address": url, "socket_connect_timeout": 2, "socket_timeout": 2}], "prefix": "vesper"}


def test_what_a_hint_starts_is_no_part_of_the_request_that_gave_it(layer: Moody) -> None:
    """Otherwise it would query the database on the thread that the request occupies."""
    request = ContextVar("request", default="none")

    async def scenario() -> None:
        heard, met = asyncio.Event(), list[str]()

        def listener(_message: Message) -> None:
            met.append(request.get())
            heard.set()

        def act() -> None:
            request.set("a press")
            hint("fight", "table")

        await hub().join(GROUP, listener)
        await asyncio.to_thread(act)
        await asyncio.wait_for(heard.wait(), 20)
        assert met == ["none"]
        await hub().leave(GROUP, listener)

    play(scenario)


def test_who_leaves_a_layer_that_is_away_keeps_nobody_out(layer: Moody) -> None:
    async def scenario() -> None:
        hub, pages = Hub(), [Page() for _ in range(10)]
        groups = [group_of("fight", f"player-{number}") for number in range(len(pages))]
        for group, page in zip(groups, pages, strict=True):
            await hub.join(group, page)
        layer.mood = "silent"
        begun = time.monotonic()
        leaving = [
            asyncio.create_task(hub.leave(group, page)) for group, page in zip(groups[1:], pages[1:], strict=True)
        ]
        await asyncio.sleep(0)
        await hub.join(GROUP, Page())
        await asyncio.gather(*leaving)
        # The first request finds out that it is away, and waits for the full timeout.
        assert time.monotonic() - begun < 2 * broadcast.PATIENCE
        layer.mood = "well"
        assert await pages[0].hears()

    play(scenario)
