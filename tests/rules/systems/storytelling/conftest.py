"""The cast for tests of turns."""

from __future__ import annotations

import pytest

from tests.rules.systems.storytelling.table import rated, table


@pytest.fixture
def three():
    """Ann at 10, bob at 6, cy at 5."""
    at = table(ann=rated(6), bob=rated(4), cy=rated(3))
    at.initiative(ann=4, bob=2, cy=2)
    return at
