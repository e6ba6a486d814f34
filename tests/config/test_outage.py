"""During an outage, pages say so quickly and in words, and nobody waits twice."""

import contextlib
import logging
import sqlite3

import pytest
from django.core.cache import caches
from django.db import InterfaceError, OperationalError, ProgrammingError, connection
from django.test import RequestFactory

from campaigns import outage, throttle


@pytest.fixture
def broken(monkeypatch):
    """broken(problem): from now on every database access raises it."""

    def breaks(problem):
        def cursor(*_given):
            raise problem

        monkeypatch.setattr(connection, "cursor", cursor)

    return breaks


@pytest.fixture
def reader(client, player):
    client.force_login(player)
    client.raise_request_exception = False
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("path", ["/", "/chronicles/new/", "/account/", "/fights/x/do/next"])
@pytest.mark.parametrize(
    "problem",
    [
        pytest.param(OperationalError("couldn't get a connection after 5.00 sec"), marks=pytest.mark.servers),
        OperationalError("database or disk is full"),
        pytest.param(InterfaceError("the connection is closed"), marks=pytest.mark.servers),
    ],
)
def test_without_its_database_each_page_says_so(reader, broken, path, method, problem):
    broken(problem)
    response = getattr(reader, method)(path)
    assert response.status_code == 503
    assert response.headers["Retry-After"] == "5"
    assert response.headers["Cache-Control"] == "no-store"
    said = response.content.decode()
    assert "Vesper can’t reach its database right now" in said
    assert str(problem) not in said


def full(limit):
    """SQLite's error when its file cannot grow."""
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"PRAGMA max_page_count = {limit}")
        try:
            database.execute("CREATE TABLE rows (text)")
            database.execute("INSERT INTO rows VALUES (zeroblob(100000))")
        except sqlite3.OperationalError as problem:
            return problem
    raise AssertionError("it was not full")


class DiskFull(Exception):
    """Like psycopg's own, which is not installed everywhere."""

    sqlstate = "53100"


@pytest.mark.servers
@pytest.mark.django_db
@pytest.mark.parametrize("cause", [full(2), DiskFull()])
def test_a_full_disk_is_said_in_words(reader, monkeypatch, cause):
    def cursor(*_given):
        raise OperationalError("PRIVATE") from cause

    monkeypatch.setattr(connection, "cursor", cursor)
    response = reader.post("/chronicles/new/")
    assert response.status_code == 507
    said = response.content.decode()
    assert "its server’s disk is full" in said
    assert "PRIVATE" not in said


@pytest.mark.django_db
def test_it_says_so_in_the_readers_language(reader, broken):
    broken(OperationalError("away"))
    said = reader.get("/", headers={"accept-language": "de"}).content.decode()
    assert '<html lang="de"' in said
    assert "Die Datenbank ist nicht erreichbar" in said


@pytest.mark.servers
@pytest.mark.django_db
def test_the_reason_stands_in_the_log(reader, broken, caplog, monkeypatch):
    monkeypatch.setattr(logging.getLogger("django"), "propagate", True)
    monkeypatch.setattr(logging.getLogger("django.request"), "propagate", True)
    broken(OperationalError("server closed the connection unexpectedly"))
    reader.get("/")
    assert "server closed the connection unexpectedly" in caplog.text


@pytest.mark.servers
@pytest.mark.django_db
def test_a_mistake_of_ours_is_no_outage(reader, broken):
    broken(ProgrammingError("syntax error"))
    response = reader.get("/")
    assert response.status_code == 500
    assert "Something broke" in response.content.decode()


@pytest.mark.servers
def test_counts_that_do_not_answer_are_not_asked_again_and_again(monkeypatch):
    asked = []

    def add(*_given, **_more):
        asked.append(1)
        raise ConnectionError("away")

    monkeypatch.setattr(caches["default"], "add", add)
    monkeypatch.setattr(throttle, "_outage", outage.Outage())
    request = RequestFactory().get("/")
    caches["here"].clear()
    assert [throttle.count(request, "guess", seconds=60) for _ in range(5)] == [1, 2, 3, 4, 5]
    assert len(asked) == 1
    throttle._outage.end()
    assert throttle.count(request, "guess", seconds=60) == 6
    assert len(asked) == 2
    caches["here"].clear()
