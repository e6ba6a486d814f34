"""Real servers on temporary databases, for the fault harness in `bench/faults`."""

from __future__ import annotations

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
    """The URL of an empty database beside the tests', dropped afterwards."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{migrated.put(tmp_path_factory.mktemp('faults') / 'vesper.sqlite3')}"
        return
    name = f"test_faults_{secrets.token_hex(4)}"
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name} TEMPLATE {migrated.template(connection)}")
    yield f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}"
    with django_db_blocker.unblock(), connection.cursor() as cursor:
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
