"""WebSocket clients as cheap as they can be: they parse only the version of what they get.

As a program it holds many, so that their cost isn't counted as the server's (:class:`Clients`). It reads one JSON
command per line from standard input, and answers each with one line:

- `{"open": [{"port", "path", "cookie", "kind"}, ...]}`: opens these sockets, and waits for the first frame of each:
  `{"opened": 100}`.
- `{"await": [port]}`: answers `{"waiting": 100}` at once and, once each socket of that port has another frame,
  `{"last": SECONDS}`, on the clock that a machine's processes share (`time.monotonic`).
- `{"frames": [port]}`: the last frame by kind: `{"frames": {"table": "<output ..."}}`.
- `{"close": []}`: closes all.
"""

from __future__ import annotations

import base64
import json
import re
import secrets
import select
import socket
import struct
import subprocess
import sys
import time
from typing import Any, Self

TEXT, PING, PONG = 1, 9, 10
LARGEST_READ = 1 << 20
LONGEST_WAIT = 60
VERSION = re.compile(rb'data-version=\\?"(\d+)')
"""The version of a frame, which is in front of its panes' versions."""


class Gone(Exception):
    """The server closed a socket during the run."""


class Client:
    """One socket, opened like a page's."""

    def __init__(self, *, port: int, path: str, cookie: str, kind: str) -> None:
        self.port, self.kind = port, kind
        self.buffer = bytearray()
        self.frame, self.frames, self.version = b"", 0, 0
        self.connection = socket.create_connection(("127.0.0.1", port), 60)
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(secrets.token_bytes(16)).decode()}",
            "Sec-WebSocket-Version: 13",
            f"Origin: http://127.0.0.1:{port}",
            f"Cookie: {cookie}",
        ]
        self.connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self._receive()
        head, _end, rest = bytes(self.buffer).partition(b"\r\n\r\n")
        if head.split()[1] != b"101":
            raise Gone(head.decode("latin1"))
        self.buffer = bytearray(rest)
        self._sort()  # the first frame may have arrived with the response

    def read(self) -> None:
        """Read available bytes, and count complete frames."""
        self._receive()
        self._sort()

    def _sort(self) -> None:
        while (place := self._first_message()) is not None:
            kind, (begin, end) = self.buffer[0] & 15, place
            content = bytes(self.buffer[begin:end])
            del self.buffer[:end]
            if kind == PING:
                self.connection.sendall(bytes([0x80 | PONG, 0x80 | len(content)]) + bytes(4) + content)
            elif kind == TEXT:
                self._take(content)
            else:
                raise Gone(f"{self.kind} was sent {content!r}")

    def _take(self, frame: bytes) -> None:
        found = VERSION.search(frame)
        version = int(found.group(1)) if found else 0
        if version <= self.version:
            return  # not news: the answer to a heartbeat, or a frame without panes
        self.frame, self.version = frame, version
        self.frames += 1

    def _receive(self) -> None:
        piece = self.connection.recv(LARGEST_READ)
        if not piece:
            raise Gone(self.kind)
        self.buffer += piece

    def _first_message(self) -> tuple[int, int] | None:
        """The slice of the first message's content in the buffer, or None if it is incomplete."""
        if len(self.buffer) < 2:
            return None
        length, begin = self.buffer[1] & 127, 2
        if length > 125:
            begin = 4 if length == 126 else 10
            if len(self.buffer) < begin:
                return None
            (length,) = struct.unpack("!H" if length == 126 else "!Q", self.buffer[2:begin])
        return None if len(self.buffer) < begin + length else (begin, begin + length)


class Clients:
    """The process that holds the sockets."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def tell(self, order: str, about: Any = ()) -> Any:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({order: about}) + "\n")
        self.process.stdin.flush()
        return self.heard()

    def heard(self) -> Any:
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the clients ended")
        return json.loads(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_problem: object) -> None:
        self.process.kill()
        self.process.wait()


class Crowd:
    """All clients, read by one loop."""

    def __init__(self) -> None:
        self.clients: dict[int, Client] = {}
        self.poll = select.epoll()

    def open(self, wanted: list[dict[str, Any]]) -> None:
        """Open these sockets, and wait until each has its first frame."""
        fresh = [Client(**each) for each in wanted]
        for client in fresh:
            self.clients[client.connection.fileno()] = client
            self.poll.register(client.connection, select.EPOLLIN)
        self.next_frame_of([client for client in fresh if not client.frames])

    def of(self, port: int) -> list[Client]:
        return [client for client in self.clients.values() if client.port == port]

    def next_frame_of(self, clients: list[Client]) -> float:
        """The moment at which the last of these has received one more frame."""
        lacking = {client.connection.fileno(): client.frames for client in clients}
        while lacking:
            ready = self.poll.poll(LONGEST_WAIT)
            if not ready:
                raise TimeoutError(f"{len(lacking)} sockets have waited a minute for their frame")
            for place, _event in ready:
                client = self.clients[place]
                client.read()
                if place in lacking and client.frames > lacking[place]:
                    del lacking[place]
        return time.monotonic()

    def close(self) -> None:
        for client in self.clients.values():
            self.poll.unregister(client.connection)
            client.connection.close()
        self.clients.clear()


def main() -> None:
    crowd = Crowd()

    def say(**told: Any) -> None:
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()

    for line in sys.stdin:
        ((order, about),) = json.loads(line).items()
        if order == "open":
            crowd.open(about)
            say(opened=len(about))
        elif order == "await":
            clients = crowd.of(about[0])
            say(waiting=len(clients))
            say(last=crowd.next_frame_of(clients))
        elif order == "frames":
            say(frames={client.kind: client.frame.decode() for client in crowd.of(about[0])})
        else:
            crowd.close()
            say(closed=True)


if __name__ == "__main__":
    main()
