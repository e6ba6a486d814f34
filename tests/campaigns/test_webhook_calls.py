"""Which addresses a webhook may have, and what happens when one is called."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.webhook import calls
from campaigns.webhook.addresses import Address, BadAddress, is_public, read
from tests.campaigns.receiver import HOST, Names, Receiver, answers, status

TOKEN = "/api/webhooks/42/s3cr3t-t0k3n"


# ------------------------------------------------------------------ addresses


@pytest.mark.parametrize(
    ("typed", "host", "target"),
    [
        ("https://discord.com/api/webhooks/1/a-b_c", "discord.com", "/api/webhooks/1/a-b_c"),
        (
            "  HTTPS://Hooks.Slack.com:443/services/T/B/x?thread=1&a=%20 ",
            "hooks.slack.com",
            "/services/T/B/x?thread=1&a=%20",
        ),
        ("https://chat.example.org", "chat.example.org", "/"),
        ("https://chat.example.org?key=1", "chat.example.org", "/?key=1"),
        ("https://chat.example.org./hooks/a:b@c", "chat.example.org", "/hooks/a:b@c"),
        ("https://xn--bcher-kva.example.org/", "xn--bcher-kva.example.org", "/"),
    ],
)
def test_addresses_on_the_internet_are_read(typed: str, host: str, target: str) -> None:
    address = read(typed)
    assert (address.host, address.target) == (host, target)
    assert target == "/" or target not in f"{address} {address!r}"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "start with https"),
        ("http://discord.com/api", "start with https"),
        ("ftp://discord.com/", "start with https"),
        ("//discord.com/", "start with https"),
        ("javascript:alert(1)", "start with https"),
        ("https://user:password@discord.com/", "user name"),
        ("https://discord.com@192.168.0.1/", "user name"),
        ("https://discord.com:8443/", "port"),
        ("https://discord.com:80/", "port"),
        ("https://discord.com:/", "port"),
        ("https://discord.com:443:443/", "port"),
        ("https://127.0.0.1/", "host name"),
        ("https://8.8.8.8/", "host name"),
        ("https://[::1]/", "host name"),
        ("https://[::ffff:127.0.0.1]:443/", "host name"),
        ("https://127.1/", "host name"),
        ("https://2130706433/", "host name"),
        ("https://0x7f000001/", "host name"),
        ("https://0x7f.0.0.1/", "host name"),
        ("https://0177.0.0.1/", "host name"),
        ("https://localhost/", "full address"),
        ("https://router/", "full address"),
        ("https://printer.local/", "full address"),
        ("https://db.internal/", "full address"),
        ("https://nas.home.arpa/", "full address"),
        ("https:///path", "full address"),
        ("https://.example.org/", "full address"),
        ("https://a..example.org/", "full address"),
        ("https://-a.example.org/", "full address"),
        ("https://a%2eexample.org/", "full address"),
        ("https://ex ample.org/", "full address"),
        ("https://example.org\\@192.168.0.1/", "user name"),
        ("https://example.org\\.evil.org/", "full address"),
        ("https://bücher.example.org/", "plain Latin"),
        ("https://example。org/", "plain Latin"),
        ("https://ⓔxample.org/", "plain Latin"),
        ("https://chat.example.org/#part", "Remove #"),
        ("https://chat.example.org/a b", "character"),
        ("https://chat.example.org/a\r\nHost: evil", "character"),
        ("https://chat.example.org/\x00", "character"),
        ('https://chat.example.org/"', "character"),
        ("https://chat.example.org/" + "a" * 500, "500 characters"),
        ("https://testserver.example.org/", "Vesper itself"),
        ("https://deep.own.example.org/", "Vesper itself"),
        ("https://vesper.example.net/", "Vesper itself"),
    ],
)
def test_others_are_refused_in_words(typed: str, said: str, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver.example.org", ".own.example.org"]
    settings.VESPER_ORIGINS = ["https://vesper.example.net"]
    with pytest.raises(BadAddress, match=said):
        read(typed)


@given(st.text(max_size=60) | st.from_regex(r"https://[\x00-\x7f]{0,40}", fullmatch=True))
def test_any_text_is_read_or_refused(typed: str) -> None:
    try:
        address = read(typed)
    except BadAddress:
        return
    assert read(f"https://{address.host}{address.target}") == address
    assert not set(address.target) & set(" \r\n\t\0#\\")


PRIVATE = {
    "IPv4": "0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255"
    " 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254"
    " 168.63.129.16 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1"
    " 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9",
    "multicast, reserved, broadcast": "224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 ff00::1 ff02::1 ff0e::1",
    "an IPv4 address inside": "::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1"
    " 64:ff9b::7f00:1 64:ff9b::a00:1 64:ff9b::c0a8:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1 2002:7f00:1:: 2002:a00:1::"
    " 2002:808:808:: 2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "IPv6": ":: ::1 100::1 2001::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254"
    " fe80::1 fe80::1%lo fec0::1 4000::1 2606:4700::1111%eth0",
}
MACHINES = [ip for listed in PRIVATE.values() for ip in listed.split()]


@pytest.mark.parametrize("ip", [*MACHINES, "", "localhost", "1.2.3", "1.2.3.4.5", "0x7f.1", "127.1", "١٢٧.٠.٠.١"])
def test_machines_that_are_not_public(ip: str) -> None:
    assert not is_public(ip)


@pytest.mark.parametrize(
    "ip", ["1.1.1.1", "8.8.8.8", "162.159.128.233", "2606:4700::1111", "2a00:1450::8a", "64:ff9b::808:808"]
)
def test_machines_that_are_public(ip: str) -> None:
    assert is_public(ip)


# ------------------------------------------------------------------ calls


@pytest.fixture
def receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    made = Receiver(tmp_path)
    monkeypatch.setattr(calls, "INTERNET", made.reach())
    monkeypatch.setattr(socket, "getaddrinfo", Names(["127.0.0.1"]))
    yield made
    made.close()


def call() -> calls.Answer:
    return calls.post(Address(HOST, TOKEN), b'{"content": "Hello"}')


def test_a_message_arrives_once(receiver: Receiver) -> None:
    assert call() == calls.Answer(204)
    ((head, body),) = receiver.requests
    assert head.startswith(f"POST {TOKEN} HTTP/1.1\r\nHost: {HOST}\r\n")
    assert body == {"content": "Hello"}
    assert "cookie" not in head.lower()
    assert (receiver.names, receiver.connections) == ([HOST], 1)


@pytest.mark.parametrize("code", [200, 301, 302, 307, 400, 404, 410, 429, 500, 503])
def test_the_status_is_the_answer_and_nothing_is_followed(receiver: Receiver, code: int) -> None:
    receiver.behave = answers(status(code, f"Location: https://127.0.0.1:{receiver.port}/secret"))
    assert call() == calls.Answer(code)
    assert (len(receiver.requests), receiver.connections) == (1, 1)


@pytest.mark.parametrize(
    ("said", "wait"), [("30", 30), ("999999", 3600), ("-5", 0), ("soon", 0), ("9" * 50, 0), ("٣", 0), ("", 0)]
)
def test_how_long_a_receiver_asks_us_to_wait(receiver: Receiver, said: str, wait: int) -> None:
    receiver.behave = answers(status(429, f"Retry-After: {said}").decode().encode("utf-8"))
    assert call() == calls.Answer(429, wait=wait)


def test_an_unknown_certificate_is_refused(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "INTERNET", receiver.reach(trusted=False))
    assert call() == calls.Answer(failure="tls")
    assert receiver.requests == []


def test_a_certificate_of_another_name_is_refused(tmp_path: Path, receiver: Receiver, monkeypatch: Any) -> None:
    other = Receiver(tmp_path, name="elsewhere.vesper-tests.org")
    monkeypatch.setattr(calls, "INTERNET", other.reach())
    assert call() == calls.Answer(failure="tls")
    assert other.requests == []
    other.close()


def test_the_environments_proxies_are_ignored(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert call() == calls.Answer(204)


# ------------------------------------------------------------------ names that lead astray


@pytest.mark.parametrize(
    "found", [["127.0.0.1"], ["1.1.1.1", "10.0.0.1"], ["2606:4700::1111", "::1"], ["169.254.169.254"], []]
)
def test_a_name_that_leads_anywhere_private_is_not_called(
    receiver: Receiver, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the real rule. One private address among public ones is enough."""
    monkeypatch.setattr(calls, "INTERNET", calls.Reach(port=receiver.port))
    monkeypatch.setattr(socket, "getaddrinfo", Names(found))
    assert call() == calls.Answer(failure="private")
    assert receiver.connections == 0


