"""Password hashing has a short queue of its own, so that nobody else waits for it."""

from __future__ import annotations

import asyncio
import html
import re
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from django.contrib.auth import hashers
from django.contrib.auth.tokens import default_token_generator
from django.core.cache import cache
from django.db import connection
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from campaigns import hashing, services
from campaigns.models import User
from config import password_queue
from config.asgi import OneThreadPerRequest
from config.password_queue import PLACES, PLACES_OF_AN_ADDRESS, PasswordQueue

SECONDS = 20
SIGN_IN = "/account/sign-in/"


def scope_of(path: str, *, address: str = "192.0.2.1", method: str = "POST", length: int = 0) -> dict[str, Any]:
    headers = [
        (b"host", b"testserver"),
        (b"content-type", b"application/x-www-form-urlencoded"),
        (b"content-length", b"%d" % length),
    ]
    return {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": headers,
        "client": [address, 1],
    }


class Hashes:
    """An application that runs until told to end; `begun` are the client addresses."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.refused: list[str] = []
        self.most_at_once = self._at_once = 0
        self.go_on = asyncio.Event()

    async def __call__(self, scope: dict[str, Any], _receive: Any, _send: Any) -> None:
        address = scope["client"][0]
        if password_queue.REFUSED in scope:
            self.refused.append(address)
            return
        self.begun.append(address)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        await self.go_on.wait()
        self._at_once -= 1


async def nothing(*_message: Any) -> dict[str, Any]:
    return {"type": "http.request", "body": b""}


async def crowd(*addresses: str, path: str = SIGN_IN) -> tuple[Hashes, asyncio.Future[Any], PasswordQueue]:
    """A queue with requests from these addresses, in this order, all sent before the first is done."""
    hashes = Hashes()
    queue = PasswordQueue(hashes)
    asking = asyncio.gather(*(queue(scope_of(path, address=address), nothing, nothing) for address in addresses))
    for _step in range(100):  # enough loop turns for everybody to reach their first pause
        await asyncio.sleep(0)
    return hashes, asking, queue


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the pauses between requests."""
    monkeypatch.setattr(password_queue, "PAUSE", 0)
    monkeypatch.setattr(password_queue, "PAUSE_BEFORE_REFUSAL", 0)


def test_one_is_served_at_a_time_in_the_order_in_which_they_came(at_once: None) -> None:
    async def scenario() -> None:
        hashes, asking, _queue = await crowd("a", "b", "c")
        assert hashes.begun == ["a"]
        hashes.go_on.set()
        await asking
        assert hashes.begun == ["a", "b", "c"]
        assert hashes.most_at_once == 1

    async_to_sync(scenario)()


def test_the_queue_is_short(at_once: None) -> None:
    async def scenario() -> None:
        addresses = [f"198.51.100.{number}" for number in range(PLACES + 3)]
        hashes, asking, queue = await crowd(*addresses)
        assert hashes.refused == addresses[PLACES:]
        hashes.go_on.set()
        await asking
        assert hashes.begun == addresses[:PLACES]
        assert queue.has_room_for("anybody")
        assert not queue._places, "who was served is forgotten"

    async_to_sync(scenario)()


def test_one_address_has_few_of_its_places(at_once: None) -> None:
    async def scenario() -> None:
        hashes, asking, queue = await crowd(*["one"] * (PLACES_OF_AN_ADDRESS + 2), "another")
        assert hashes.refused == ["one"] * 2
        assert not queue.has_room_for("one")
        hashes.go_on.set()
        await asking
        assert hashes.begun == ["one"] * PLACES_OF_AN_ADDRESS + ["another"]

    async_to_sync(scenario)()


def test_somebody_who_goes_away_or_meets_an_error_leaves_their_place() -> None:
    async def fails(*_asked: Any) -> None:
        raise RuntimeError

    async def scenario() -> None:
        _hashes, asking, queue = await crowd("a", "b")
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)
        queue.application = fails
        with pytest.raises(RuntimeError):
            await queue(scope_of(SIGN_IN), nothing, nothing)
        assert not queue._places
        assert not queue._turn.locked()

    async_to_sync(scenario)()


def test_nobody_else_waits(at_once: None) -> None:
    """A full queue delays neither pages nor presses."""

    async def scenario() -> None:
        hashes, asking, queue = await crowd(*["one"] * PLACES)
        for method, path in (("GET", SIGN_IN), ("POST", "/account/sign-out/"), ("POST", "/fights/x/do/next")):
            began = len(hashes.begun)
            other = asyncio.ensure_future(queue(scope_of(path, address="one", method=method), nothing, nothing))
            await asyncio.sleep(0)
            assert len(hashes.begun) == began + 1
            other.cancel()
        hashes.go_on.set()
        await asking

    async_to_sync(scenario)()


