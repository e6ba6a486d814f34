"""Telling sockets that there is news. A hint says whose view changed, never what changed, and may get lost.

A process has one place in the channel layer for each encounter and audience, whoever many sockets of its own wait for
it: the cost of a group grows with its members. From there the hub hands hints on to the sockets.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any
from weakref import WeakKeyDictionary

from asgiref.sync import async_to_sync
from channels.exceptions import ChannelFull
from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)

Listener = Callable[[dict[str, Any]], Awaitable[None]]

RIGHTS = "rights"
"""The audience of a chronicle's sockets when somebody's rights changed: each asks again whether it may go on."""


def group_of(encounter_id: str, audience: str) -> str:
    """The channel layer's group of an encounter's audience."""
    return f"encounter.{encounter_id}.{audience}"


def table_of(chronicle_id: str) -> str:
    """What stands in an encounter's place where a whole chronicle is meant."""
    return f"chronicle-{chronicle_id}"


def hint(encounter_id: str, audience: str) -> None:
    """Tell every process that an audience's view changed. Fails quietly: heartbeats make up for a lost hint."""
    message = {"type": "hint", "encounter": encounter_id, "audience": audience}
    try:
        async_to_sync(get_channel_layer().group_send)(group_of(encounter_id, audience), message)
    except (TimeoutError, OSError, ChannelFull) as problem:
        logger.warning("A hint could not be sent: %s", problem)
    except Exception:  # whatever a channel layer throws: what the hint is about is saved already
        logger.warning("A hint could not be sent", exc_info=True)


class Hub:
    """One process's sockets, by group, on one event loop."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = {}
        self._receiver: asyncio.Task[None] | None = None
        self._channel = ""
        self._joining = asyncio.Lock()

    async def join(self, group: str, listener: Listener) -> None:
        """Hand hints of a group to a listener from now on."""
        async with self._joining:
            known = self._listeners.setdefault(group, set())
            known.add(listener)
            # Again for every socket: where the layer forgot its groups, the next one to come mends it.
            with _without_layer():
                await self._listen()
                await get_channel_layer().group_add(group, self._channel)

    async def leave(self, group: str, listener: Listener) -> None:
        """Hand that listener no more of them."""
        async with self._joining:
            known = self._listeners.get(group, set())
            known.discard(listener)
            if known:
                return
            self._listeners.pop(group, None)
            with _without_layer():
                await get_channel_layer().group_discard(group, self._channel)
            if not self._listeners and self._receiver:
                self._receiver.cancel()
                self._receiver = None

    async def _listen(self) -> None:
        if self._receiver is None or self._receiver.done():
            self._channel = await get_channel_layer().new_channel("vesper")
            self._receiver = asyncio.create_task(self._receive(self._channel))

    async def _receive(self, channel: str) -> None:
        while True:
            message = await get_channel_layer().receive(channel)
            group = group_of(message["encounter"], message["audience"])
            listeners = list(self._listeners.get(group, ()))
            await asyncio.gather(*(listener(message) for listener in listeners), return_exceptions=True)


@contextlib.contextmanager
def _without_layer() -> Any:
    """Play goes on without a channel layer: hints are lost, and heartbeats bring the news."""
    try:
        yield
    except Exception:
        logger.warning("The channel layer cannot be reached", exc_info=True)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop: a server process has one."""
    loop = asyncio.get_running_loop()
    if loop not in _hubs:
        _hubs[loop] = Hub()
    return _hubs[loop]
