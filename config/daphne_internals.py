"""Everything that depends on how daphne, autobahn and Twisted work inside, and that no public interface offers.

Each class says what it changes, why, and what that gains. `tests/config/test_daphne_internals.py` fails as soon as a
library changes anything this relies on.
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
"""Bytes of a request's body that anybody may send: a hundred times what it takes to sign in."""

MOST_OF_MEMBERS = 1024 * 1024
"""Bytes that a form of somebody who is signed in may have: four times the longest text that one takes, in the script
that needs most. Parsed it needs eighty times as much memory."""

MOST_OF_FILES = 16 * 1024 * 1024
"""Bytes of a form with a file in it, which goes to the disk: a picture from a phone that is too large for a portrait
is told so by its field."""

SECONDS_TO_READ_A_REFUSAL = 2


class Gate:
    """Who may send how much, by the headers "cookie" and "accept-language" of a request. This one knows no members."""

    async def is_member(self, headers: Mapping[str, str]) -> bool:
        """Whether somebody who is signed in sends it."""
        return False

    def too_large(self, headers: Mapping[str, str]) -> bytes:
        """The whole answer to somebody who sends more than they may, with its status and headers."""
        return b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class BoundedRequest(WebRequest):  # type: ignore[misc]  # daphne has no types
    """A request of which no more is read than its sender may send, and whose form is left to Django.

    Changes what Twisted's channel tells a request while it arrives (`gotLength`, `handleContentChunk`,
    `requestReceived`), which Twisted keeps to itself: daphne hands a request on only when it is whole, and neither
    offers a limit. What is too long is refused by its Content-Length before any of it is read, and without one as soon
    as it grows too long. Whether its sender is a member matters only beyond what anybody may send: nothing more is read
    until that is known.

    Gains: the libraries read all there is, and parse it too, on the loop that has the sockets. With 600 MB from
    strangers, others waited 3 to 9 s and the memory grew by 290 to 400 MiB; now 0.3 to 1.3 s and 5 to 13 MiB
    (docs/reliability.md, `uploads`).
    """

    most = MOST_OF_STRANGERS
    size = 0
    is_refused = False
    asks_first = False
    """Whether its sender waits to be told to go on."""
    sender: asyncio.Task[bool] | None = None
    """Finds out who it is."""
    whole: tuple[bytes, bytes, bytes] | None = None
    """What is to be answered once that is known, if it all was there already."""

    def gotLength(self, length: int | None) -> None:  # noqa: N802  # the library’s name
        """The headers are there. `length` is None for a body in chunks, whose end is not known."""
        super().gotLength(length)
        self._let_by(length or 0)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802  # the library’s name
        """Some more of the body."""
        self.size += len(data)
        self._let_by(self.size)
        if not self.is_refused:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802  # the library’s name
        """All of it is there."""
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
            # Else the channel would ask for the body at once.
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
        # A database that cannot be asked keeps nobody out: Django says so in words.
        self.most = most
        if self.asks_first:
            self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        self.transport.resumeProducing()
        if self.whole:
            self.requestReceived(*self.whole)

    def _headers(self) -> dict[str, str]:
        return {name: self.getHeader(name) or "" for name in ("cookie", "accept-language")}

    def _refuse(self) -> None:
        """Answer without reading on, and end the connection, since the rest of the body would be taken for a request.

        It ends after a moment: whoever is still sending would otherwise lose the answer with it.
        """
        self.is_refused = True
        self.transport.pauseProducing()
        self.transport.write(self.server.gate.too_large(self._headers()))
        self.transport.loseWriteConnection()
        asyncio.get_running_loop().call_later(SECONDS_TO_READ_A_REFUSAL, self.transport.abortConnection)


class GracefulServer(Server):  # type: ignore[misc]  # daphne has no types
    """daphne with bounded requests and sockets, that says goodbye.

    Replaces what daphne does before its loop ends (`kill_all_applications`): it cancels the consumers and drops the
    connections without a word. Sends the code by `sendCloseFrame`, which autobahn calls internal, since its `sendClose`
    allows applications 1000 and 3000 to 4999 only. Takes the sockets and requests of this package by way of the
    factories that daphne makes in `run`; it has no setting for them.

    Gains: of 200 sockets, all are told to come back and all consumers hear that theirs is gone; by itself daphne tells
    none (`bench/sockets.py`), so that pages see a failure, consumers never leave their groups, and CPython 3.11.7 can
    crash on the queues that are left (gh-113566).
    """

    def __init__(self, *given: Any, gate: Gate, ready_callable: Any, **named: Any) -> None:
        super().__init__(*given, ready_callable=self._use_ours, **named)
        self.gate = gate
        self.listening = ready_callable

    def _use_ours(self) -> None:
        """The factories exist, and the loop that would answer anybody has not begun."""
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
        """Called before the reactor stops, which waits for what this returns."""
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
    """Let the applications finish what they do, and cancel those that take too long."""
    if not tasks:
        return
    _done, late = await asyncio.wait(tasks, timeout=SECONDS_TO_LEAVE)
    for task in late:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
