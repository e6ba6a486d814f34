"""What our own socket class gains (`config/sockets.py`, `config/daphne_internals.py`): with and without, alternately.

    .venv/bin/python bench/sockets.py [--sockets 200] [--messages 40] [--turns 5] [--length 40000]

Starts a bare server for each variant, which sends messages of this length to this many sockets. Prints the server's CPU
time per socket and message (microseconds) and the time until the last socket has it (milliseconds), both as the median
of the turns. Then it stops each server in mid-operation, and counts the sockets that received a close frame and the
consumers that received their disconnect.
"""

# ruff: noqa: T201, E402 (prints its results; sys.path must be set before imports)

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)

from bench.harness import free_port, listens
from tests.websocket import BROWSERS_OFFER, Dropped, WebSocket


def stock() -> None:
    """Plain daphne: each message framed for each socket, none compressed, no close frames at the end."""
    from daphne.server import Server
    from daphne.ws_protocol import WebSocketProtocol

    from config import daphne_internals
    from config.daphne_internals import GracefulServer
    from config.sockets import BoundedSocket

    daphne_internals.unpacked_by = lambda _offers: None
    BoundedSocket.serverSend = WebSocketProtocol.serverSend
    GracefulServer.kill_all_applications = Server.kill_all_applications


def each_packed() -> None:
    """Each message compressed and framed for each socket, as autobahn does it."""
    from daphne.ws_protocol import WebSocketProtocol

    from config.sockets import BoundedSocket

    BoundedSocket.serverSend = WebSocketProtocol.serverSend


def in_turn() -> None:
    """Each socket waits for the loop's next turn to write."""
    from config.sockets import BoundedSocket

    BoundedSocket._write = lambda self, framed: self.sendData(framed)  # type: ignore[method-assign]


WAYS: dict[str, Any] = {"ours": lambda: None, "in turn": in_turn, "each packed": each_packed, "stock": stock}


def serve(way: str, port: int) -> None:
    """A server that broadcasts a message when a socket sends a number, and tells its CPU time on request."""
    from config import server, sockets

    WAYS[way]()
    if way in ("each packed", "stock"):
        # Autobahn's limit applies to both directions.
        sockets.LONGEST_RECEIVED = server.LONGEST_RECEIVED = 4 * 1024 * 1024
    open_ones: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        open_ones.append(send)
        while True:
            said = await receive()
            if said["type"] != "websocket.receive":
                break
            if said["text"] == "cost":
                await send({"type": "websocket.send", "text": str(time.process_time())})
                continue
            number, length = map(int, said["text"].split())
            text = f"{number} " + "".join(f"{place:x} struck. " for place in range(length // 12))
            for each in open_ones:
                await each({"type": "websocket.send", "text": text})
        open_ones.remove(send)
        print(f"left with {said['code']}", flush=True)

    server.serve(application, "127.0.0.1", port, lambda: None)


class Sockets:
    """This many sockets, open for one turn: too short for keep-alive pings."""

    def __init__(self, port: int, number: int) -> None:
        self.asking, *self.others = self.all = [WebSocket(port, "/", offers=BROWSERS_OFFER) for _each in range(number)]

    def cost(self) -> float:
        """The server's CPU time so far, in seconds."""
        self.asking.send(b"cost")
        return float(self.asking.frame()[1])

    def until_last(self, number: int, length: int) -> float:
        """Milliseconds until the last socket has a message."""
        begun = time.perf_counter()
        self.asking.send(f"{number} {length}".encode())
        for each in [*self.others, self.asking]:
            each.frame()
        return 1000 * (time.perf_counter() - begun)

    def told_to_come_back(self) -> int:
        """How many received a close frame and nothing else."""
        return sum(map(_is_told, self.all))

    def close(self) -> None:
        for each in self.all:
            each.connection.close()


def _is_told(socket: WebSocket) -> bool:
    try:
        return socket.close_code() == 1012
    except (Dropped, OSError):
        return False


class Server:
    """A server that runs one of the variants."""

    def __init__(self, way: str) -> None:
        self.port = free_port()
        command = [sys.executable, __file__, "--serve", way, str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        while not listens(self.port):
            time.sleep(0.05)

    def turn(self, sockets: int, messages: int, length: int) -> tuple[float, float]:
        """Microseconds of CPU time per socket and message, and milliseconds until the last socket has it."""
        opened = Sockets(self.port, sockets)
        before = opened.cost()
        waits = [opened.until_last(number, length) for number in range(messages)]
        work = opened.cost() - before
        opened.close()
        return 1e6 * work / messages / sockets, statistics.median(waits)

    def end(self, sockets: int) -> tuple[int, int]:
        """How many sockets receive a close frame, and how many consumers their disconnect."""
        opened = Sockets(self.port, sockets)
        opened.cost()
        self.process.terminate()
        told = opened.told_to_come_back()
        printed, _errors = self.process.communicate(timeout=60)
        return told, printed.count("left with 1012")


def main() -> None:
    if sys.argv[1:2] == ["--serve"]:
        serve(sys.argv[2], int(sys.argv[3]))
        return
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--sockets", type=int, default=200)
    asked.add_argument("--messages", type=int, default=40)
    asked.add_argument("--turns", type=int, default=5)
    asked.add_argument("--length", type=int, default=40_000)
    options = asked.parse_args()
    servers = {way: Server(way) for way in WAYS}
    turns: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    for _turn in range(options.turns):
        for way, server in servers.items():
            turns[way].append(server.turn(options.sockets, options.messages, options.length))
    print("             µs of work   ms until the last   told   heard")
    for way, server in servers.items():
        work, wait = (statistics.median(each) for each in zip(*turns[way], strict=True))
        told, heard = server.end(options.sockets)
        print(f"{way:11} {work:11.1f}  {wait:18.1f}  {told:5}  {heard:6}", flush=True)


if __name__ == "__main__":
    main()
