"""Browser tests against a Vesper that runs already: `script/test --against https://vesper.example.org`.

The tests write to the database that this server serves (DATABASE_URL) and tell its pages so (REDIS_URL); sessions are
signed with its SECRET_KEY. The database is emptied before the first test and after each, and so must be one for tests.
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
    """A server that is not ours: its address, and whether its certificate is signed by itself alone."""

    url: str
    self_signed: bool


def refusal() -> str | None:
    """Why these tests must not run, in a sentence."""
    from django.conf import settings

    name = Path(str(settings.DATABASES["default"]["NAME"])).name
    if missing := [each for each in NEEDED if not os.environ.get(each)]:
        return f"{' and '.join(missing)} must be those of {URL}: the tests write to its database and sign in there."
    if not name.startswith("test_"):
        return f"The database {name} would be emptied: its name must begin with test_, as in test_vesper."
    if "PYTEST_XDIST_WORKER" in os.environ:
        return "One server and one database: run without -n."
    return None


def running() -> RunningServer:
    """The server at `URL`. Raises `OSError` where none answers, or its certificate is not to be trusted."""
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
    """As a server behind TLS calls the cookie that is `name` here."""
    return f"__Host-{name}" if URL.startswith("https:") else name


# As a plugin, where there is such a server: in place of what makes the test database, and of what else would run ----


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: Any) -> None:
    """The database that is served, emptied."""
    from django.core.management import call_command

    with django_db_blocker.unblock():
        call_command("flush", interactive=False, verbosity=0)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what opens no page, and skips what needs servers of its own."""
    opening = [item for item in items if "page_for" in getattr(item, "fixturenames", ())]
    config.hook.pytest_deselected(items=[item for item in items if item not in opening])
    items[:] = opening
    for item in opening:
        if "daphne" in item.fixturenames:  # type: ignore[attr-defined]
            item.add_marker(pytest.mark.skip(reason=OWN_SERVERS))
