"""A socket without a server: what a consumer receives and sends."""

from __future__ import annotations

from typing import Any

from channels.testing import WebsocketCommunicator

PATIENCE = 20
"""Seconds to wait for output. Channels' own single second is too short on a busy machine."""


class Communicator(WebsocketCommunicator):
    """Waits patiently for output, but detects its absence as quickly as before."""

    async def receive_output(self, timeout: float = PATIENCE) -> Any:
        return await super().receive_output(max(timeout, PATIENCE))

    async def wait(self, timeout: float = PATIENCE) -> None:
        await super().wait(max(timeout, PATIENCE))
