"""The cast, and what tests with a browser need."""

from __future__ import annotations

import contextlib
import functools
import gc
import itertools
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from django.utils import translation

from bench.tracebacks import unexpected_tracebacks
from script import chromium
from tests import against, at_home, emptied, migrated
from tests.kept import KeptFixtures, kept

CHROMIUM = chromium.path()
CHROMIUM_ARGUMENTS = [*chromium.QUIETLY, "--disable-quic", "--disable-component-update"]
NEEDED = {"browser": ("playwright", "page_for"), "servers": ("servers",)}
"""Which words a file with tests of a mark has at least one of: the others needn't be imported to find out."""
BROWSER_RERUNS = 1
"""Retries of a failed browser test. The closing line counts them, and each is investigated."""
SECONDS_TO_START = SECONDS_TO_END = 90
PATIENCE = 30_000
"""Timeout in milliseconds for expectations. What a test does behind a page's back appears at its next heartbeat, up to
five seconds later, and the machine may be busy."""
PORTS = itertools.count(os.getpid() * 131)
"""A server's port lies below those that the system gives to connections: one of them could take it meanwhile."""


# Order and settings ----------------------------------------------------------------------------------------------


def pytest_configure(config: pytest.Config) -> None:
    from django.conf import settings

    at_home.stay()
    config.pluginmanager.register(KeptFixtures())
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell starts what it leaves in the background so, and servers that tests interrupt would inherit it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if against.URL:
        if problem := against.refusal():
            pytest.exit(problem, returncode=pytest.ExitCode.USAGE_ERROR)
        config.pluginmanager.register(against)
    # The real one takes a fifth of a second for each password, on purpose.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *settings.PASSWORD_HASHERS]
    if settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
        options = settings.DATABASES["default"]["OPTIONS"]
        # No test needs the rows of this process after the machine has lost its power.
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
    if settings.REDIS_URL and not against.URL:
        # Tests clear the counters in Redis, so each worker and its servers have a Redis database of their own.
        worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]
        os.environ["REDIS_URL"] = settings.CACHES["default"]["LOCATION"] = f"{settings.REDIS_URL}/{worker}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the files without tests of the one mark asked for: each worker would import them all."""
    mark = config.option.markexpr
    if mark not in NEEDED or not fnmatch(collection_path.name, "test_*.py"):
        return None
    return None if _mentions(collection_path, mark) else True


@functools.cache
def _mentions(path: Path, mark: str) -> bool:
    text = path.read_text(encoding="utf-8")
    return any(word in text for word in NEEDED[mark])


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what needs a browser. Without a Chromium it is skipped, and the summary says why; with `CI` set it fails."""
    if "browser" not in getattr(item, "fixturenames", ()):
        return
    if not _mentions(item.path, "browser"):
        raise pytest.UsageError(f"{item.path} has browser tests that script/test leaves out: see NEEDED.")
    item.add_marker("browser")
    if not against.URL:
        item.add_marker(pytest.mark.flaky(reruns=BROWSER_RERUNS))
    if CHROMIUM is None and not os.environ.get("CI"):
        item.add_marker(pytest.mark.skip(reason=chromium.MISSING))


@pytest.hookimpl(trylast=True)  # after pytest-django's own ordering
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: Playwright leaves an event loop on the thread, which each `async_to_sync` would meet."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage meanwhile: what is made stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Let the garbage collector pass over modules and collected tests, which stay: saves a twelfth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _call(function: Callable[..., Any], *arguments: Any) -> Any:
    return function(*arguments)


_call_with_room = FunctionType(_call.__code__.replace(co_stacksize=2**17), globals())
"""Calls a function with a megabyte for the frames of all that it calls.

Python 3.11 keeps frames in pieces of 16 KiB, and asks the system for the next piece whenever a call does not fit, and
returns it when that call ends. A loop in which each call does takes a tenth longer. For a frame that is said to be
large, Python makes a large piece.
"""


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Any:
    return _call_with_room(pyfuncitem.config.pluginmanager.get_plugin("python").pytest_pyfunc_call, pyfuncitem)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Append each retried test to the file of `script/test`, which allows few."""
    noted = os.environ.get("VESPER_RERUNS")
    if noted and report.outcome == "rerun" and "PYTEST_XDIST_WORKER" not in os.environ:
        with open(noted, "a") as file:
            file.write(f"{report.nodeid}\n")


@pytest.fixture(autouse=True)
def _channels_keeps_the_test_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Channels closes old connections around each database call: in a rolled-back test that is the test's own."""
    monkeypatch.setattr("channels.db.close_old_connections", lambda: None)


