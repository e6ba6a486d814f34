"""An empty database with all migrations, to copy: migrating takes seconds, and dozens of tests begin with it.

It is made once for each version of the source. On SQLite it is kept in `.pytest_cache`, on PostgreSQL it is a database
beside the tests'. Tests of migrations don't use it.
"""

from __future__ import annotations

import contextlib
import fcntl
import functools
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.db import connections

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache"
APPS = ("config", "story", "combat", "characters", "campaigns", "rules")
"""Models count as well as migrations: after the last migration, Django writes their content types and permissions."""
OLD = 24 * 60 * 60
"""Seconds after which one of an earlier version is deleted."""
PACKAGES = ("django", "django-axes", "django-import-export")


def put(file: Path) -> Path:
    """Copy the database to `file`, whose folder is made if needed. Returns `file`."""
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(_made(), file)
    return file


def create_test_db(creation: Any, verbosity: int = 1, autoclobber: bool = False, **how: Any) -> str:
    """In place of `DatabaseCreation.create_test_db`, which migrates."""
    name: str = creation._get_test_db_name()
    connection = creation.connection
    if connection.vendor == "postgresql":
        connection.settings_dict["TEST"]["TEMPLATE"] = template(connection)
    creation._create_test_db(verbosity, autoclobber, keepdb=False)  # replaces that of an earlier run
    connection.close()
    connection.settings_dict["NAME"] = connections.settings[connection.alias]["NAME"] = name
    if connection.vendor == "sqlite":
        put(Path(name))
    connection.ensure_connection()
    return name


def template(connection: Any) -> str:
    """The name of the same database on PostgreSQL, for `CREATE DATABASE … TEMPLATE`."""
    name = f"test_migrated_{_digest()}"
    with _one_at_a_time(), connection._nodb_cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE 'test_migrated_%'")
        found = {each for (each,) in cursor.fetchall()}
        if name not in found:
            for earlier in found:
                cursor.execute(f"DROP DATABASE {earlier}")
            cursor.execute(f"CREATE DATABASE {name}_unfinished")
            _migrate(f"{os.environ['DATABASE_URL'].rpartition('/')[0]}/{name}_unfinished")
            cursor.execute(f"ALTER DATABASE {name}_unfinished RENAME TO {name}")
    return name


@functools.cache
def _made() -> Path:
    file = KEPT / f"migrated-{_digest()}.sqlite3"
    with _one_at_a_time():
        if not file.exists():
            for earlier in KEPT.glob("migrated-*"):
                if time.time() - earlier.stat().st_mtime > OLD:  # a run that began before may still copy it
                    earlier.unlink()
            unfinished = file.with_suffix(".unfinished")
            unfinished.unlink(missing_ok=True)
            _migrate(f"sqlite:///{unfinished}")
            unfinished.rename(file)
    return file


@contextlib.contextmanager
def _one_at_a_time() -> Iterator[None]:
    KEPT.mkdir(exist_ok=True)
    with (KEPT / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _migrate(url: str) -> None:
    migrate = [sys.executable, "manage.py", "migrate", "-v0"]
    subprocess.run(migrate, cwd=ROOT, env={**os.environ, "DATABASE_URL": url}, check=True)


def _digest() -> str:
    """Of all that the database depends on, and somewhat more."""
    found = hashlib.sha256(" ".join(map(version, PACKAGES)).encode())
    for path in sorted(path for app in APPS for path in (ROOT / app).rglob("*.py")):
        found.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]
