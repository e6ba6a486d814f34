"""daphne that says goodbye: at the end every socket is told to come back, and every consumer hears that it is over.

The stock server cancels its consumers and drops the connections without a word: pages see a failure, consumers
never leave their groups, and CPython 3.11.7 can crash on the queues that are left (gh-113566).
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import sys
import zlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]  # mypy expects a module

from daphne.server import Server  # first: it installs the asyncio reactor

# isort: split
import daphne.server
from autobahn.websocket.compress import PerMessageDeflateOffer, PerMessageDeflateOfferAccept
from daphne import http_protocol
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from twisted.internet import defer

RESTART = 1012
SECONDS_TO_LEAVE = 3
LONGEST_RECEIVED = 8 * 1024
"""Bytes of one message that a socket takes, in however many frames: far more than a heartbeat has."""


LONGEST_UNREAD = 2 * 1024 * 1024
"""Bytes that wait for somebody who does not read them, beside what the system keeps: more than a page needs to catch
up with, which a new socket brings it at once."""


MOST_OF_STRANGERS = 64 * 1024
"""Bytes of a request's body that anybody may send: a hundred times what it takes to sign in."""

MOST_OF_MEMBERS = 1024 * 1024
"""Bytes that a form of somebody who is signed in may have: four times the longest text that one takes, in the script
that needs most. Parsed it needs eighty times as much memory."""

MOST_OF_FILES = 16 * 1024 * 1024
"""Bytes of a form with a file in it, which goes to the disk: a picture from a phone that is too large for a portrait
is told so by its field."""

SECONDS_TO_READ_A_REFUSAL = 2

SHORTEST_PACKED = 1000
"""Bytes under which a message is sent as it is: a packet takes more."""

PACKED = 0x40
"""The bit of a frame's first byte that says that its content is packed (RFC 7692)."""


@lru_cache(maxsize=32)
def _framed(factory: WebSocketFactory, text: str, *, packs: bool) -> bytes:
    """A text as it goes over the wire, for every socket that is sent the same. `packs`: its page can unpack it."""
    content = text.encode()
    packed = packs and len(content) >= SHORTEST_PACKED
    framed: bytes = factory.prepareMessage(_packed(content) if packed else content, doNotCompress=True).payloadHybi
    return bytes((framed[0] | PACKED,)) + framed[1:] if packed else framed


