"""Brings a database up to date, in one process at a time."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator

from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError, connection
from django.db.migrations.executor import MigrationExecutor

MIGRATING = 0x56455350  # "VESP": our key for PostgreSQL's advisory locks


def bring_up_to_date(say: Callable[[str], object]) -> None:
    """Migrate, load the built-in tables if needed, and delete expired sessions.

    Raises `CommandError` if the database cannot be reached.
    """
    try:
        connection.ensure_connection()
    except OperationalError as problem:
        raise CommandError(f"The database cannot be reached: {next(iter(str(problem).splitlines()), '')}") from None
    with _one_at_a_time():
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            say("Bringing the database up to date ...")
            call_command("migrate", interactive=False, verbosity=0)
        call_command("load_tables", verbosity=0, stdout=io.StringIO())
        call_command("clearsessions")


@contextlib.contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Advisory lock: servers that start at the same moment must not run the same migrations."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATING])
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATING])
