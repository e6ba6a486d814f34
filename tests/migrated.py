"""An empty SQLite database with all migrations, to copy: migrating takes seconds, and dozens of tests begin with it.

It is made once for each version of the source, and kept in `.pytest_cache` until that changes. Tests of migrations
don't use it.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.db import connections

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache"
APPS = ("config", "story", "combat", "characters", "campaigns", "rules")
"""Models count as well as migrations: after the last migration, Django writes their content types and permissions."""
PACKAGES = ("django", "django-axes", "django-import-export")


def put(file: Path) -> Path:
    """Copy the database to `file`, whose folder is made if needed. Returns `file`."""
    file.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(_made(), file)
    return file


def create_test_db(creation: Any, verbosity: int = 1, autoclobber: bool = False, **how: Any) -> str:
    """In place of `DatabaseCreation.create_test_db`, which migrates."""
    name: str = creation._get_test_db_name()
    creation._create_test_db(verbosity, autoclobber, keepdb=False)  # deletes that of an earlier run
    creation.connection.close()
    creation.connection.settings_dict["NAME"] = connections.settings[creation.connection.alias]["NAME"] = name
    put(Path(name))
    creation.connection.ensure_connection()
    return name


@functools.cache
def _made() -> Path:
    file = KEPT / f"migrated-{_digest()}.sqlite3"
    KEPT.mkdir(exist_ok=True)
    with (KEPT / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            for earlier in KEPT.glob("migrated-*"):
                earlier.unlink()
            unfinished = file.with_suffix(".unfinished")
            environment = {**os.environ, "DATABASE_URL": f"sqlite:///{unfinished}"}
            migrate = [sys.executable, "manage.py", "migrate", "-v0"]
            subprocess.run(migrate, cwd=ROOT, env=environment, check=True)
            unfinished.rename(file)
    return file


def _digest() -> str:
    """Of all that the database depends on, and somewhat more."""
    found = hashlib.sha256(" ".join(map(version, PACKAGES)).encode())
    for path in sorted(path for app in APPS for path in (ROOT / app).rglob("*.py")):
        found.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode())
        found.update(path.read_bytes())
    return found.hexdigest()[:16]
