"""What a page is sent over its socket: packed and framed once for all who are sent the same, and written at once.

Everything here is done through interfaces that daphne, autobahn and Twisted mean others to use; what is not is in
`config/daphne_internals.py`.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import daphne.server  # noqa: F401  first: it installs the asyncio reactor

# isort: split
from autobahn.websocket.compress import PerMessageDeflateOffer, PerMessageDeflateOfferAccept
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol

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
def _framed(factory: WebSocketFactory, content: str | bytes, *, packs: bool) -> bytes:
    """A message as it goes over the wire, for every socket that is sent the same. `packs`: its page can unpack it."""
    binary = isinstance(content, bytes)
    plain = content if isinstance(content, bytes) else content.encode()
    packed = packs and len(plain) >= SHORTEST_PACKED
    message = factory.prepareMessage(_packed(plain) if packed else plain, isBinary=binary, doNotCompress=True)
    framed: bytes = message.payloadHybi
    return bytes((framed[0] | PACKED,)) + framed[1:] if packed else framed


def _packed(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    # The four bytes with which a flush ends are left out, and put back by whoever unpacks it.
    return (packer.compress(content) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


def unpacked_by(offers: Iterable[Any]) -> PerMessageDeflateOfferAccept | None:
    """How messages are packed for a page that makes these offers: each by itself, so that all are sent the same bytes.

    What the page itself packs is taken if it unpacks to no more than may be received.
    """
    for offer in offers:
        if isinstance(offer, PerMessageDeflateOffer) and not offer.request_max_window_bits:
            return PerMessageDeflateOfferAccept(  # type: ignore[no-untyped-call]  # of autobahn, which has few
                offer, request_no_context_takeover=True, no_context_takeover=True, max_message_size=LONGEST_RECEIVED
            )
    return None


class BoundedSocket(WebSocketProtocol):  # type: ignore[misc]  # daphne has no types
    """A socket that is dropped when too much waits for its page to read, and that writes without waiting for a turn.

    It is its transport's pull producer (Twisted's `IPullProducer`), and so is told whenever the transport has nothing
    left to send. Until the transport is given more, messages go to the system right away: the transport by itself
    would keep each until the loop's next turn, which takes the processor twice as long (`bench/sockets.py`).
    """

    waiting = 0
    """Bytes given to the transport since it last had nothing to send."""

    def connectionMade(self) -> None:  # noqa: N802  Twisted's
        """The connection is a socket's from now on, and no longer HTTP's."""
        super().connectionMade()
        self.transport.unregisterProducer()
        self.transport.registerProducer(self, False)

    def resumeProducing(self) -> None:  # noqa: N802  Twisted's
        """The transport has sent everything."""
        self.waiting = 0

    def stopProducing(self) -> None:  # noqa: N802  Twisted's
        """The connection is lost, which the protocol is told too."""

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:  # noqa: FBT001, FBT002, N802  autobahn's
        """Hands bytes to the transport: messages, and autobahn's own handshakes, pings and goodbyes."""
        self.waiting += len(data)
        super().sendData(data, sync, chopsize)

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:  # noqa: FBT001, FBT002, N802  daphne's
        """Sends a message, and drops the connection if too much waits."""
        if self.state != self.STATE_OPEN:
            super().serverSend(content, binary)
        elif self.waiting > LONGEST_UNREAD:
            self.dropConnection(abort=True)
        else:
            self._write(_framed(self.factory, content, packs=bool(self.websocket_extensions_in_use)))

    def _write(self, framed: bytes) -> None:
        if not self.waiting:
            # Where the system takes nothing, or the connection is lost, the transport finds out and deals with it.
            with contextlib.suppress(OSError):
                framed = framed[self.transport.getHandle().send(framed) :]
        if framed:
            self.sendData(framed)
