"""Log lines for people and for machines, without secrets."""

import json
import logging
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import DatabaseError
from django.test import RequestFactory
from django.urls import get_resolver
from django.urls.resolvers import URLPattern

from combat.live.routing import websocket_urlpatterns
from config.log import ForMachines, ForPeople, masked
from tests.config.test_settings import PRODUCTION
from tests.conftest import free_port, wait_for_port
from tests.websocket import Refused, WebSocket

TOKEN = "pLanted-T0ken_pLanted-T0ken_pLanted-T0ken_1"
PASSWORD = "pLanted-passw0rd"


def record(message="went %s", *arguments, problem=None, **more):
    made = logging.LogRecord("vesper", logging.ERROR, __file__, 1, message, arguments or ("wrong",), None)
    if problem is not None:
        made.exc_info = (type(problem), problem, problem.__traceback__)
    made.__dict__.update(more)
    return made


def raised(problem):
    try:
        raise problem
    except type(problem) as caught:
        return caught


def test_people_read_a_line_and_then_the_way_to_the_fault():
    said = ForPeople().format(record(problem=raised(ValueError("on purpose"))))
    first, *way = said.splitlines()
    assert first.endswith(" ERROR vesper: went wrong")
    assert way[0].startswith("Traceback")
    assert way[-1] == "ValueError: on purpose"
    assert any("raise problem" in line for line in way)


def test_programs_read_an_object():
    request = RequestFactory().post("/chronicles/x/?a=b")
    request._cached_user = type("Somebody", (), {"pk": 7})()
    made = record(problem=raised(ValueError("on purpose")), request=request, status_code=500)
    line = ForMachines().format(made)
    assert len(line.splitlines()) == 1
    told = json.loads(line)
    assert told.pop("exception").endswith("ValueError: on purpose")
    assert told.pop("time").endswith("Z")
    assert told == {
        "level": "ERROR",
        "logger": "vesper",
        "message": "went wrong",
        "method": "POST",
        "path": "/chronicles/x/",
        "user": 7,
        "status": 500,
    }


@pytest.mark.parametrize("formatter", [ForPeople, ForMachines])
def test_what_is_no_fault_takes_one_line(formatter):
    line = formatter(way=False).format(record(problem=raised(ValueError("on purpose"))))
    assert "on purpose" not in line
    assert len(line.splitlines()) == 1


@pytest.mark.parametrize("formatter", [ForPeople, ForMachines])
def test_nobody_writes_lines_of_their_own(formatter):
    assert len(formatter().format(record("went %s", "wrong\r\n2026-01-01 ERROR vesper: forged")).splitlines()) == 1


@pytest.mark.parametrize("formatter", [ForPeople, ForMachines])
def test_a_row_that_the_database_refused_is_not_quoted(formatter):
    """PostgreSQL gives the reason in the first line, and quotes the row in the following ones."""
    try:
        try:
            raise ValueError(f"null value in column\nDETAIL:  Failing row contains (7, {PASSWORD},\n{PASSWORD}).\n")
        except ValueError as inner:
            raise DatabaseError(*inner.args) from inner
    except DatabaseError as problem:
        said = formatter().format(record(problem=problem))
    assert said.count("Error: null value in column") == 2
    assert PASSWORD not in said


def patterns(resolver):
    for each in resolver.url_patterns:
        if isinstance(each, URLPattern):
            yield each
        else:
            yield from patterns(each)


def with_token():
    """Every route with a secret token in its path, with `TOKEN` in its place."""
    for pattern in [*patterns(get_resolver()), *websocket_urlpatterns]:
        converters = pattern.pattern.converters
        if "token" in converters:
            path = "/" + str(pattern.pattern)
            for name, converter in converters.items():
                for written in (f"<{name}>", f"<str:{name}>", f"<slug:{name}>", f"<int:{name}>"):
                    value = TOKEN if name == "token" else "7" if "int" in type(converter).__name__.lower() else "id"
                    path = path.replace(written, value)
            yield path


