"""The lower bound: one process, one durable commit, the same bytes to as many sockets. Nothing is checked.

    python bench/live/bare.py PORT DATABASE

`POST /frames/KIND` sets what is sent to the sockets opened at `/KIND`; `POST /act` commits a row, sends the frames to
all, and answers.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import sqlite3
import struct
import sys

MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, section 1.3


class Bare:
    """What the process's connections share."""

    def __init__(self, database: str) -> None:
        self.sockets: dict[str, list[asyncio.Transport]] = {}
        self.frames: dict[str, bytes] = {}
        self.database = sqlite3.connect(database, isolation_level=None)
        for setting in ("journal_mode=WAL", "synchronous=FULL"):
            self.database.execute(f"PRAGMA {setting}")
        self.database.execute("CREATE TABLE log (seq INTEGER PRIMARY KEY, row TEXT)")

    def act(self, row: bytes) -> None:
        self.database.execute("INSERT INTO log (row) VALUES (?)", (row.decode(),))
        for kind, sockets in self.sockets.items():
            for transport in sockets:
                transport.write(self.frames[kind])


class Connection(asyncio.Protocol):
    """One request at a time. After an upgrade nothing more is read."""

    def __init__(self, bare: Bare) -> None:
        self.bare, self.buffer, self.kind = bare, b"", ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, end, body = self.buffer.partition(b"\r\n\r\n")
        if not end or self.kind:
            return
        first, *lines = head.split(b"\r\n")
        headers = {name.lower(): value.strip() for name, _colon, value in (line.partition(b":") for line in lines)}
        if len(body) < int(headers.get(b"content-length", 0)):
            return
        self.buffer = b""
        self._answer(first.split()[1].decode(), headers, body)

    def _answer(self, path: str, headers: dict[bytes, bytes], body: bytes) -> None:
        if b"upgrade" in headers and b"sec-websocket-key" in headers:
            self.kind = path.strip("/")
            accepted = base64.b64encode(hashlib.sha1(headers[b"sec-websocket-key"] + MAGIC).digest())  # noqa: S324
            lines = (b"HTTP/1.1 101 .", b"Upgrade: websocket", b"Connection: Upgrade")
            self.transport.write(b"\r\n".join([*lines, b"Sec-WebSocket-Accept: " + accepted, b"", b""]))
            self.bare.sockets.setdefault(self.kind, []).append(self.transport)
            self.transport.write(self.bare.frames[self.kind])
            return
        if path == "/act":
            self.bare.act(body)
        else:
            self.bare.frames[path.rpartition("/")[2]] = framed(body)
        self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    def connection_lost(self, _problem: Exception | None) -> None:
        if self.kind:
            self.bare.sockets[self.kind].remove(self.transport)


def framed(text: bytes) -> bytes:
    """A text message as a WebSocket frame."""
    if len(text) < 126:
        return bytes([0x81, len(text)]) + text
    short = len(text) < 1 << 16
    return bytes([0x81, 126 if short else 127]) + struct.pack("!H" if short else "!Q", len(text)) + text


async def main(port: int, database: str) -> None:
    bare = Bare(database)
    server = await asyncio.get_running_loop().create_server(lambda: Connection(bare), "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
