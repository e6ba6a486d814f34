"""Channel layers that lose a third of their messages, duplicate a tenth, and delay half of the rest."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer

LOST, TWICE, LATE = 1 / 3, 1 / 10, 1 / 2
LONGEST = 0.3
"""The longest delay of a message, in seconds."""

chance = secrets.SystemRandom()


class Lossy:
    """Mixin that makes a layer lossy. Delayed messages arrive out of order."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._on_their_way: set[asyncio.Task[None]] = set()

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send a message never, once or twice, each immediately or delayed."""
        if chance.random() < LOST:
            return
        # A process delivers its own hints itself, and ignores their echo. Here it doesn't, so the echo must count.
        message = {name: value for name, value in message.items() if name != "by"}
        for _copy in range(2 if chance.random() < TWICE else 1):
            if chance.random() < LATE:
                task = asyncio.create_task(self._later(group, message))
                self._on_their_way.add(task)
                task.add_done_callback(self._on_their_way.discard)
            else:
                await self.really_send(group, message)

    async def _later(self, group: str, message: dict[str, Any]) -> None:
        await asyncio.sleep(chance.uniform(0, LONGEST))
        await self.really_send(group, message)

    async def really_send(self, group: str, message: dict[str, Any]) -> None:
        """Send once, at once, as the underlying layer does."""
        await super().group_send(group, message)  # type: ignore[misc]


class LossyMemory(Lossy, InMemoryChannelLayer):  # type: ignore[misc]
    """The in-memory layer, for one process."""


class LossyRedis(Lossy, RedisPubSubChannelLayer):  # type: ignore[misc]
    """The Redis layer, for several processes."""

    async def really_send(self, group: str, message: dict[str, Any]) -> None:
        """This layer has no such method: it looks one up for each event loop."""
        await self.__getattr__("group_send")(group, message)