PATHS = sorted(set(with_token()))


def test_the_routes_with_tokens_are_known():
    assert {path.partition(TOKEN)[0] for path in PATHS} >= {
        "/join/",
        "/wall/",
        "/calendar/",
        "/ws/wall/",
        "/account/reset/id/",
    }


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "https://vesper.example.org{}",
        "Not Found: {}",
        '"GET {} HTTP/1.1"',
        "{}?a=b",
        "GET /account/sign-in/?next={}",
    ],
)
def test_tokens_are_masked_wherever_a_path_is_written(path, around):
    said = masked(around.format(path))
    assert TOKEN not in said
    assert path.partition(TOKEN)[0] in said


@pytest.mark.parametrize("path", PATHS)
def test_tokens_are_masked_in_a_path_that_stands_in_a_query(path):
    said = masked(f"GET /account/sign-in/?next={quote(path, safe='')}&x=1")
    assert TOKEN not in said
    assert said.endswith("&x=1")


def test_what_is_no_token_stays():
    assert masked("GET /chronicles/abc/wall/ 200") == "GET /chronicles/abc/wall/ 200"


@pytest.mark.parametrize("name", ["", "django.server", "django.channels.server", "django.request", "daphne", "twisted"])
def test_whoever_writes_addresses_writes_them_so(name):
    logger, formatters = logging.getLogger(name), []
    while logger is not None:
        formatters += [each.formatter for each in logger.handlers if type(each) is logging.StreamHandler]
        logger = logger.parent if logger.propagate else None
    assert formatters
    assert {type(each) for each in formatters} <= {ForPeople, ForMachines}


@pytest.mark.parametrize("scheme", ["postgres", "redis", "smtp+tls"])
def test_passwords_of_addresses_are_masked(scheme):
    assert masked(f"no {scheme}://vesper:{PASSWORD}@host:1/x") == f"no {scheme}://vesper:…@host:1/x"


@pytest.mark.parametrize("part", ["+a", "a://", "://a:", "/join", "/account/reset"])
def test_a_long_path_is_masked_in_no_time(part):
    started = time.monotonic()
    masked(part * (100_000 // len(part)))
    assert time.monotonic() - started < 5


def asked(url, **more):
    headers = {"Host": "vesper.example.org", "X-Forwarded-Proto": "https", "Cookie": f"x={TOKEN}", **more}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        refused.close()
        return refused.code


def test_a_server_in_trouble_writes_objects_and_no_secrets(tmp_path):
    """In production, with an empty database: every query fails and is logged."""
    port, log = free_port(), tmp_path / "log"
    stderr = log.open("w")
    process = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port)],
        cwd=settings.BASE_DIR,
        env={
            "PATH": os.environ["PATH"],
            "VESPER_DATA": str(tmp_path),
            "VESPER_LOG": "DEBUG",
            **PRODUCTION,
            "EMAIL_URL": f"smtp+tls://vesper:{PASSWORD}@127.0.0.1:1",
        },
        stdout=subprocess.DEVNULL,
        stderr=stderr,
    )
    try:
        wait_for_port(process, port)
        there = f"http://127.0.0.1:{port}"
        failed = [asked(there + path) for path in PATHS if not path.startswith("/ws/")]
        assert 500 in failed
        assert asked(there + f"/no/such/page/?password={PASSWORD}") >= 400
        assert asked(there + "/account/", Host="elsewhere.example") >= 400
        assert asked(there + "/health/ready") == 503
        with pytest.raises(Refused):
            WebSocket(port, f"/ws/wall/{TOKEN}/id/")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        stderr.close()
    written = log.read_text()
    lines = [json.loads(line) for line in written.splitlines()]
    assert any("no such table" in line.get("exception", "") for line in lines)
    assert not any("/health/" in json.dumps(line) for line in lines)
    for secret in (TOKEN, PASSWORD, PRODUCTION["SECRET_KEY"]):
        assert secret not in written
