"""Empties the database after a test that committed: Django's `flush` takes longer than many of these tests.

`flush` empties every table and then creates content types and permissions again, by model. These rows are as the
migrations left them, and most tables are empty already.
"""

from __future__ import annotations

from typing import Any

from django.db import connections, transaction

STAY = {"django_migrations", "django_content_type", "auth_permission"}


def empty(database: str) -> None:
    """Delete all rows, except those that the migrations wrote."""
    connection = connections[database]
    quote = connection.ops.quote_name
    tables = sorted(set(connection.introspection.django_table_names(only_existing=True)) - STAY)
    with transaction.atomic(using=database), connection.cursor() as cursor:
        each = (f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {quote(table)})" for table in tables)
        cursor.execute(" UNION ALL ".join(each))
        written = [table for (table,) in cursor.fetchall()]
        # Constraints are checked at the commit, so the order does not matter.
        for table in written:
            cursor.execute(f"DELETE FROM {quote(table)}")


def teardown(case: Any) -> None:
    """In place of `TransactionTestCase._fixture_teardown`."""
    for database in case._databases_names(include_mirrors=False):
        empty(database)
