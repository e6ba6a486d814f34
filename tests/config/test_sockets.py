"""Socket messages are sent at once, complete and in order, however much the system accepts."""

from __future__ import annotations

from typing import Any

import pytest
from autobahn.websocket.protocol import TrafficStats

from config.sockets import LONGEST_UNREAD, BoundedSocket, WebSocketFactory


class Transport:
    """The system's side: accepts this many bytes at once, or reports a lost connection. Keeps the rest."""

    def __init__(self, takes: int | OSError) -> None:
        self.takes = takes
        self.sent, self.waiting = b"", b""

    def getHandle(self) -> Transport:  # noqa: N802  the library’s name
        return self

    def send(self, data: bytes) -> int:
        if isinstance(self.takes, OSError):
            raise self.takes
        assert not self.waiting
        self.sent += data[: self.takes]
        return min(len(data), self.takes)

    def write(self, data: bytes) -> None:
        self.waiting += data

    @property
    def on_its_way(self) -> bytes:
        return self.sent + self.waiting

    def flush_for(self, socket: BoundedSocket) -> None:
        """The loop has run, and the system has accepted everything."""
        self.sent, self.waiting = self.on_its_way, b""
        socket.resumeProducing()


def socket_on(transport: Transport) -> Any:
    made = BoundedSocket()
    made.factory, made.transport, made.state = WebSocketFactory(None), transport, BoundedSocket.STATE_OPEN
    made.trafficStats = TrafficStats()
    made.send_queue, made.websocket_extensions_in_use, made.logOctets = [], [], False
    return made


def framed(text: str) -> bytes:
    content = text.encode()
    assert 125 < len(content) < 1 << 16
    return b"\x81\x7e" + len(content).to_bytes(2, "big") + content


NEWS, MORE = "Ilya is struck. " * 20, "Er fällt. " * 20


@pytest.mark.parametrize(("takes", "waits"), [(10_000, False), (100, True), (0, True), (BlockingIOError("full"), True)])
def test_what_the_system_does_not_take_waits_and_nothing_overtakes_it(takes: int | OSError, waits: bool) -> None:
    transport = Transport(takes)
    socket = socket_on(transport)
    socket.serverSend(NEWS)
    assert bool(transport.waiting) is waits
    socket.serverSend(MORE)
    assert transport.on_its_way == framed(NEWS) + framed(MORE)
    transport.flush_for(socket)
    transport.takes = 10_000
    socket.serverSend(NEWS)
    assert not transport.waiting
    assert transport.sent == framed(NEWS) + framed(MORE) + framed(NEWS)


def test_a_message_does_not_overtake_what_autobahn_sends_by_itself() -> None:
    transport = Transport(10_000)
    socket = socket_on(transport)
    socket.sendData(b"a ping")
    socket.serverSend(NEWS)
    assert transport.waiting == b"a ping" + framed(NEWS)


def test_a_connection_that_is_lost_is_left_to_the_transport_to_find_out() -> None:
    transport = Transport(ConnectionError("gone"))
    socket_on(transport).serverSend(NEWS)
    assert transport.on_its_way == framed(NEWS)


def test_whoever_reads_nothing_is_dropped_before_it_fills_the_memory() -> None:
    transport = Transport(BlockingIOError("full"))
    socket, dropped = socket_on(transport), list[bool]()
    socket.dropConnection = lambda *, abort: dropped.append(abort)
    while not dropped:
        socket.serverSend(NEWS * 100)
        assert len(transport.on_its_way) < LONGEST_UNREAD + len(NEWS) * 200
    assert dropped == [True]
