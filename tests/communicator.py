"""A socket without a server: what a consumer would be told, and what it sends."""

from __future__ import annotations

from typing import Any

from channels.testing import WebsocketCommunicator

PATIENCE = 20
"""Seconds for an answer. Channels' own one passes on a machine that has more to do."""


class Communicator(WebsocketCommunicator):
    """Waits for what comes as long as it may take; that nothing comes it finds out as quickly as ever."""

    async def receive_output(self, timeout: float = PATIENCE) -> Any:
        return await super().receive_output(max(timeout, PATIENCE))

    async def wait(self, timeout: float = PATIENCE) -> None:
        await super().wait(max(timeout, PATIENCE))
