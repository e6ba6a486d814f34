"""A TCP proxy on loopback, in front of one or more servers, that can simulate a cut network.

It has its own thread and event loop, so that programs with and without one can use it.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading
from typing import Self

PIECE = 64 * 1024


class Proxy:
    """Forwards each connection to the next of its `ports` that listens.

    While cut, connections stay open, new ones appear to be accepted, and nothing passes in either direction. Data sent
    in the meantime is delivered after `mend`, as when a network recovers.
    """

    def __init__(self, *ports: int) -> None:
        self._turns = itertools.cycle(ports)
        self._most = len(ports)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="proxy", daemon=True)
        self._passing = asyncio.Event()
        self._passing.set()
        self._connections: set[asyncio.Task[None]] = set()
        self.port = 0
        """The port it listens on."""

    @property
    def url(self) -> str:
        """The proxy's URL, to use in place of the servers'."""
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        self.port = asyncio.run_coroutine_threadsafe(self._begin(), self._loop).result(10)
        return self

    def __exit__(self, *_problem: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def cut(self) -> None:
        """Stop forwarding."""
        self._loop.call_soon_threadsafe(self._passing.clear)

    def mend(self) -> None:
        """Forward again, delayed data first."""
        self._loop.call_soon_threadsafe(self._passing.set)

    # ------------------------------------------------------------------ on its own loop

    async def _begin(self) -> int:
        self._server = await asyncio.start_server(self._taken, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def _end(self) -> None:
        self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    async def _taken(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            await self._join(reader, writer)
        except asyncio.CancelledError:
            pass  # the proxy is closing; asyncio's server would log the cancellation
        finally:
            self._connections.discard(task)
            writer.close()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._passing.wait()
        there = await self._server_that_listens()
        if there is None:
            writer.transport.abort()
            return
        try:
            ways = [self._pass(reader, there[1]), self._pass(there[0], writer)]
            tasks = [asyncio.ensure_future(way) for way in ways]
            # Servers close both directions at once: when one ends, end the other.
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            there[1].close()

    async def _server_that_listens(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        for port in itertools.islice(self._turns, self._most):
            with contextlib.suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", port)
        return None

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while piece := await reader.read(PIECE):
            await self._passing.wait()
            writer.write(piece)
            await writer.drain()
