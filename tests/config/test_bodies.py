"""Limits on request bodies by sender, and the response to a longer one: on a real server."""

from __future__ import annotations

import re
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

import pytest
from django.urls import reverse
from PIL import Image

from campaigns import sign_ins
from campaigns.pictures import MOST_BYTES as MOST_OF_A_PICTURE
from characters.imports import MOST_BYTES as MOST_OF_AN_IMPORT
from characters.models import Character, Portrait
from config.daphne_internals import MOST_OF_FILES, MOST_OF_MEMBERS, MOST_OF_STRANGERS
from config.middleware import HEADERS
from tests.conftest import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)

FORM = "Content-Type: application/x-www-form-urlencoded"
FILES = "Content-Type: multipart/form-data; boundary=line"
CHUNKED = "Transfer-Encoding: chunked"
TOO_LARGE, NO_TOKEN = 413, 403


def cookie_of(user: Any, server: Any) -> str:
    cookie = session_cookie(user, server.url)
    return f"Cookie: {cookie['name']}={cookie['value']}"


def length(size: int) -> str:
    return f"Content-Length: {size}"


def chunk(content: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(content), content)


@contextmanager
def asked(server: Any, *headers: str, path: str = "/account/sign-in/", then: bytes = b"") -> Iterator[socket.socket]:
    """A connection on which a POST with these headers and, in the same packet, `then` was sent."""
    lines = [f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", f"Origin: {server.url}", *headers]
    with socket.create_connection(("127.0.0.1", server.port), 20) as connection:
        connection.sendall("\r\n".join([*lines, "\r\n"]).encode() + then)
        yield connection


def everything(connection: socket.socket) -> bytes:
    """Everything that the server sends until it closes the connection."""
    said = b""
    while piece := connection.recv(2**16):
        said += piece
    return said


def status(said: bytes) -> int:
    return int(said.split(b" ", 2)[1])


@pytest.fixture
def headers(server: Any, player: Any) -> dict[str, list[str]]:
    """Each type of sender's headers."""
    ended = cookie_of(player, server)
    sign_ins.end_others(user=player, here=None)
    return {
        "stranger": [],
        "forged": [f"Cookie: {ended.split()[1].partition('=')[0]}={'a' * 32}"],
        "ended": [ended],
        "member": [cookie_of(player, server)],
    }


@pytest.mark.parametrize(
    ("who", "kind", "size"),
    [
        ("stranger", FORM, MOST_OF_STRANGERS + 1),
        ("stranger", FILES, MOST_OF_STRANGERS + 1),
        ("forged", FORM, MOST_OF_STRANGERS + 1),
        ("ended", FILES, MOST_OF_STRANGERS + 1),
        ("member", FORM, MOST_OF_MEMBERS + 1),
        ("member", FILES, MOST_OF_FILES + 1),
        ("member", FILES, 10**18),
    ],
)
def test_what_says_that_it_is_too_long_is_refused_before_it_is_sent(
    server: Any, headers: Any, who: str, kind: str, size: int
) -> None:
    with asked(server, *headers[who], kind, length(size)) as connection:
        said = everything(connection)
    head, _, page = said.partition(b"\r\n\r\n")
    assert status(said) == TOO_LARGE
    assert b"Connection: close" in head
    assert f"Content-Security-Policy: {HEADERS['Content-Security-Policy']}".encode() in head
    assert f"Content-Length: {len(page)}".encode() in head
    assert b"What you sent is too large" in page


@pytest.mark.parametrize(
    ("who", "kind", "most"),
    [("stranger", FORM, MOST_OF_STRANGERS), ("forged", FORM, MOST_OF_STRANGERS), ("member", FORM, MOST_OF_MEMBERS)],
)
def test_what_does_not_say_how_long_it_is_is_refused_when_it_grows_too_long(
    server: Any, headers: Any, who: str, kind: str, most: int
) -> None:
    piece = chunk(b"x" * 8192)
    with asked(server, *headers[who], kind, CHUNKED) as connection:
        for _piece in range(most // 8192):
            connection.sendall(piece)
        connection.settimeout(1)
        with pytest.raises(TimeoutError):
            connection.recv(1)  # that much is read, and the rest awaited
        connection.settimeout(20)
        connection.sendall(piece)
        assert status(everything(connection)) == TOO_LARGE


@pytest.mark.parametrize(
    ("who", "kind", "size"),
    [
        ("stranger", FORM, MOST_OF_STRANGERS),
        ("member", FORM, MOST_OF_STRANGERS + 1),
        ("member", FORM, MOST_OF_MEMBERS),
        ("member", FILES, MOST_OF_MEMBERS + 1),
        ("member", FILES, MOST_OF_FILES),
    ],
)
def test_as_much_as_they_may_is_read(server: Any, headers: Any, who: str, kind: str, size: int) -> None:
    """Django receives it, and complains about the missing CSRF token."""
    with asked(server, *headers[who], kind, length(size), "Connection: close") as connection:
        connection.sendall(b"x" * size)
        assert status(everything(connection)) == NO_TOKEN


def test_a_body_that_is_there_before_its_sender_is_known_is_answered(server: Any, headers: Any) -> None:
    body = chunk(b"x" * (MOST_OF_STRANGERS + 1)) + chunk(b"")
    for who, expected in (("member", NO_TOKEN), ("forged", TOO_LARGE)):
        with asked(server, *headers[who], FORM, CHUNKED, "Connection: close", then=body) as connection:
            assert status(everything(connection)) == expected


def test_after_a_refusal_the_connection_answers_nothing_more_and_ends(server: Any) -> None:
    body = chunk(b"x" * (MOST_OF_STRANGERS + 1)) + chunk(b"")
    another = f"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    with asked(server, FORM, CHUNKED, then=body + another) as connection:
        said = everything(connection)
        assert (status(said), said.count(b"HTTP/1.1")) == (TOO_LARGE, 1)
        with pytest.raises(ConnectionError):  # after a moment to read the response
            connection.sendall(b"x" * 2**28)


def test_who_asks_first_whether_they_may_is_told(server: Any, headers: Any) -> None:
    size, asks = MOST_OF_STRANGERS + 1, "Expect: 100-continue"
    with asked(server, FORM, length(size), asks) as connection:
        assert status(everything(connection)) == TOO_LARGE
    with asked(server, *headers["member"], FORM, length(size), asks, "Connection: close") as connection:
        assert connection.recv(2**16) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"x" * size)
        assert status(everything(connection)) == NO_TOKEN


@pytest.mark.parametrize("said_by", ["Accept-Language: de-AT,de;q=0.9", "Cookie: vesper-language=de"])
def test_it_is_said_in_the_readers_language(server: Any, said_by: str) -> None:
    with asked(server, said_by, FORM, length(MOST_OF_STRANGERS + 1)) as connection:
        assert b'<html lang="de"' in everything(connection)


# ------------------------------------------------------------------ what honest people send


def sent(server: Any, user: Any, path: str, fields: dict[str, str], name: str, file: bytes) -> bytes:
    """The response to a form with a file."""
    token = secrets.token_hex(16)
    cookie = f"{cookie_of(user, server)}; vesper-csrf={token}"
    body = b""
    for field, value in {"csrfmiddlewaretoken": token, **fields}.items():
        body += f'--line\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
    body += f'--line\r\nContent-Disposition: form-data; name="{name}"; filename="file"\r\n\r\n'.encode()
    body += file + b"\r\n--line--\r\n"
    with asked(server, cookie, FILES, length(len(body)), "Connection: close", path=path) as connection:
        connection.sendall(body)
        return everything(connection)


def test_the_largest_portrait_is_taken_and_a_larger_one_told_so_by_its_field(
    server: Any, player: Any, chronicle: Any
) -> None:
    character = Character.objects.create(chronicle=chronicle, name="Ilya", owner=player, kind="vampire")
    picture = BytesIO()
    Image.new("RGB", (4000, 4000)).save(picture, "JPEG")
    path = reverse("characters:portrait", args=[character.pk])
    largest = picture.getvalue().ljust(MOST_OF_A_PICTURE, b"\0")
    assert status(sent(server, player, path, {}, "picture", largest)) == 302
    assert Portrait.objects.filter(character=character).exists()
    said = sent(server, player, path, {}, "picture", b"x" * 12_000_000)
    assert status(said) == 422
    assert re.search(rb'id="id_picture_error".*?at most 2 MB', said, re.DOTALL)


def test_the_largest_import_is_taken(server: Any, admin: Any) -> None:
    table = b"ruleset,name,mode\nmasquerade,Axe II,melee\n".ljust(MOST_OF_AN_IMPORT, b"\n")
    path = reverse("admin:characters_weapon_import")
    said = sent(server, admin, path, {"format": "0", "resource": "0", "ruleset": ""}, "import_file", table)
    assert status(said) == 200
    assert b"Axe II" in said
