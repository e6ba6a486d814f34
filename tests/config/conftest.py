"""A minimal server of our own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.conftest import ServerProcess, free_port


@pytest.fixture
def waiting_room() -> Iterator[ServerProcess]:
    """A `config.server` process whose sockets all stay open, and which prints when one is left."""
    port = free_port()
    program = (
        "from config import server; from tests.config.waiting_room import application;"
        f"raise SystemExit(0 if server.serve(application, '127.0.0.1', {port}, lambda: None) else 1)"
    )
    process = ServerProcess([sys.executable, "-c", program], port, stdout=subprocess.PIPE)
    yield process
    process.kill()
    process.communicate()
