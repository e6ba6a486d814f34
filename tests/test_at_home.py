"""Neither the tests nor Vesper connect to other machines."""

from __future__ import annotations

import asyncio
import socket
import urllib.request

import pytest


@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::1", "vesper.example.org"])
def test_a_call_to_another_machine_fails(address: str) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as caller, pytest.raises(AssertionError, match=f"called {address}, which is another"):
        caller.connect((address, 80))


def test_by_whatever_way_it_is_made() -> None:
    with pytest.raises(AssertionError, match="another machine"):
        urllib.request.urlopen("http://192.0.2.1/", timeout=1)
    with pytest.raises(AssertionError, match="another machine"):
        asyncio.run(asyncio.open_connection("192.0.2.1", 80))


def test_this_machine_is_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket() as caller:
        caller.connect(server.getsockname())
