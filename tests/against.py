"""Browser tests against a running Vesper: `script/test --against https://vesper.example.org`.

The tests write to this server's database (DATABASE_URL), notify its pages (REDIS_URL), and sign sessions with its
SECRET_KEY. They empty the database before the first test and after each one, so it must be a test database.
"""

from __future__ import annotations

import os
import socket
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

URL = os.environ.get("VESPER_TEST_SERVER", "").strip().rstrip("/")
NEEDED = ("DATABASE_URL", "SECRET_KEY")
SELF_SIGNED = 18  # X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT of OpenSSL
OWN_SERVERS = "starts, stops or kills servers of its own"


@dataclass(frozen=True)
class RunningServer:
    """A server that we did not start: its URL, and whether its certificate is self-signed."""

    url: str
    self_signed: bool


def refusal() -> str | None:
    """Why these tests must not run, as a sentence; empty if they may."""
    from django.conf import settings

    name = Path(str(settings.DATABASES["default"]["NAME"])).name
    if missing := [each for each in NEEDED if not os.environ.get(each)]:
        return f"{' and '.join(missing)} must match {URL}: the tests write to its database and sign in there."
    if not name.startswith("test_"):
        return (
            f"These tests empty the database, so {name} must have a name that begins with test_, such as test_vesper."
        )
    if "PYTEST_XDIST_WORKER" in os.environ:
        return "There is only one server and one database: run without -n."
    return None


def running() -> RunningServer:
    """The server at `URL`. Raises `OSError` if it doesn't answer or its certificate isn't trusted."""
    parts = urlsplit(URL)
    if parts.scheme != "https":
        return RunningServer(URL, self_signed=False)
    address = (str(parts.hostname), parts.port or 443)
    try:
        with (
            socket.create_connection(address, 10) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=address[0]),
        ):
            return RunningServer(URL, self_signed=False)
    except ssl.SSLCertVerificationError as refused:
        if refused.verify_code != SELF_SIGNED:
            raise
        return RunningServer(URL, self_signed=True)


def cookie_name(name: str) -> str:
    """The name that a server behind TLS gives to the cookie `name`."""
    return f"__Host-{name}" if URL.startswith("https:") else name


# As a plugin, if there is such a server: replaces the creation of the test database, and selects tests -----------


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: Any) -> None:
    """The server's database, emptied."""
    from django.core.management import call_command

    with django_db_blocker.unblock():
        call_command("flush", interactive=False, verbosity=0)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects tests that open no page, and skips those that start their own servers."""
    opening = [item for item in items if "page_for" in getattr(item, "fixturenames", ())]
    config.hook.pytest_deselected(items=[item for item in items if item not in opening])
    items[:] = opening
    for item in opening:
        if "daphne" in item.fixturenames:  # type: ignore[attr-defined]
            item.add_marker(pytest.mark.skip(reason=OWN_SERVERS))