@pytest.fixture(autouse=True)
def _only_the_page_keeps_its_context(monkeypatch: pytest.MonkeyPatch) -> None:
    """Django's test client copies the context of each template, every form field's included: keep the first alone.

    Copying the others takes longer than some of the answers.
    """
    from django.test import client

    keep = client.store_rendered_templates

    def keep_first(store: dict[str, Any], **signalled: Any) -> None:
        if "context" not in store:
            keep(store, **signalled)

    monkeypatch.setattr(client, "store_rendered_templates", keep_first)


@pytest.fixture(scope="session", autouse=True)
def _only_tables_with_rows_are_emptied() -> Iterator[None]:
    from django.test import TransactionTestCase

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", emptied.teardown)
        yield


@pytest.fixture(scope="session", autouse=True)
def _static_files_are_listed_once() -> Iterator[None]:
    """Each test client loads the middleware, which reads all static files: longer than most pages take."""
    from django.conf import settings
    from whitenoise.middleware import WhiteNoiseMiddleware

    listed: dict[tuple[str, bool], dict[str, Any]] = {}

    def list_once(self: Any) -> None:
        key = (str(settings.STATIC_ROOT), settings.DEBUG)
        if key not in listed:
            read(self)
            listed[key] = dict(self.files)
        self.files.update(listed[key])

    read = WhiteNoiseMiddleware.add_files_from_finders
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", list_once)
        yield


@pytest.fixture(autouse=True)
def _mail_has_left_when_the_answer_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread sees nothing of a test that is rolled back."""
    monkeypatch.setattr("campaigns.forms.accounts.aside", lambda work: work())


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> Iterator[None]:
    """Copies a migrated database instead of migrating one in each worker."""
    from django.db import connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(connection.creation), "create_test_db", migrated.create_test_db)
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Before PostgreSQL's database is dropped, end the connections that threads of the tests have left open."""
    from django.db import connection

    yield
    if connection.vendor == "postgresql":
        others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(f"SELECT pg_terminate_backend(pid) {others}")


@pytest.fixture(autouse=True)
def _no_log_is_read_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread sees nothing of a test that is rolled back."""
    monkeypatch.setattr("story.digests.aside", lambda work: None)


# The cast --------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _every_test_begins_in_english() -> Iterator[None]:
    """A thread goes on in the language of the last request that it answered."""
    yield
    translation.deactivate()


@pytest.fixture
def person(db: None) -> Callable[..., Any]:
    """person("anna", is_staff=True) -> a user with the password "anna's password"."""
    from django.contrib.auth import get_user_model

    def make(name: str, **more: Any) -> Any:
        return get_user_model().objects.create_user(name, f"{name}@example.org", f"{name}'s password", **more)

    return make


@pytest.fixture
@kept
def storyteller(person: Callable[..., Any]) -> Any:
    return person("storyteller")


@pytest.fixture
@kept
def player(person: Callable[..., Any]) -> Any:
    return person("player")


@pytest.fixture
@kept
def other_player(person: Callable[..., Any]) -> Any:
    return person("other_player")


@pytest.fixture
@kept
def observer(person: Callable[..., Any]) -> Any:
    return person("observer")


@pytest.fixture
@kept
def stranger(person: Callable[..., Any]) -> Any:
    """Has an account, and is at no table of the others."""
    return person("stranger")


@pytest.fixture
@kept
def admin(person: Callable[..., Any]) -> Any:
    """Runs the site, and is at no table."""
    return person("admin", is_staff=True, is_superuser=True)


@pytest.fixture
@kept
def people(request: pytest.FixtureRequest, person: Callable[..., Any]) -> dict[str, Any]:
    """Everybody by their role, with one who was removed, one of another table, and a guest, who has no account."""
    cast = ("storyteller", "player", "other_player", "observer", "stranger", "admin")
    found = {name: request.getfixturevalue(name) for name in cast}
    return {**found, "removed": person("removed"), "elsewhere": person("elsewhere"), "guest": None}


@pytest.fixture
@kept
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


SERVERS: list[ServerProcess] = []
"""All servers that tests of this process have started."""


class ServerProcess(subprocess.Popen[str]):
    """A server on a `port`, with its `url`. A traceback in its log fails the test: see `_servers_do_not_fail`."""

    def __init__(self, command: Sequence[str], port: int, **more: Any) -> None:
        from django.conf import settings

        self.port, self.url = port, f"http://127.0.0.1:{port}"
        (self._log, name), self._read = tempfile.mkstemp(), 0
        os.unlink(name)
        super().__init__(command, cwd=settings.BASE_DIR, stderr=self._log, text=True, **more)
        SERVERS.append(self)
        wait_for_port(self, port)

    def news(self) -> str:
        """What it has written to its log since the last call."""
        news = os.pread(self._log, 2**30, self._read)
        self._read += len(news)
        return news.decode(errors="replace")

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Ends it, and gives its exit code."""
        if self.poll() is None:
            self.send_signal(how)
        return self.wait(SECONDS_TO_END)


