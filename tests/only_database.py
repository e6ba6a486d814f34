"""For the run on PostgreSQL and Redis: `-p tests.only_database` leaves out what could not differ there.

That is what touches neither, and what is marked `alike_on_any_database`.
"""

from __future__ import annotations

import pytest

TOUCH = {"db", "transactional_db", "django_db_reset_sequences", "django_db_setup", "live_server"}


def touches_database(item: pytest.Item) -> bool:
    """Whether a test asked for the database, for itself or by one of its fixtures."""
    return item.get_closest_marker("django_db") is not None or not TOUCH.isdisjoint(getattr(item, "fixturenames", ()))


def may_differ(item: pytest.Item) -> bool:
    """Whether a test may come out otherwise on these servers."""
    return touches_database(item) and item.get_closest_marker("alike_on_any_database") is None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if not may_differ(item)]
    items[:] = [item for item in items if may_differ(item)]
    config.hook.pytest_deselected(items=left_out)
