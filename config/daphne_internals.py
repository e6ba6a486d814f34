"""Everything that relies on internals of daphne, autobahn and Twisted, beyond their public interfaces.

Each class says what it changes, why, and what that gains. `tests/config/test_daphne_internals.py` fails as soon as a
library changes something this relies on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from daphne.server import Server  # first: it installs the asyncio reactor

# isort: split
from daphne.http_protocol import WebRequest
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import defer

from config.sockets import BoundedSocket, unpacked_by

RESTART = 1012
SECONDS_TO_LEAVE = 3

MOST_OF_STRANGERS = 64 * 1024
"""Request body limit for everybody, in bytes: a hundred times what signing in takes."""

MOST_OF_MEMBERS = 1024 * 1024
"""Form limit for signed-in users, in bytes: four times the longest text that a form accepts, in the script that takes
most. Parsing it takes eighty times as much memory."""

MOST_OF_FILES = 16 * 1024 * 1024
"""Limit for forms with a file, in bytes; these go to the disk. High enough for a phone's photo that is too large for a
portrait, so that the form can say so."""

SECONDS_TO_READ_A_REFUSAL = 2


class Gate:
    """Decides who may send how much, by a request's "cookie" and "accept-language" headers.

    This default knows no members.
    """

    async def is_member(self, headers: Mapping[str, str]) -> bool:
        """Whether the sender is signed in."""
        return False

    def too_large(self, headers: Mapping[str, str]) -> bytes:
        """The complete response, with status and headers, to a request that is too large."""
        return b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class BoundedRequest(WebRequest):  # type: ignore[misc]  # daphne has no types
    """A request whose body is limited by who sends it, and whose form is parsed by Django alone.

    Overrides what Twisted's channel calls while a request arrives (`gotLength`, `handleContentChunk`,
    `requestReceived`), which is internal to Twisted: daphne only passes on whole requests, and neither has a limit. A
    body that is too long is refused by its Content-Length before any of it is read or, without one, as soon as it
    exceeds the limit. Membership is only looked up above the limit for everybody; reading is paused until the answer is
    there.

    Gains: the libraries read any amount, and parse it, on the loop that serves the sockets. With 600 MB from strangers,
    others waited 3 to 9 s and memory grew by 290 to 400 MiB; now 0.3 to 1.3 s and 5 to 13 MiB (docs/reliability.md,
    `uploads`).
    """

    most = MOST_OF_STRANGERS
    size = 0
    is_refused = False
    asks_first = False
    """Whether the client waits for "100 Continue"."""
    sender: asyncio.Task[bool] | None = None
    """Looks up whether the sender is a member."""
    whole: tuple[bytes, bytes, bytes] | None = None
    """The request line to process once that is known, if the whole body has already arrived."""

    def gotLength(self, length: int | None) -> None:  # noqa: N802  # the library’s name
        """The headers have arrived. `length` is None for a chunked body, whose length is unknown."""
        super().gotLength(length)
        self._let_by(length or 0)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802  # the library’s name
        """Another part of the body has arrived."""
        self.size += len(data)
        self._let_by(self.size)
        if not self.is_refused:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802  # the library’s name
        """The whole request has arrived."""
        if self.is_refused or (self.sender and not self.sender.done()):
            self.whole = command, path, version
            return
        self.content.seek(0)
        self.method, self.uri, self.clientproto = command, path, version
        self.path = path.partition(b"?")[0]
        self.args: dict[bytes, list[bytes]] = {}
        self.process()

    def _let_by(self, size: int) -> None:
        if size <= self.most or self.is_refused:
            return
        if not self.size:
            # Or the channel would send "100 Continue" at once.
            self.asks_first = self.requestHeaders.hasHeader(b"Expect")
            self.requestHeaders.removeHeader(b"Expect")
        kind = (self.getHeader("content-type") or "").lower()
        most = MOST_OF_FILES if kind.startswith("multipart/form-data") else MOST_OF_MEMBERS
        if size > most:
            self._refuse()
        elif self.sender is None:
            self.transport.pauseProducing()
            self.sender = asyncio.ensure_future(self.server.gate.is_member(self._headers()))
            self.sender.add_done_callback(lambda sender: self._go_on(sender, most))

    def _go_on(self, sender: asyncio.Task[bool], most: int) -> None:
        if self.channel is None or sender.cancelled():
            return  # the connection was lost
        if sender.exception() is None and not sender.result():
            self._refuse()
            return
        # If the lookup fails, the request goes through: Django has an error page for that.
        self.most = most
        if self.asks_first:
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        self.transport.resumeProducing()
        if self.whole:
            self.requestReceived(*self.whole)

    def _headers(self) -> dict[str, str]:
        return {name: self.getHeader(name) or "" for name in ("cookie", "accept-language")}

    def _refuse(self) -> None:
        """Respond without reading on, and close the connection, or the rest of the body is taken for a request.

        It closes after a moment: a client that is still sending would lose the response with it.
        """
        self.is_refused = True
        self.transport.pauseProducing()
        self.transport.write(self.server.gate.too_large(self._headers()))
        self.transport.loseWriteConnection()
        asyncio.get_running_loop().call_later(SECONDS_TO_READ_A_REFUSAL, self.transport.abortConnection)


class GracefulServer(Server):  # type: ignore[misc]  # daphne has no types
    """daphne with bounded requests and sockets, and a clean shutdown.

    Replaces what daphne does before its loop ends (`kill_all_applications`): it cancels the consumers and drops the
    connections without a close frame. Sends the code by `sendCloseFrame`, which is internal to autobahn, since its
    `sendClose` only lets applications send 1000 and 3000 to 4999. Sets this package's socket and request classes on the
    factories that daphne makes in `run`, as daphne has no setting for them.

    Gains: of 200 sockets, all are told to reconnect and all consumers receive their disconnect. Daphne alone tells none
    (`bench/sockets.py`): pages see a failure, consumers never leave their groups, and CPython 3.11.7 can crash on the
    leftover queues (gh-113566).
    """

    def __init__(self, *given: Any, gate: Gate, ready_callable: Any, **named: Any) -> None:
        super().__init__(*given, ready_callable=self._use_ours, **named)
        self.gate = gate
        self.listening = ready_callable

    def _use_ours(self) -> None:
        """Called when the factories exist, before the loop serves anybody."""
        self.ws_factory.protocol = BoundedSocket
        self.ws_factory.setProtocolOptions(perMessageCompressionAccept=unpacked_by)
        build = self.http_factory.buildProtocol

        def bounded(address: Any) -> Any:
            channel = build(address)
            channel.requestFactory = BoundedRequest
            return channel

        self.http_factory.buildProtocol = bounded
        self.listening()

    def kill_all_applications(self) -> Any:
        """Called before the reactor stops. The reactor waits for the returned Deferred."""
        tasks = []
        for protocol, details in list(self.connections.items()):
            if isinstance(protocol, WebSocketProtocol) and protocol.state == protocol.STATE_OPEN:
                protocol.sendCloseFrame(code=RESTART, reasonUtf8=b"the server restarts")
                protocol.application_queue.put_nowait({"type": "websocket.disconnect", "code": RESTART})
            task = details.get("application_instance")
            if task is not None and not task.done():
                tasks.append(task)
        return defer.Deferred.fromFuture(asyncio.ensure_future(_end(tasks)))


async def _end(tasks: list[asyncio.Task[None]]) -> None:
    """Let the applications finish, and cancel those that take too long."""
    if not tasks:
        return
    _done, late = await asyncio.wait(tasks, timeout=SECONDS_TO_LEAVE)
    for task in late:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
