"""When browser tests may run against a running server: never on somebody's own database."""

import pytest
from django.conf import settings

from tests import against


@pytest.fixture
def surroundings(monkeypatch):
    """A setting in which nothing is refused: `change(NAME=value)` changes it, None removes a variable."""

    def change(*, database="test_vesper", **variables):
        monkeypatch.setitem(settings.DATABASES["default"], "NAME", database)
        wanted = {"DATABASE_URL": "a", "SECRET_KEY": "b", "PYTEST_XDIST_WORKER": None, **variables}
        for name, value in wanted.items():
            monkeypatch.setenv(name, value) if value else monkeypatch.delenv(name, raising=False)

    return change


@pytest.mark.parametrize("database", ["test_vesper", "/srv/vesper/test_vesper.sqlite3"])
def test_on_a_database_for_tests_nothing_is_refused(surroundings, database):
    surroundings(database=database)
    assert against.refusal() is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"database": "vesper"}, "so vesper must have a name that begins with test_"),
        ({"database": "/srv/test_data/vesper.sqlite3"}, "so vesper.sqlite3 must have a name that begins with test_"),
        ({"SECRET_KEY": None}, "SECRET_KEY must match"),
        ({"DATABASE_URL": None, "SECRET_KEY": None}, "DATABASE_URL and SECRET_KEY must match"),
        ({"PYTEST_XDIST_WORKER": "gw1"}, "run without -n"),
    ],
)
def test_what_would_hurt_is_refused(surroundings, change, says):
    surroundings(**change)
    assert says in against.refusal()


def test_the_cookie_is_called_as_the_server_calls_it(monkeypatch):
    monkeypatch.setattr(against, "URL", "http://127.0.0.1:8000")
    assert against.cookie_name("vesper-session") == "vesper-session"
    monkeypatch.setattr(against, "URL", "https://vesper.example.org")
    assert against.cookie_name("vesper-session") == "__Host-vesper-session"
