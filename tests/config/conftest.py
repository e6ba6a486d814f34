"""A server of our own with next to nothing on it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.conftest import ServerProcess, free_port


@pytest.fixture
def waiting_room() -> Iterator[ServerProcess]:
    """A process of `config.server` whose every socket stays open, and says when it is left."""
    port = free_port()
    program = (
        "from config import server; from tests.config.waiting_room import application;"
        f"raise SystemExit(0 if server.serve(application, '127.0.0.1', {port}, lambda: None) else 1)"
    )
    process = ServerProcess([sys.executable, "-c", program], port, stdout=subprocess.PIPE)
    yield process
    process.kill()
    process.communicate()
