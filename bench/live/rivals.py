"""The servers that take turns: versions of Vesper, and others that do less (`bare.py`, `lean.py`)."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from bench.harness import Vesper, free_port, listens
from bench.harness.presses import Storyteller, connected
from bench.live.table import Reader, Table

HERE = Path(__file__).resolve().parent


class Rival(ABC):
    """A server with its `name`, `port`, and an actor."""

    name: str
    port: int

    @property
    @abstractmethod
    def pid(self) -> int:
        """Its process."""

    @abstractmethod
    def socket(self, place: int) -> dict[str, Any]:
        """What `bench/harness/clients.py` needs for the socket at this place."""

    @abstractmethod
    def act(self) -> None:
        """One action. Returns when it is answered."""

    def be_told(self, frames: Mapping[str, str]) -> None:  # noqa: B027  most make their own
        """The frames to send to each audience, for a server that doesn't make any."""


class Version(Rival):
    """A version of Vesper, on a fight that it prepared in `data`."""

    def __init__(self, name: str, data: Path, root: Path, fight: Mapping[str, int]) -> None:
        self.name = name
        self.server = Vesper(data, root=root)
        data.mkdir()
        self.fight = Table.told(self.server.manage(str(HERE / "table.py"), json.dumps(dict(fight))))
        self.port = self.server.port

    def __enter__(self) -> Self:
        self.server.start()
        fight = self.fight
        self.storyteller = Storyteller(
            encounter=fight.encounter, target=fight.target, cookie=fight.storyteller.cookie, ports=[self.port]
        )
        return self

    def __exit__(self, *_problem: object) -> None:
        self.server.end()

    @property
    def pid(self) -> int:
        return self.server.pid

    def reader(self, place: int) -> Reader:
        """Who is at this place: the players first, and everybody again once all have one."""
        return self.fight.readers[place % len(self.fight.readers)]

    def socket(self, place: int) -> dict[str, Any]:
        reader = self.reader(place)
        path = f"{reader.path}?language=en-gb"
        return {"port": self.port, "path": path, "cookie": reader.cookie, "kind": reader.audience}

    def act(self) -> None:
        self.storyteller.act(self.port)


class Lesser(Rival):
    """A server of this folder that sends the frames it is told, to the same audiences as the `model`."""

    def __init__(self, name: str, program: str, folder: Path, model: Version) -> None:
        self.name, self.model, self.port = name, model, free_port()
        session = secrets.token_hex(16)
        self.headers = {"Cookie": f"sessionid={session}"}
        database = str(folder / f"{program}.sqlite3")
        self.command = [sys.executable, str(HERE / program), str(self.port), database, session]

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(self.command)
        while not listens(self.port):
            if self.process.poll() is not None:
                raise SystemExit(f"{self.name} did not start")
            time.sleep(0.02)
        self.connection = connected(self.port)
        return self

    def __exit__(self, *_problem: object) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def pid(self) -> int:
        return self.process.pid

    def socket(self, place: int) -> dict[str, Any]:
        audience = self.model.reader(place).audience
        return {"port": self.port, "path": f"/{audience}", "cookie": "", "kind": audience}

    def act(self) -> None:
        self._post("/act", b"x" * 1000)

    def be_told(self, frames: Mapping[str, str]) -> None:
        for audience, frame in frames.items():
            self._post(f"/frames/{audience}", frame.encode())

    def _post(self, path: str, body: bytes) -> None:
        self.connection.request("POST", path, body, self.headers)
        answer = self.connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise SystemExit(f"{self.name}: {path}: {answer.status}")
