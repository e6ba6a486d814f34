"""A WebSocket client for tests of whole server processes, without a library or an event loop."""

from __future__ import annotations

import base64
import secrets
import socket
import struct
import zlib

TEXT, CLOSE = 1, 8
PACKED = 0x40
BROWSERS_OFFER = "permessage-deflate; client_max_window_bits"


class Refused(Exception):
    """The server refused the socket; contains the response's status."""


class Dropped(Exception):
    """The server dropped the connection without a close frame."""


class WebSocket:
    """A socket opened at `path` of the server on `port`, as a page of that server would.

    `offers` are the extensions it offers. `taken` is the last frame's size on the wire in bytes.
    """

    taken = 0

    def __init__(self, port: int, path: str, *, origin: str | None = None, cookie: str = "", offers: str = "") -> None:
        self.connection = socket.create_connection(("127.0.0.1", port), 10)
        self.connection.settimeout(10)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            f"Origin: {origin or f'http://127.0.0.1:{port}'}",
            *([f"Cookie: {cookie}"] if cookie else []),
            *([f"Sec-WebSocket-Extensions: {offers}"] if offers else []),
        ]
        self.connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            piece = self.connection.recv(1)
            if not piece:
                break
            head += piece
        status = int(head.split()[1])
        if status != 101:
            self.connection.close()
            raise Refused(status)

    def frame(self) -> tuple[int, bytes]:
        """The next frame: its opcode and content."""
        first, length = self._read(2)
        if length == 126:
            (length,) = struct.unpack("!H", self._read(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self._read(8))
        self.taken = length
        content = self._read(length)
        return first & 15, unpacked(content) if first & PACKED else content

    def close_code(self) -> int:
        """Read until the server closes, and return its code."""
        while True:
            kind, content = self.frame()
            if kind == CLOSE:
                self.connection.close()
                return int(struct.unpack("!H", content[:2])[0])

    def send(self, text: bytes, *, head: int = 0x81) -> None:
        """Send a frame: a whole message, unless its first byte (`head`) says otherwise."""
        mask = secrets.token_bytes(4)
        length = bytes([128 | len(text)]) if len(text) < 126 else bytes([128 | 126]) + struct.pack("!H", len(text))
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(text))
        self.connection.sendall(bytes([head]) + length + mask + masked)

    def _read(self, length: int) -> bytes:
        content = b""
        while len(content) < length:
            try:
                piece = self.connection.recv(length - len(content))
            except ConnectionResetError:
                piece = b""
            if not piece:
                self.connection.close()
                raise Dropped
            content += piece
        return content


def packed(content: bytes) -> bytes:
    """A message compressed by itself, as browsers do."""
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return (packer.compress(content) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


def unpacked(content: bytes) -> bytes:
    """The reverse."""
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(content + b"\0\0\xff\xff")
