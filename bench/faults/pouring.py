"""Strangers who flood a server with request bodies until they are stopped. A process of its own.

    bench/faults/pouring.py PORT length|chunked|forged

`length` sends a Content-Length, `chunked` doesn't, and `forged` claims to be a member.
"""

from __future__ import annotations

import contextlib
import select
import socket
import sys
import threading
import time

AT_ONCE = 40
BODY = 15 * 2**20
PIECE = b"x" * 2**16
PATIENCE = 0.5
"""Seconds without progress after which they give up a connection."""
PAUSE = 0.5
"""Seconds before the next connection: together they still offer more than a gigabyte per second."""

HEADS = {
    "length": f"Content-Length: {BODY}\r\n",
    "chunked": "Transfer-Encoding: chunked\r\n",
    "forged": f"Content-Length: {BODY}\r\nCookie: vesper-session={'a' * 32}\r\n",
}


def pour(port: int, kind: str) -> None:
    """Send one body, or as much of it as the server reads."""
    piece = b"%x\r\n%b\r\n" % (len(PIECE), PIECE) if kind == "chunked" else PIECE
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.sendall(
            f"POST /account/sign-in/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{HEADS[kind]}"
            "Content-Type: multipart/form-data; boundary=x\r\n\r\n".encode()
        )
        connection.settimeout(PATIENCE)
        for _piece in range(BODY // len(PIECE)):
            if select.select([connection], [], [], 0)[0]:
                break  # it has answered
            connection.sendall(piece)
        if kind == "chunked":
            connection.sendall(b"0\r\n\r\n")
        connection.recv(2**16)


def main() -> None:
    port, kind = int(sys.argv[1]), sys.argv[2]

    def one_after_the_other() -> None:
        while True:
            with contextlib.suppress(OSError):
                pour(port, kind)
            time.sleep(PAUSE)

    threads = [threading.Thread(target=one_after_the_other, daemon=True) for _stranger in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    main()
