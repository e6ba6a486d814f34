"""Real servers on temporary databases, for the fault harness in `bench/faults`."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from bench.faults.killing import failures
from bench.harness import Vesper
from tests import migrated


@pytest.fixture(scope="module")
def database(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a migrated database beside the tests', dropped afterwards."""
    with beside_the_tests(django_db_blocker, tmp_path_factory, is_migrated=True) as url:
        yield url


@contextlib.contextmanager
def beside_the_tests(blocker: Any, paths: pytest.TempPathFactory, *, is_migrated: bool) -> Iterator[str]:
    """The URL of a new database without rows, or without tables, which is dropped afterwards."""
    if connection.vendor == "sqlite":
        file = paths.mktemp("faults") / "vesper.sqlite3"
        yield f"sqlite:///{migrated.put(file) if is_migrated else file}"
        return
    name = f"test_faults_{secrets.token_hex(4)}"
    with blocker.unblock(), connection.cursor() as cursor:
        like = f" TEMPLATE {migrated.template(connection)}" if is_migrated else ""
        cursor.execute(f"CREATE DATABASE {name}{like}")
    yield f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"
    with blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def vesper(database: str, tmp_path: Path) -> Iterator[Callable[..., Vesper]]:
    """vesper("lossy", ...) -> a server, not started yet, with these faults: `bench/faults/sabotage.py`."""
    made: list[Vesper] = []

    def make(*faults: str) -> Vesper:
        broken = {"DJANGO_SETTINGS_MODULE": "bench.faults.settings", "VESPER_FAULTS": ",".join(faults)}
        redis = os.environ.get("REDIS_URL", "")
        made.append(Vesper(tmp_path, database=database, redis=redis, environment=broken if faults else None))
        return made[-1]

    yield make
    for server in made:
        server.end()
        assert failures(server) == []
