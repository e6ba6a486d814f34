"""A server's process: start, kill, stop, and measure it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from bench.harness import costs

ROOT = Path(__file__).resolve().parent.parent.parent
SECONDS_TO_START = 180
SECONDS_TO_END = 15


class Vesper:
    """A server process (`manage.py serve`) that keeps its port over restarts.

    Without a `database` (a DATABASE_URL) it uses SQLite in the folder `data`; `redis` is a REDIS_URL; `environment` is
    added to this process's own. `root` is the checkout that it runs, this one by default.
    """

    def __init__(
        self,
        data: Path,
        *,
        root: Path = ROOT,
        database: str = "",
        redis: str = "",
        port: int | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.root = root
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")},
            "VESPER_DATA": str(data),
            **({"DATABASE_URL": database} if database else {}),
            **({"REDIS_URL": redis} if redis else {}),
            **(environment or {}),
        }
        self.said = data / f"server-{self.port}.log"
        """The server's standard error, over all its starts."""
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_problem: object) -> None:
        self.end()

    @property
    def pid(self) -> int:
        """The process id. Raises `RuntimeError` if there is no process."""
        if self._process is None:
            raise RuntimeError("the server is not running")
        return self._process.pid

    def launch(self) -> None:
        """Start the process, without waiting until it listens."""
        self.said.parent.mkdir(parents=True, exist_ok=True)
        with self.said.open("ab") as said:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--port", str(self.port)],
                cwd=self.root,
                env=self.environment,
                stdout=subprocess.DEVNULL,
                stderr=said,
            )

    def start(self) -> Self:
        """Start the process, and wait until it listens. Raises `RuntimeError` if it doesn't."""
        self.launch()
        deadline = time.monotonic() + SECONDS_TO_START
        while not self.listens():
            self._look_whether_it_lives(deadline)
            time.sleep(0.02)
        return self

    async def started(self) -> float:
        """Like :meth:`start`, but async. Returns the moment (`time.monotonic`) at which it listened."""
        self.launch()
        deadline = time.monotonic() + SECONDS_TO_START
        while not await asyncio.to_thread(self.listens):
            self._look_whether_it_lives(deadline)
            await asyncio.sleep(0.02)
        return time.monotonic()

    def _look_whether_it_lives(self, deadline: float) -> None:
        if self._process is None or self._process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the server does not listen on port {self.port}:\n{self.said.read_text()[-2000:]}")

    def listens(self) -> bool:
        """Whether something listens on its port."""
        return listens(self.port)

    def kill(self) -> None:
        """Kill -9: no clean shutdown."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(SECONDS_TO_END)
            self._process = None

    def end(self) -> None:
        """Stop it as a service manager does, and kill it if it doesn't stop."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def manage(self, *arguments: str) -> str:
        """Run a Python program in the server's checkout and environment, and return its output.

        `arguments` begin with the program's path, relative to the checkout or absolute. Raises `RuntimeError` with its
        stderr if it fails.
        """
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{arguments[0]} failed:\n{done.stderr[-4000:]}")
        return done.stdout

    def seconds_of_work(self) -> float:
        """The process's CPU time in seconds, over all threads."""
        return costs.seconds_of_work(self.pid)

    def memory(self) -> int:
        """The process's resident memory in bytes."""
        return costs.memory(self.pid)

    def peak(self) -> int:
        """The process's peak memory in bytes since the last call."""
        found = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{self.pid}/status").read_text())
        Path(f"/proc/{self.pid}/clear_refs").write_text("5")
        return int(found[1]) * 1024 if found else 0


def free_port() -> int:
    """A port on which nothing listens now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def listens(port: int) -> bool:
    """Whether somebody on this machine listens on a port."""
    try:
        socket.create_connection(("127.0.0.1", port), 0.5).close()
    except OSError:
        return False
    return True
