"""What a socket is sent goes out at once, whole and in order, however much of it the system takes."""

from __future__ import annotations

from typing import Any

import pytest

from config.server import LONGEST_UNREAD, Capped, WebSocketFactory


class Transport:
    """The system's side: takes so many bytes at once, or says that the connection is lost."""

    connected, disconnecting, producerPaused = True, False, False  # noqa: N815  # the library’s name

    def __init__(self, takes: int | Exception) -> None:
        self.takes = takes
        self.sent, self.dataBuffer, self.offset, self._tempDataLen = b"", b"", 0, 0

    def writeSomeData(self, data: bytes) -> int | Exception:  # noqa: N802  # the library’s name
        if isinstance(self.takes, Exception):
            return self.takes
        self.sent += data[: self.takes]
        return min(len(data), self.takes)

    def write(self, data: bytes) -> None:
        self.dataBuffer += data

    @property
    def on_its_way(self) -> bytes:
        return self.sent + self.dataBuffer


def socket_on(transport: Transport) -> Any:
    made = Capped.__new__(Capped)
    made.factory, made.transport, made.state = WebSocketFactory(None), transport, Capped.STATE_OPEN
    made.send_queue, made._perMessageCompress = [], None
    return made


def framed(text: str) -> bytes:
    content = text.encode()
    assert 125 < len(content) < 1 << 16
    return b"\x81\x7e" + len(content).to_bytes(2, "big") + content


NEWS, MORE = "Ilya is struck. " * 20, "Er fällt. " * 20


@pytest.mark.parametrize(("takes", "waits"), [(10_000, False), (100, True), (0, True)])
def test_what_the_system_does_not_take_waits_and_nothing_overtakes_it(takes: int, waits: bool) -> None:
    transport = Transport(takes)
    socket = socket_on(transport)
    socket.serverSend(NEWS)
    assert bool(transport.dataBuffer) is waits
    socket.serverSend(MORE)
    assert transport.on_its_way == framed(NEWS) + framed(MORE)


def test_a_connection_that_is_lost_is_left_to_the_transport_to_find_out() -> None:
    transport = Transport(ConnectionError("gone"))
    socket_on(transport).serverSend(NEWS)
    assert transport.on_its_way == framed(NEWS)


def test_whoever_reads_nothing_is_dropped_before_it_fills_the_memory() -> None:
    transport = Transport(0)
    transport.producerPaused = True
    socket, dropped = socket_on(transport), list[bool]()
    socket.dropConnection = lambda *, abort: dropped.append(abort)
    while not dropped:
        socket.serverSend(NEWS * 100)
        assert len(transport.on_its_way) < LONGEST_UNREAD + len(NEWS) * 200
    assert dropped == [True]
