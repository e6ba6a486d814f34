"""A table with a text in every field, and pictures that are pictures."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from django.utils import timezone
from PIL import Image

from campaigns.models import Passage, Picture, Readership
from campaigns.pictures import PORTRAIT, redraw_in_turn
from characters.models import Portrait, Tie, TieReadership
from tests.combat.conftest import Table, characters, draft, fight
from tests.kept import kept
from tests.world import World, build

__all__ = ["characters", "draft", "fight"]  # fixtures


@pytest.fixture
@kept
def world(fight: Table, characters: dict[str, Any], people: dict[str, Any]) -> World:
    made = build(fight, characters, people)
    sent = BytesIO()
    Image.new("RGB", (40, 40), (90, 20, 30)).save(sent, "PNG")
    drawn = redraw_in_turn(sent.getvalue(), PORTRAIT)
    Portrait.objects.update(picture=drawn)
    Picture.objects.update(picture=drawn)
    chosen = made.chronicle.memberships.get(user=people["player"])
    for passage in Passage.objects.filter(page__chronicle=made.chronicle, page__binned=None)[:1]:
        Readership.objects.create(passage=passage, membership=chosen, since=timezone.now())
    for tie in Tie.objects.filter(chronicle=made.chronicle)[:1]:
        TieReadership.objects.create(tie=tie, membership=chosen, since=timezone.now())
    return made
