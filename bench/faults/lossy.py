"""Channel layers that lose a third of their messages, bring a tenth twice, and half of what they bring late."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any

from channels.layers import InMemoryChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer

LOST, TWICE, LATE = 1 / 3, 1 / 10, 1 / 2
LONGEST = 0.3
"""Seconds by which a message is late at the most."""

chance = secrets.SystemRandom()


class Lossy:
    """What makes a layer so. What is late overtakes, and is overtaken by, what is not."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._on_their_way: set[asyncio.Task[None]] = set()

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send it never, once or twice, each at once or later."""
        if chance.random() < LOST:
            return
        # A process hands its own hints on by itself, and passes over what comes back: not here, where it does not.
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
        """Send it once, at once, as the layer itself does."""
        await super().group_send(group, message)  # type: ignore[misc]


class LossyMemory(Lossy, InMemoryChannelLayer):  # type: ignore[misc]
    """That of one process."""


class LossyRedis(Lossy, RedisPubSubChannelLayer):  # type: ignore[misc]
    """That of several."""

    async def really_send(self, group: str, message: dict[str, Any]) -> None:
        """This layer has no such method: it finds one for each event loop when it is asked for."""
        await self.__getattr__("group_send")(group, message)
