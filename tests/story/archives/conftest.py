"""A table with a text in every field, and pictures that are pictures."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from campaigns.models import Picture
from campaigns.pictures import PORTRAIT, redraw_in_turn
from characters.models import Portrait
from tests.combat.conftest import Table, characters, draft, fight
from tests.world import World, build

__all__ = ["characters", "draft", "fight"]  # fixtures


@pytest.fixture
def world(fight: Table, characters: dict[str, Any], people: dict[str, Any]) -> World:
    made = build(fight, characters, people)
    sent = BytesIO()
    Image.new("RGB", (40, 40), (90, 20, 30)).save(sent, "PNG")
    drawn = redraw_in_turn(sent.getvalue(), PORTRAIT)
    Portrait.objects.update(picture=drawn)
    Picture.objects.update(picture=drawn)
    return made
