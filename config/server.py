"""daphne that says goodbye: at the end every socket is told to come back, and every consumer hears that it is over.

The stock server cancels its consumers and drops the connections without a word: pages see a failure, consumers
never leave their groups, and CPython 3.11.7 can crash on the queues that are left (gh-113566).
"""

from __future__ import annotations

import asyncio
import gc
import sys
import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

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


class Capped(WebSocketProtocol):  # type: ignore[misc]
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


class Unread(http_protocol.WebRequest):  # type: ignore[misc]
    """A request whose form is left to Django, which reads it on a thread.

    The library would read it too, uploads and all, on the loop that has the sockets.
    """

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802  # the library’s name
        """All of it is there."""
        self.content.seek(0)
        self.method, self.uri, self.clientproto = command, path, version
        self.path = path.partition(b"?")[0]
        self.args: dict[bytes, list[bytes]] = {}
        self.process()


class Packing(WebSocketFactory):  # type: ignore[misc]
    """Opens sockets that are capped, and packs what they are sent."""

    protocol = Capped

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.setProtocolOptions(perMessageCompressionAccept=_unpacked_by)


daphne.server.WebSocketFactory = Packing
http_protocol.WebRequest = Unread


class GracefulServer(Server):  # type: ignore[misc]  # daphne has no types
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


def serve(application: Any, host: str, port: int, ready: Any) -> bool:
    """Serves until it is told to stop. Returns whether it ever listened."""
    allow_many_sockets()
    keep_what_is_loaded()
    sys.setswitchinterval(LONGEST_TURN)
    server = GracefulServer(
        application,
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
