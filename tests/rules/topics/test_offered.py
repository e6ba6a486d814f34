"""Where commands offer themselves: menus list them in the order in which they are declared."""

from __future__ import annotations

import pytest

from rules.engine.inputs import Place
from rules.engine.messages import command_types


@pytest.mark.parametrize(
    ("place", "names"),
    [
        (Place.SEAT, ["delay", "hold-over", "fresh-start", "full-defence", "abort"]),
        (Place.ROW, ["delay", "full-defence", "abort"]),
        (
            Place.FIGHT,
            ["surprise", "circumstances", "describe", "hold-over", "fresh-start", "initiative-mode"],
        ),
    ],
)
def test_each_place_offers_these(place: Place, names: list[str]) -> None:
    assert [each.name for each in command_types() if place in each.offered] == names


def test_nobody_is_offered_what_has_no_name_there() -> None:
    assert all(label for each in command_types() for label in each.offered.values())