def _packed(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    # The four bytes with which a flush ends are left out, and put back by whoever unpacks it.
    return (packer.compress(content) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


def _unpacked_by(offers: Iterable[Any]) -> PerMessageDeflateOfferAccept | None:
    """How messages are packed for a page that makes these offers: each by itself, so that all are sent the same bytes.

    What the page itself packs is taken as far as it unpacks to no more than may be received.
    """
    for offer in offers:
        if isinstance(offer, PerMessageDeflateOffer) and not offer.request_max_window_bits:
            return PerMessageDeflateOfferAccept(  # type: ignore[no-untyped-call]  # of autobahn, which has few
                offer, request_no_context_takeover=True, no_context_takeover=True, max_message_size=LONGEST_RECEIVED
            )
    return None


class Capped(WebSocketProtocol):  # type: ignore[misc]  # daphne has no types
    """A socket that is dropped as soon as what it is being sent grows too long, or what it does not read. The library's
    own bound is for both ways at once, and what is sent to pages is longer.

    What it is sent goes to the system at once. The library would have each socket wait for its turn to write, and
    that costs three times what the writing does.
    """

    unread = 0

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:  # noqa: FBT001, FBT002, N802  daphne's
        """Something is to be sent. While the transport asks for a pause, it waits in the memory."""
        self.unread = self.unread + len(content) if self.transport.producerPaused else 0
        if self.unread > LONGEST_UNREAD:
            self.dropConnection(abort=True)
        elif isinstance(content, str) and self.state == self.STATE_OPEN:
            self._write(_framed(self.factory, content, packs=self._perMessageCompress is not None))
        else:
            super().serverSend(content, binary)

    def _write(self, framed: bytes) -> None:
        transport = self.transport
        waits = transport._tempDataLen or len(transport.dataBuffer) > transport.offset or self.send_queue
        if not waits and transport.connected and not transport.disconnecting:
            written = transport.writeSomeData(framed)
            if written == len(framed):
                return
            # A connection that was lost has nothing written: the transport finds out again, and says so.
            framed = framed[written:] if isinstance(written, int) else framed
        transport.write(framed)

    def onMessageFrameBegin(self, length: int) -> None:  # noqa: N802  # the library’s name
        """A frame of a message begins; `length` is its bytes."""
        super().onMessageFrameBegin(length)
        if self.message_data_total_length > LONGEST_RECEIVED and not self.failedByMe:
            self._max_message_size_exceeded(self.message_data_total_length, LONGEST_RECEIVED, "too long")


class Gate:
    """Who may send how much, by the headers "cookie" and "accept-language" of a request. This one knows no members."""

    async def is_member(self, headers: Mapping[str, str]) -> bool:
        """Whether somebody who is signed in sends it."""
        return False

    def too_large(self, headers: Mapping[str, str]) -> bytes:
        """The whole answer to somebody who sends more than they may, with its status and headers."""
        return b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class Bounded(http_protocol.WebRequest):  # type: ignore[misc]  # daphne has no types
    """A request of which no more is read than its sender may send, and whose form is left to Django.

    What is too long is refused by its Content-Length before any of it is read, and without one as soon as it grows too
    long. Whether its sender is a member matters only beyond what anybody may send: nothing more is read until that is
    known. The library would read all there is, and parse it too, on the loop that has the sockets.
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


class Packing(WebSocketFactory):  # type: ignore[misc]  # daphne has no types
    """Opens sockets that are capped, and packs what they are sent."""

    protocol = Capped

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.setProtocolOptions(perMessageCompressionAccept=_unpacked_by)


daphne.server.WebSocketFactory = Packing
http_protocol.WebRequest = Bounded


class GracefulServer(Server):  # type: ignore[misc]  # daphne has no types
    def __init__(self, *given: Any, gate: Gate, **named: Any) -> None:
        super().__init__(*given, **named)
        self.gate = gate

    def kill_all_applications(self) -> Any:
        """Called before the reactor stops, which waits for what this returns."""
        tasks = []
        for protocol, details in list(self.connections.items()):
            if isinstance(protocol, WebSocketProtocol) and protocol.state == protocol.STATE_OPEN:
                # Not `close`, which allows applications 1000 and 3000 to 4999 only.
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


MOST_FILES = 65536


def allow_many_sockets() -> None:
    """Each socket is an open file, and many systems begin with a thousand of them although they allow far more."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


LONGEST_TURN = 0.001
"""Seconds that a thread which works something out keeps the loop, which has all sockets, waiting."""


def keep_what_is_loaded() -> None:
    """What was loaded until now lives as long as the process.

    To look through it again for what nobody needs any more would stop everything for a tenth of a second.
    """
    gc.collect()
    gc.freeze()


M_MMAP_THRESHOLD = -3


def give_memory_back() -> None:
    """Have what was large go back to the system as soon as it is done with, also on threads that live on.

    glibc keeps more of it for itself each time that something larger is freed. Other systems need not be told.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, 1024 * 1024)


def serve(application: Any, host: str, port: int, ready: Any, gate: Gate | None = None) -> bool:
    """Serves until it is told to stop. Returns whether it ever listened."""
    allow_many_sockets()
    give_memory_back()
    keep_what_is_loaded()
    sys.setswitchinterval(LONGEST_TURN)
    server = GracefulServer(
        application,
        gate=gate or Gate(),
        endpoints=[f"tcp:port={port}:interface={host.strip('[]').replace(':', chr(92) + ':')}"],
        # A fight may last longer than a day, and a socket closed for its age would not come back by itself.
        websocket_timeout=-1,
        # Sockets send heartbeats and nothing else; what they are sent (the panes of a long fight) has its own bound.
        websocket_max_message_size=4 * 1024 * 1024,
        websocket_max_frame_size=LONGEST_RECEIVED,
        # No list of what was asked for: the paths of invitations are secrets.
        action_logger=None,
        server_name="",
        ready_callable=ready,
    )
    server.run()
    return not server.abort_start
