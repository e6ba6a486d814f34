"""What pages receive over their sockets: each message is compressed and framed once for all recipients, and written at
once.

This module only uses public interfaces of daphne, autobahn and Twisted; the rest is in `config/daphne_internals.py`.
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
"""Limit for a received message in bytes, over all its frames: far more than a heartbeat."""

LONGEST_UNREAD = 2 * 1024 * 1024
"""Limit of unread bytes per socket, beyond the system's buffer: more than a page needs, and a dropped page reconnects
and gets everything at once."""

SHORTEST_PACKED = 1000
"""Shorter messages, in bytes, are not compressed: they fit into one packet anyway."""

PACKED = 0x40
"""RSV1, the bit in a frame's first byte that marks it as compressed (RFC 7692)."""


@lru_cache(maxsize=32)
def _framed(factory: WebSocketFactory, content: str | bytes, *, packs: bool) -> bytes:
    """A message's bytes on the wire, cached for all sockets that receive it. `packs`: the page accepts compression."""
    binary = isinstance(content, bytes)
    plain = content if isinstance(content, bytes) else content.encode()
    packed = packs and len(plain) >= SHORTEST_PACKED
    message = factory.prepareMessage(_packed(plain) if packed else plain, isBinary=binary, doNotCompress=True)
    framed: bytes = message.payloadHybi
    return bytes((framed[0] | PACKED,)) + framed[1:] if packed else framed


def _packed(content: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    # RFC 7692: drop the flush's last four bytes, which the receiver appends again.
    return (packer.compress(content) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


def unpacked_by(offers: Iterable[Any]) -> PerMessageDeflateOfferAccept | None:
    """Accept one of a page's compression offers: each message by itself (no context takeover), so that all get the same
    bytes.

    Messages compressed by the page are accepted if they unpack to no more than the limit.
    """
    for offer in offers:
        if isinstance(offer, PerMessageDeflateOffer) and not offer.request_max_window_bits:
            return PerMessageDeflateOfferAccept(  # type: ignore[no-untyped-call]  # of autobahn, which has few
                offer, request_no_context_takeover=True, no_context_takeover=True, max_message_size=LONGEST_RECEIVED
            )
    return None


class BoundedSocket(WebSocketProtocol):  # type: ignore[misc]  # daphne has no types
    """A socket that is dropped when its page reads too slowly, and that writes without waiting for the loop's next
    turn.

    It is its transport's pull producer (Twisted's `IPullProducer`), and so is called whenever the transport has sent
    everything. Until the transport gets more, messages go straight to the system. The transport alone would keep each
    until the loop's next turn, which takes twice the CPU time (`bench/sockets.py`).
    """

    waiting = 0
    """Bytes given to the transport since it was last empty."""

    def connectionMade(self) -> None:  # noqa: N802  Twisted's
        """The connection has changed from HTTP to a WebSocket."""
        super().connectionMade()
        self.transport.unregisterProducer()
        self.transport.registerProducer(self, False)

    def resumeProducing(self) -> None:  # noqa: N802  Twisted's
        """The transport has sent everything."""
        self.waiting = 0

    def stopProducing(self) -> None:  # noqa: N802  Twisted's
        """The connection is lost; the protocol is notified separately."""

    def sendData(self, data: bytes, sync: bool = False, chopsize: int | None = None) -> None:  # noqa: FBT001, FBT002, N802  autobahn's
        """Give bytes to the transport: messages, and autobahn's own handshakes, pings and close frames."""
        self.waiting += len(data)
        super().sendData(data, sync, chopsize)

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:  # noqa: FBT001, FBT002, N802  daphne's
        """Send a message, or drop the connection if too much is unread."""
        if self.state != self.STATE_OPEN:
            super().serverSend(content, binary)
        elif self.waiting > LONGEST_UNREAD:
            self.dropConnection(abort=True)
        else:
            self._write(_framed(self.factory, content, packs=bool(self.websocket_extensions_in_use)))

    def _write(self, framed: bytes) -> None:
        if not self.waiting:
            # If the system takes nothing, or the connection is lost, the transport notices and handles it.
            with contextlib.suppress(OSError):
                framed = framed[self.transport.getHandle().send(framed) :]
        if framed:
            self.sendData(framed)
