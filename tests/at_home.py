"""Prevents tests from connecting to other machines. Vesper does so only for a webhook, which tests receive here.

Browsers are kept from it by the content security policy; a violation fails the test.
"""

from __future__ import annotations

import os
import socket
from typing import Any
from urllib.parse import urlsplit

from config.network import is_loopback

NAMED = ("DATABASE_URL", "REDIS_URL", "VESPER_TEST_DATABASE", "VESPER_TEST_REDIS", "VESPER_TEST_SERVER")
"""Environment variables that may name another machine to use."""


def stay() -> None:
    """From now on, a connection to another machine fails with an `AssertionError` that names it."""
    connect, told = socket.socket.connect, _told()

    def only_here(self: socket.socket, address: Any) -> None:
        over_a_network = self.family in (socket.AF_INET, socket.AF_INET6) and self.type == socket.SOCK_STREAM
        if over_a_network and str(address[0]) not in told and not is_loopback(str(address[0])):
            self.close()  # callers only close the socket after an OSError
            raise AssertionError(f"Something called {address[0]}, which is another machine.")
        connect(self, address)

    socket.socket.connect = only_here  # type: ignore[method-assign]


def _told() -> set[str]:
    """The machines named in the environment, and their addresses."""
    hosts = {urlsplit(os.environ.get(name, "")).hostname or "localhost" for name in NAMED}
    return hosts | {str(found[4][0]) for host in hosts for found in socket.getaddrinfo(host, None)}
