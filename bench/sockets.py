"""What it gains that sockets are ours (`config/sockets.py`, `config/daphne_internals.py`): with and without, by turns.

    .venv/bin/python bench/sockets.py [--sockets 200] [--messages 40] [--turns 5] [--length 40000]

Starts a bare server for each way, which sends messages of so many letters to so many sockets, and prints the processor
time that the server takes for one socket and message (microseconds), and how long it takes until the last has it
(milliseconds): the median of the turns. Then it ends each server in the midst of it, and counts the sockets that were
told to come back and the consumers that heard that theirs was gone.
"""

# ruff: noqa: T201, E402 (its result is what it prints; the repository first has to be found)

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
    """Sockets and end as daphne has them: each message framed for each socket, none packed, nobody told of the end."""
    from daphne.server import Server
    from daphne.ws_protocol import WebSocketProtocol

    from config import daphne_internals
    from config.daphne_internals import GracefulServer
    from config.sockets import BoundedSocket

    daphne_internals.unpacked_by = lambda _offers: None
    BoundedSocket.serverSend = WebSocketProtocol.serverSend
    GracefulServer.kill_all_applications = Server.kill_all_applications


def each_packed() -> None:
    """Each message packed and framed for each socket, as autobahn does it."""
    from daphne.ws_protocol import WebSocketProtocol

    from config.sockets import BoundedSocket

    BoundedSocket.serverSend = WebSocketProtocol.serverSend


def in_turn() -> None:
    """Each socket waits for its turn to write."""
    from config.sockets import BoundedSocket

    BoundedSocket._write = lambda self, framed: self.sendData(framed)  # type: ignore[method-assign]


WAYS: dict[str, Any] = {"ours": lambda: None, "in turn": in_turn, "each packed": each_packed, "stock": stock}


def serve(way: str, port: int) -> None:
    """A server whose sockets all get a message when one of them sends a number, and one what it has cost until then."""
    from config import server, sockets

    WAYS[way]()
    if way in ("each packed", "stock"):
        sockets.LONGEST_RECEIVED = server.LONGEST_RECEIVED = 4 * 1024 * 1024  # its bound is for both ways
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
    """So many of them, open for one turn: too short for the server to ask whether they live."""

    def __init__(self, port: int, number: int) -> None:
        self.asking, *self.others = self.all = [WebSocket(port, "/", offers=BROWSERS_OFFER) for _each in range(number)]

    def cost(self) -> float:
        """Seconds of processor time that the server has taken until now."""
        self.asking.send(b"cost")
        return float(self.asking.frame()[1])

    def until_last(self, number: int, length: int) -> float:
        """Milliseconds until the last has a message."""
        begun = time.perf_counter()
        self.asking.send(f"{number} {length}".encode())
        for each in [*self.others, self.asking]:
            each.frame()
        return 1000 * (time.perf_counter() - begun)

    def told_to_come_back(self) -> int:
        """How many have nothing left to read but the farewell."""
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
    """A server that goes one of the ways."""

    def __init__(self, way: str) -> None:
        self.port = free_port()
        command = [sys.executable, __file__, "--serve", way, str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        while not listens(self.port):
            time.sleep(0.05)

    def turn(self, sockets: int, messages: int, length: int) -> tuple[float, float]:
        """Microseconds of work for a socket and message, and milliseconds until the last has it."""
        opened = Sockets(self.port, sockets)
        before = opened.cost()
        waits = [opened.until_last(number, length) for number in range(messages)]
        work = opened.cost() - before
        opened.close()
        return 1e6 * work / messages / sockets, statistics.median(waits)

    def end(self, sockets: int) -> tuple[int, int]:
        """How many of its sockets are told to come back, and how many consumers hear that theirs is gone."""
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