def test_a_name_that_changes_after_the_check_changes_nothing(receiver: Receiver, monkeypatch: Any) -> None:
    """DNS rebinding: the connection goes to the address that was checked, and the name isn't looked up again."""
    names = Names(["127.0.0.1"], ["10.0.0.1"])
    connected: list[Any] = []
    connect = socket.socket.connect
    monkeypatch.setattr(socket, "getaddrinfo", names)
    monkeypatch.setattr(socket.socket, "connect", lambda self, to: (connected.append(to), connect(self, to))[1])
    assert call() == calls.Answer(204)
    assert (names.asked, connected) == (1, [("127.0.0.1", receiver.port)])


def test_a_public_address_of_this_machine_is_not_called(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    reach = receiver.reach()
    monkeypatch.setattr(calls, "INTERNET", calls.Reach(reach.allowed, reach.port, reach.trusted))
    assert call() == calls.Answer(failure="private")
    assert receiver.requests == []


def test_the_next_address_is_tried_when_one_refuses(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    reach = receiver.reach()
    monkeypatch.setattr(calls, "INTERNET", calls.Reach(lambda _ip: True, reach.port, reach.trusted, itself=True))
    monkeypatch.setattr(socket, "getaddrinfo", Names(["127.0.0.9", "127.0.0.1"]))
    assert call() == calls.Answer(204)


def test_an_unknown_name_is_a_failure(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_arguments: Any, **_more: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    assert call() == calls.Answer(failure="name")


def test_nobody_listens(receiver: Receiver) -> None:
    receiver.close()
    assert call() == calls.Answer(failure="connection")


# ------------------------------------------------------------------ receivers that take their time


def hang(receiver: Receiver, _one: ssl.SSLSocket) -> None:
    receiver.ended.wait(60)


def never_ends_its_head(receiver: Receiver, one: ssl.SSLSocket) -> None:
    """A header byte now and then, each well within any time-out for a single read."""
    receiver.take(one)
    one.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not receiver.ended.wait(0.05):
        one.sendall(b"a")


def goes_on(receiver: Receiver, one: ssl.SSLSocket) -> None:
    """100 Continue, again and again."""
    receiver.take(one)
    while not receiver.ended.wait(0.05):
        one.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")


@pytest.mark.parametrize("behave", [hang, never_ends_its_head, goes_on])
def test_a_slow_receiver_has_one_deadline(receiver: Receiver, behave: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "DEADLINE", 0.6)
    receiver.behave, begun = behave, time.monotonic()
    assert call() == calls.Answer(failure="timeout")
    assert 0.5 < time.monotonic() - begun < 10


def test_no_tls_for_a_long_time(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "DEADLINE", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        reach = receiver.reach()
        port = silent.getsockname()[1]
        monkeypatch.setattr(calls, "INTERNET", calls.Reach(reach.allowed, port, reach.trusted, itself=True))
        assert call() == calls.Answer(failure="timeout")


def test_a_lookup_that_takes_too_long_is_left_behind(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "DEADLINE", 0.3)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_more: receiver.ended.wait(60) and [])
    begun = time.monotonic()
    assert call() == calls.Answer(failure="timeout")
    assert time.monotonic() - begun < 10


def test_lookups_that_hang_do_not_pile_up(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "DEADLINE", 1.0)  # a busy machine needs some of it before the look-up
    monkeypatch.setattr(calls, "_lookups", calls.threading.BoundedSemaphore(2))
    asked: list[int] = []
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *_arguments, **_more: (asked.append(1), receiver.ended.wait(60), [])[2]
    )
    assert [call().failure for _time in range(4)] == ["timeout"] * 4
    assert len(asked) == 2


def test_an_endless_answer_is_read_a_little(receiver: Receiver) -> None:
    sent = [0]

    def endless(receiver: Receiver, one: ssl.SSLSocket) -> None:
        receiver.take(one)
        one.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while not receiver.ended.is_set() and sent[0] < 500_000_000:
            one.sendall(b"a" * 65536)
            sent[0] += 65536

    receiver.behave, begun = endless, time.monotonic()
    assert call() == calls.Answer(200)
    assert time.monotonic() - begun < 10
    # What the system's buffers hold, and no more.
    assert sent[0] < 50_000_000


def test_a_body_that_never_arrives_does_not_matter(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """The status has said that the message arrived: sending it again would announce it twice."""
    monkeypatch.setattr(calls, "DEADLINE", 0.6)

    def stops(receiver: Receiver, one: ssl.SSLSocket) -> None:
        receiver.take(one)
        one.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n")
        receiver.ended.wait(60)

    receiver.behave = stops
    assert call() == calls.Answer(200)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\r\n\r\n",
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/1.1 99999 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200,
        b"HTTP/1.1 200 OK\r\nA: " + b"a" * 70_000,
        b"\xff\x00" * 40,
    ],
)
def test_nonsense_is_a_failure(receiver: Receiver, said: bytes) -> None:
    receiver.behave = answers(said)
    assert call().failure in ("garbled", "connection")
