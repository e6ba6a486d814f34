"""The cast, and what tests with a browser need."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

CHROMIUM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"))), None
)
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
BROWSER_FIXTURES = {"browser", "page", "context", "new_context", "page_for"}
SECONDS_TO_START = 30


# Order and settings ----------------------------------------------------------------------------------------------


def pytest_configure() -> None:
    from django.conf import settings

    # The real one takes a fifth of a second for each password, on purpose.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *settings.PASSWORD_HASHERS]


@pytest.hookimpl(trylast=True)  # after pytest-django's own ordering
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: Playwright leaves an event loop on this thread, which every `async_to_sync` would meet.

    Without a Chromium they are skipped, and the summary says why; with `CI` set they fail instead.
    """

    def needs_browser(item: pytest.Item) -> bool:
        return not BROWSER_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))

    items.sort(key=needs_browser)
    if CHROMIUM is None and not os.environ.get("CI"):
        for item in filter(needs_browser, items):
            item.add_marker(pytest.mark.skip(reason="no Chromium: apt-get install chromium, or CHROMIUM=/path"))


@pytest.fixture(autouse=True)
def _channels_keeps_the_test_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Channels closes old connections around each database call: in a rolled-back test that is the test's own."""
    monkeypatch.setattr("channels.db.close_old_connections", lambda: None)


# The cast --------------------------------------------------------------------------------------------------------


@pytest.fixture
def person(db: None) -> Callable[..., Any]:
    """person("anna", is_staff=True) -> a user with the password "anna's password"."""
    from django.contrib.auth import get_user_model

    def make(name: str, **more: Any) -> Any:
        return get_user_model().objects.create_user(name, f"{name}@example.org", f"{name}'s password", **more)

    return make


@pytest.fixture
def storyteller(person: Callable[..., Any]) -> Any:
    return person("storyteller")


@pytest.fixture
def player(person: Callable[..., Any]) -> Any:
    return person("player")


@pytest.fixture
def other_player(person: Callable[..., Any]) -> Any:
    return person("other_player")


@pytest.fixture
def observer(person: Callable[..., Any]) -> Any:
    return person("observer")


@pytest.fixture
def stranger(person: Callable[..., Any]) -> Any:
    """Has an account, and is at no table of the others."""
    return person("stranger")


@pytest.fixture
def admin(person: Callable[..., Any]) -> Any:
    """Runs the site, and is at no table."""
    return person("admin", is_staff=True, is_superuser=True)


@pytest.fixture
def chronicle(storyteller: Any, player: Any, other_player: Any, observer: Any) -> Any:
    """A Masquerade chronicle with its members: a Storyteller, two players, an observer."""
    from campaigns.models import Chronicle, Membership, Role

    made = Chronicle.objects.create(name="Ash and Amber", ruleset="masquerade")
    roles = {
        storyteller: Role.STORYTELLER,
        player: Role.PLAYER,
        other_player: Role.PLAYER,
        observer: Role.OBSERVER,
    }
    for user, role in roles.items():
        Membership.objects.create(chronicle=made, user=user, role=role)
    return made


# Servers and browsers --------------------------------------------------------------------------------------------


class ServerProcess(subprocess.Popen[str]):
    """A running `manage.py serve`: its `port` and `url`."""

    port: int
    url: str

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Ends it, and gives its exit code."""
        if self.poll() is None:
            self.send_signal(how)
        return self.wait(15)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_port(process: subprocess.Popen[str], port: int) -> None:
    """Returns when `process` listens on `port`; fails when it ends before, or takes too long."""
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return
        except OSError:
            assert process.poll() is None, f"the server ended with code {process.returncode}"
            time.sleep(0.05)
    pytest.fail(f"nothing listened on port {port} within {SECONDS_TO_START} seconds")


@pytest.fixture(scope="session")
def daphne(django_db_setup: None) -> Iterator[Callable[..., ServerProcess]]:
    """daphne(port=None) -> a ServerProcess on the test database. The test needs `transactional_db`."""
    from django.conf import settings
    from django.db import connection

    name = str(connection.settings_dict["NAME"])
    before = "sqlite://" if connection.vendor == "sqlite" else os.environ["DATABASE_URL"].rsplit("/", 1)[0]
    url = f"{before}/{name}"
    started: list[ServerProcess] = []

    def start(port: int | None = None) -> ServerProcess:
        port = port or free_port()
        process = ServerProcess(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=settings.BASE_DIR,
            env={**os.environ, "DATABASE_URL": url, "VESPER_DATA": str(settings.DATA_DIR)},
            stdout=subprocess.DEVNULL,
        )
        process.port, process.url = port, f"http://127.0.0.1:{port}"
        started.append(process)
        wait_for_port(process, port)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            assert process.end() == 0


@pytest.fixture(scope="session")
def server(daphne: Callable[..., ServerProcess]) -> ServerProcess:
    """The server process that browser tests share, as long as they do not stop it."""
    return daphne()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The machine's Chromium in place of a download."""
    # From here on Playwright's event loop runs on this thread, and Django would refuse the database. Not earlier:
    # in all other tests that refusal finds real mistakes.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    assert CHROMIUM, "no Chromium: apt-get install chromium, or CHROMIUM=/path/to/it"
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": CHROMIUM_ARGUMENTS}


@pytest.fixture
def page_for(browser: Any, server: ServerProcess, transactional_db: None) -> Iterator[Callable[..., Any]]:
    """page_for(user, path="/", **context_options) -> a page in a browser of its own, signed in as `user`.

    `page.problems` collects what the console complains about and what scripts throw. When the test ends it must be
    empty: a violation of the content security policy ends up there. A test that expects some clears the list.
    `server=` takes another server than the shared one; `user=None` leaves the visitor anonymous.
    """
    pages = []

    def open_page(user: Any, path: str | None = "/", *, server: ServerProcess = server, **options: Any) -> Any:
        context = browser.new_context(base_url=server.url, **options)
        if user is not None:
            context.add_cookies([session_cookie(user, server.url)])
        page = context.new_page()
        page.problems = problems = []
        page.on("console", lambda said: problems.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda thrown: problems.append(str(thrown)))
        if path is not None:
            page.goto(path)
        pages.append(page)
        return page

    yield open_page
    problems = [problem for page in pages for problem in page.problems]
    for page in pages:
        page.context.close()
    assert problems == []


def session_cookie(user: Any, url: str) -> dict[str, str]:
    """The cookie of a new session in which `user` is signed in, without the form."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return {"name": settings.SESSION_COOKIE_NAME, "value": str(session.session_key), "url": url}
