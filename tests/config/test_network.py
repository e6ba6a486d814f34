"""Addresses, origins and this machine's names."""

import pytest
from asgiref.sync import async_to_sync
from channels.generic.websocket import AsyncWebsocketConsumer
from django.test import RequestFactory

from config import network
from tests.communicator import Communicator


class Open(AsyncWebsocketConsumer):
    """Accepts everybody, so that only the middleware in front can refuse."""


def opens(origin, host="127.0.0.1:8000"):
    """Whether a page of `origin` gets a socket at `host`."""
    headers = [(b"host", host.encode())] + ([(b"origin", origin.encode())] if origin is not None else [])

    @async_to_sync
    async def scenario():
        socket = Communicator(network.SameOrigin(Open.as_asgi()), "/ws/", headers=headers)
        connected, _ = await socket.connect()
        await socket.disconnect()
        return connected

    return scenario()


def test_own_page_opens_a_socket():
    assert opens("http://127.0.0.1:8000")


@pytest.mark.parametrize(
    "origin",
    [
        "https://127.0.0.1:8000",
        "http://127.0.0.1:9999",
        "http://127.0.0.1",
        "http://localhost:8000",
        "http://evil.example",
        "http://127.0.0.1:8000.evil.example",
        "http://127.0.0.1:8000@evil.example",
        "http://127.0.0.1:99999999",
        "http://[",
        "null",
        "*",
        "",
        None,
    ],
)
def test_no_other_page_does(origin):
    assert not opens(origin)


def test_nor_one_that_came_by_a_name_of_its_own():
    assert not opens("http://evil.example:8000", host="evil.example:8000")


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("https://vesper.example.org", True),
        ("HTTPS://Vesper.example.org", True),
        ("http://vesper.example.org", False),
        ("https://vesper.example.org:8443", False),
        ("https://other.vesper.example.org", False),
        ("https://example.org", False),
        (None, False),
    ],
)
def test_named_origins_are_the_only_ones(settings, origin, expected):
    settings.VESPER_ORIGINS = ["https://vesper.example.org"]
    settings.ALLOWED_HOSTS = ["vesper.example.org"]
    assert opens(origin, host="vesper.example.org") is expected


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, None, "10.0.0.9"),
        (0, "1.2.3.4", "10.0.0.9"),
        (1, "1.2.3.4", "1.2.3.4"),
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4", "10.0.0.9"),
        (1, None, "10.0.0.9"),
        (1, "2001:db8::7", "2001:db8::7"),
        (1, "unknown", "10.0.0.9"),
        (1, "1.2.3.4:5678", "10.0.0.9"),
        (1, "2a00:1450:4001:82b::7", "2a00:1450:4001:82b::"),  # everybody behind that router
        (1, "::ffff:1.2.3.4", "1.2.3.4"),
        (1, "fe80::7", "fe80::7"),
    ],
)
def test_client_address_is_what_our_own_proxies_saw(settings, proxies, forwarded, expected):
    settings.VESPER_PROXIES = proxies
    headers = {"x-forwarded-for": forwarded} if forwarded else {}
    request = RequestFactory().get("/", REMOTE_ADDR="10.0.0.9", headers=headers)
    assert network.client_address(request) == expected


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"])
def test_loopback(host):
    assert network.is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "vesper.example.org", ""])
def test_beyond_loopback(host):
    assert not network.is_loopback(host)


def test_names_of_a_host():
    assert network.names_of("127.0.0.1") == []
    assert network.names_of("192.168.1.5") == ["192.168.1.5"]
    assert network.names_of("fe80::1") == ["[fe80::1]"]
    assert "*" not in network.names_of("0.0.0.0")
