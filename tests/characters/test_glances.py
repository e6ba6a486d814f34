"""The cast at a glance: who sees whose health, points and lasting conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from characters.models import Character
from tests.kept import kept

pytestmark = pytest.mark.django_db


@pytest.fixture
@kept
def cast(chronicle: Any, player: Any, other_player: Any) -> dict[str, Character]:
    """Two players' characters and an NPC, hurt and bound."""
    fields = {
        "kind": "vampire",
        "traits": {"willpower": 5, "generation": 10},
        "resources": {"blood": 7, "willpower": 3},
        "marks": ["lethal", "bashing"],
        "lasting": [{"condition": "staked", "rule": "", "fight": "", "why": ""}],
    }
    owners = {"Ilya": player, "Marguerite": other_player, "Old Thorn": None}
    return {
        name: Character.objects.create(chronicle=chronicle, name=name, owner=owner, **fields)
        for name, owner in owners.items()
    }


def glances(client: Client, chronicle: Any) -> int:
    return client.get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode().count('class="glance"')


def test_everybody_sees_the_state_of_the_sheets_they_may_read(
    cast: dict[str, Character],
    chronicle: Any,
    signed_in: Callable[[Any], Client],
    storyteller: Any,
    player: Any,
    observer: Any,
) -> None:
    assert glances(signed_in(storyteller), chronicle) == 3
    assert glances(signed_in(player), chronicle) == 1
    assert glances(signed_in(observer), chronicle) == 0
    page = signed_in(player).get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()
    for words in ("1 lethal, 1 bashing", "Staked", "of 13", "<b>7</b>"):
        assert words in page


def test_others_read_the_same_whatever_state_somebody_is_in(
    cast: dict[str, Character], chronicle: Any, signed_in: Callable[[Any], Client], other_player: Any
) -> None:
    client = signed_in(other_player)
    hers = glances(client, chronicle)
    Character.objects.filter(pk__in=[cast["Ilya"].pk, cast["Old Thorn"].pk]).update(marks=[], lasting=[], resources={})
    assert glances(client, chronicle) == hers == 1


def test_the_cast_takes_no_query_for_each_character(
    cast: dict[str, Character],
    chronicle: Any,
    signed_in: Callable[[Any], Client],
    storyteller: Any,
) -> None:
    client = signed_in(storyteller)

    def taken() -> int:
        with CaptureQueriesContext(connection) as found:
            client.get(reverse("campaigns:chronicle", args=[chronicle.pk]))
        return len(found)

    before = (taken(), taken())[1]
    for number in range(5):
        Character.objects.create(chronicle=chronicle, name=f"Thug {number}", marks=["lethal"])
    assert taken() == before


def test_injuries_kept_one_by_one_are_told_in_words(
    chronicle: Any, signed_in: Callable[[Any], Client], player: Any
) -> None:
    chronicle.ruleset = "wounds"
    chronicle.save()
    Character.objects.create(chronicle=chronicle, name="Ilya", owner=player, injuries=[{"level": 3, "cause": "sword"}])
    page = signed_in(player).get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()
    assert "wound level 3" in page