def test_refusals_take_turns_and_beyond_some_they_are_bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rendering thousands of pages would itself help an attacker."""
    monkeypatch.setattr(password_queue, "WAITING_FOR_REFUSAL", 2)
    sent = []

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def scenario() -> None:
        hashes, asking, queue = await crowd(*["one"] * PLACES_OF_AN_ADDRESS)
        refusals = [asyncio.ensure_future(queue(scope_of(SIGN_IN, address="one"), nothing, send)) for _ in range(3)]
        await asyncio.sleep(0)
        assert [message.get("status") for message in sent] == [429, None]
        assert (b"retry-after", b"5") in sent[0]["headers"]
        assert hashes.refused == []
        await asyncio.gather(*refusals)
        assert hashes.refused == ["one"] * 2
        hashes.go_on.set()
        await asking

    async_to_sync(scenario)()


# ------------------------------------------------------------------ what waits in it


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Records each time that a password is hashed."""
    cache.clear()
    met: list[str] = []
    hasher = type(hashers.get_hasher())
    for name in ("encode", "verify"):
        real = getattr(hasher, name)
        monkeypatch.setattr(hasher, name, lambda *given, name=name, real=real: met.append(name) or real(*given))
    return met


NEW = {"new_password1": "quite another phrase", "new_password2": "quite another phrase"}
ADDED = {"username": "added", "password1": "quite another phrase", "password2": "quite another phrase"}
FORMS = [
    ("sign-in", None, SIGN_IN, {"username": "player", "password": "wrong"}),
    ("sign-in, unknown name", None, SIGN_IN, {"username": "nobody", "password": "wrong"}),
    ("sign-up", None, "/account/sign-up/", {"username": "newcomer", "password": "a long enough phrase"}),
    ("change", "player", "/account/password/", {"old_password": "player's password", **NEW}),
    ("reset", None, "{reset}", NEW),
    ("admin adds", "admin", "/admin/campaigns/user/add/", {**ADDED, "usable_password": "true"}),
    ("admin gives", "admin", "/admin/campaigns/user/{player}/password/", {**ADDED, "usable_password": "true"}),
    ("account", "player", "/account/", {"first_name": "B", "email": ""}),
    ("forgotten", None, "/account/forgotten/", {"email": "player@example.org"}),
    ("admin edits", "admin", "/admin/campaigns/user/{player}/change/", {"username": "player"}),
    ("sign-out", "player", "/account/sign-out/", {}),
]


@pytest.mark.parametrize(("who", "path", "fields"), [form[1:] for form in FORMS], ids=[form[0] for form in FORMS])
def test_what_hashes_a_password_waits_in_the_queue_and_nothing_else(
    who: str | None, path: str, fields: dict[str, str], client: Any, player: Any, admin: Any, hashed: list[str]
) -> None:
    if who:
        client.force_login(User.objects.get(username=who), backend="django.contrib.auth.backends.ModelBackend")
    if path == "{reset}":
        uid, token = urlsafe_base64_encode(force_bytes(player.pk)), default_token_generator.make_token(player)
        path = client.get(f"/account/reset/{uid}/{token}/")["Location"]
    path = path.format(player=player.pk)
    hashed.clear()
    assert client.post(path, fields).status_code in (200, 302, 422)
    assert password_queue.hashes_a_password(scope_of(path)) is bool(hashed)


