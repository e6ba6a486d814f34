"""The words beside the health boxes."""

from __future__ import annotations

import pytest

from combat.panes.figures import Box, Health
from combat.templatetags.fight import level


@pytest.mark.parametrize(
    ("health", "read"),
    [
        (Health((Box("Bruised", "lethal"), Box("Hurt", "bashing"), Box("Injured", "")), "hurt", -1), "Hurt −1"),
        (
            Health((Box("Box 1", "lethal"), Box("Box 2", "bashing"), Box("Box 3", "")), "badly hurt", -1),
            "badly hurt −1",
        ),
        (Health((Box("Box 1", "lethal"), Box("Box 2", ""), Box("Box 3", "")), "hurt", 0), "hurt"),
        (Health((Box("Box 1", ""), Box("Box 2", "")), "unhurt", 0), ""),
    ],
)
def test_a_box_with_no_name_but_its_number_is_a_word(health: Health, read: str) -> None:
    assert level(health) == read
