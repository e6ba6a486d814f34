"""For the run on PostgreSQL and Redis: `-p tests.only_database` leaves out what touches neither."""

from __future__ import annotations

import pytest

TOUCH = {"db", "transactional_db", "django_db_reset_sequences", "django_db_setup", "live_server"}


def touches_database(item: pytest.Item) -> bool:
    """Whether a test asked for the database, for itself or by one of its fixtures."""
    return item.get_closest_marker("django_db") is not None or not TOUCH.isdisjoint(getattr(item, "fixturenames", ()))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if not touches_database(item)]
    items[:] = [item for item in items if touches_database(item)]
    config.hook.pytest_deselected(items=left_out)