def free_port() -> int:
    while True:
        port = 20_000 + next(PORTS) % 12_000
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


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

    before = "sqlite://" if connection.vendor == "sqlite" else os.environ["DATABASE_URL"].rpartition("/")[0]
    url = f"{before}/{connection.settings_dict['NAME']}"
    started: list[ServerProcess] = []

    def start(port: int | None = None) -> ServerProcess:
        port = port or free_port()
        command = [sys.executable, "manage.py", "serve", "--beside", "--port", str(port)]
        environment = {**os.environ, "DATABASE_URL": url, "VESPER_DATA": str(settings.DATA_DIR)}
        started.append(ServerProcess(command, port, env=environment, stdout=subprocess.DEVNULL))
        return started[-1]

    yield start
    for process in started:
        if process.poll() is None:
            assert process.end() == 0
        assert unexpected_tracebacks(process.news()) == []


@pytest.fixture(autouse=True)
def _servers_do_not_fail(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test during which a server wrote a traceback to its log.

    A test that provokes one names its text: `@pytest.mark.tracebacks("ZeroDivisionError: …")`. daphne reports failures
    once a second, so the culprit may be the test before.
    """
    yield
    marker = request.node.get_closest_marker("tracebacks")
    log = "".join(server.news() for server in SERVERS)
    sys.stderr.write(log)  # with what pytest shows of a test that failed
    assert unexpected_tracebacks(log, marker.args if marker else ()) == []


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest) -> Any:
    """The server process that browser tests share, as long as they do not stop it; or the one that runs already."""
    # By its name: what asks for `daphne` itself cannot be tried on a server that is not ours.
    return against.running() if against.URL else request.getfixturevalue("daphne")()


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """The machine's Chromium in place of a download."""
    # From here on Playwright's event loop runs on this thread, and Django would refuse the database. Not earlier:
    # in all other tests that refusal finds real mistakes.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    assert CHROMIUM, chromium.MISSING
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": CHROMIUM_ARGUMENTS}


ABORTED = ("htmx:sendAbort, ", "htmx:afterRequest, ")
"""What htmx logs of a request that is still under way when its page is left. One that fails logs more than this."""


def is_problem(said: Any) -> bool:
    """Whether a message of a page's console is a complaint."""
    return said.type in ("error", "warning") and not said.text.startswith(ABORTED)


@pytest.fixture
def page_for(browser: Any, server: Any, transactional_db: None) -> Iterator[Callable[..., Any]]:
    """page_for(user, path="/", **context_options) -> a page in a browser of its own, signed in as `user`.

    `page.problems` collects what the console complains about and what scripts throw. When the test ends it must be
    empty: a violation of the content security policy ends up there. A test that expects some clears the list.
    `server=` takes another server than the shared one; `user=None` leaves the visitor anonymous.
    """
    pages = []

    def open_page(user: Any, path: str | None = "/", *, server: Any = server, **options: Any) -> Any:
        trusting = {"ignore_https_errors": True} if getattr(server, "self_signed", False) else {}
        context = browser.new_context(base_url=server.url, **trusting, **options)
        if user is not None:
            context.add_cookies([session_cookie(user, server.url)])
        page = context.new_page()
        page.problems = problems = []
        page.on("console", lambda said: problems.append(said.text) if is_problem(said) else None)
        page.on("pageerror", lambda thrown: problems.append(str(thrown)))
        if path is not None:
            page.goto(path)
        pages.append(page)
        return page

    yield open_page
    problems = [problem for page in pages for problem in page.problems]
    for page in pages:
        # The wall asks again every few seconds: what a route fetches then may end with its context.
        page.context.unroute_all(behavior="ignoreErrors")
        page.context.close()
    assert problems == []


def session_cookie(user: Any, url: str) -> dict[str, str]:
    """The cookie of a new session in which `user` is signed in, without the form."""
    from django.conf import settings
    from django.test import Client

    client = Client()
    client.force_login(user)
    name = against.cookie_name(settings.SESSION_COOKIE_NAME)
    return {"name": name, "value": client.session.session_key, "url": url}