async def refused(path: str, fields: dict[str, str]) -> tuple[dict[str, Any], str]:
    """Django's response to a form when the queue is full."""
    body = urlencode(fields).encode()
    queue = PasswordQueue(OneThreadPerRequest())
    queue._places["192.0.2.1"] = PLACES_OF_AN_ADDRESS
    request = ApplicationCommunicator(queue, scope_of(path, length=len(body)))
    await request.send_input({"type": "http.request", "body": body})
    start = await request.receive_output(SECONDS)
    page = (await request.receive_output(SECONDS))["body"].decode()
    await request.wait(SECONDS)
    return start, page


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        (SIGN_IN, {"username": 'PLANTED "name"', "password": "PLANTED-secret", "next": "/chronicles/x/"}),
        ("/account/sign-up/", {"username": "PLANTED-name", "email": "a@example.org", "password": "PLANTED-secret"}),
        ("/account/password/", {"old_password": "PLANTED-secret", "new_password1": "PLANTED-secret-2"}),
        ("/account/reset/MQ/set-password/", {"new_password1": "PLANTED-secret", "new_password2": "PLANTED-secret"}),
        ("/admin/campaigns/user/add/", {"username": "PLANTED-name", "password1": "PLANTED-secret", "_save": "Save"}),
        ("/admin/campaigns/user/1/password/", {"password1": "PLANTED-secret", "password2": "PLANTED-secret"}),
    ],
)
def test_who_finds_it_full_reads_so_and_has_everything_but_passwords_kept(
    path: str, fields: dict[str, str], hashed: list[str]
) -> None:
    """Without the database: no lookups, no hashing."""
    start, page = async_to_sync(refused)(path, fields)
    headers = dict(start["headers"])
    assert start["status"] == 429
    assert headers[b"Retry-After"] == b"5"
    assert headers[b"Cache-Control"] == b"no-store"
    assert b"Content-Security-Policy" in headers
    assert "yours wasn’t checked" in page
    assert "PLANTED-secret" not in page
    kept = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
    asked = re.findall(r'<input type="password" name="(\w+)"[^>]*>', page)
    assert {name: html.unescape(kept[name]) for name in kept if name != "csrfmiddlewaretoken"} == {
        name: text for name, text in fields.items() if "password" not in name
    }
    assert set(asked) == {name for name in fields if "password" in name}
    assert hashed == []


# ------------------------------------------------------------------ the hash


@pytest.mark.django_db(transaction=True)
def test_one_password_is_hashed_at_a_time_even_outside_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view missing from the queue uses no more memory and CPUs."""
    at_once, most = 0, 0
    real = hashers.Argon2PasswordHasher.encode

    def encode(*given: Any) -> str:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        time.sleep(0.02)
        at_once -= 1
        return str(real(*given))

    monkeypatch.setattr(hashers.Argon2PasswordHasher, "encode", encode)

    def hash_one() -> None:
        hashing.Argon2().encode("x", "salt" * 4)
        connection.close()

    threads = [threading.Thread(target=hash_one) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert most == 1


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[float]:
    """How long each computed hash paused afterwards; skipped hashes are not listed."""
    settings.PASSWORD_HASHERS = [each for each in settings.PASSWORD_HASHERS if "MD5" not in each]
    met: list[float] = []
    monkeypatch.setattr(hashing, "sleep", met.append)
    monkeypatch.setattr(hashing, "LONGEST", SECONDS)
    return met


@pytest.fixture
def account(db: None, pauses: list[float]) -> Callable[..., User]:
    """account("anna", earlier=True) -> an account, with a hash as stock Django makes it."""

    def make(name: str, *, earlier: bool) -> User:
        hasher = hashers.Argon2PasswordHasher() if earlier else hashing.Argon2()
        user = User(username=name, password=hasher.encode("the right phrase", hasher.salt()))
        user.save()
        pauses.clear()
        return user

    return make


def sign_in(client: Any, name: str, password: str) -> bool:
    return bool(client.post(SIGN_IN, {"username": name, "password": password}).status_code == 302)


@pytest.mark.servers
def test_an_earlier_hash_still_signs_in_and_is_replaced(client: Any, account: Callable[..., User]) -> None:
    anna = account("anna", earlier=True)
    for _time in range(2):
        assert sign_in(client, "anna", "the right phrase")
        anna.refresh_from_db()
        assert anna.password.startswith(hashing.Argon2.ours)
        client.logout()


@pytest.mark.servers
def test_while_there_are_earlier_hashes_every_wrong_password_takes_equally_long(
    client: Any, account: Callable[..., User], pauses: list[float]
) -> None:
    account("boris", earlier=False)
    account("anna", earlier=True)
    User.objects.create(username="without", password="!")
    for name in ("anna", "boris", "without", "nobody"):
        pauses.clear()
        assert not sign_in(client, name, "wrong")
        (pause,) = pauses
        assert 0 < pause < SECONDS, "what is left after the hash"


@pytest.mark.servers
def test_without_stock_hashes_nobody_is_kept_waiting(
    client: Any, account: Callable[..., User], pauses: list[float]
) -> None:
    account("boris", earlier=False)
    for name in ("boris", "nobody"):
        assert not sign_in(client, name, "wrong")
    assert pauses == []


@pytest.mark.servers
@pytest.mark.django_db(transaction=True)
def test_nobody_waits_for_the_hash_of_somebody_who_signs_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A transaction blocks all other writers, at least on SQLite."""
    inside = []
    hasher = type(hashers.get_hasher())
    encode = hasher.encode
    monkeypatch.setattr(hasher, "encode", lambda *given: inside.append(connection.in_atomic_block) or encode(*given))
    services.sign_up(username="newcomer", password="a long enough phrase")
    assert inside == [False]
