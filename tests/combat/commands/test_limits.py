"""A fight's limits: the maximum is accepted; one more is refused with a message and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from campaigns.models import NAME_LENGTH, TEXT_LENGTH
from combat.commands import drafts, newcomers
from rules.engine.violations import RuleViolation
from tests.combat.conftest import Table

pytestmark = pytest.mark.django_db


def test_combatants(draft: Table, characters: dict[str, Any]) -> None:
    thugs = {"encounter_id": draft.encounter_id, "actor": draft.storyteller, "character": characters["Thug"]}
    while (room := drafts.MOST_COMBATANTS - len(draft.state.combatants)) > 0:
        drafts.add_copies(**thugs, count=min(room, newcomers.MOST_COPIES))
    before = draft.encounter.seq
    with pytest.raises(RuleViolation, match="at most 60 combatants"):
        drafts.add_copies(**thugs, count=1)
    with pytest.raises(RuleViolation, match="at most 60 combatants"):
        drafts.add_character(**thugs)
    assert len(draft.state.combatants) == drafts.MOST_COMBATANTS
    assert draft.encounter.seq == before


def test_copies_at_once(draft: Table, characters: dict[str, Any]) -> None:
    thugs = {"encounter_id": draft.encounter_id, "actor": draft.storyteller, "character": characters["Thug"]}
    drafts.add_copies(**thugs, count=newcomers.MOST_COPIES)
    for count in (0, -1, newcomers.MOST_COPIES + 1):
        with pytest.raises(RuleViolation, match="Add 1 to 20 at a time"):
            drafts.add_copies(**thugs, count=count)


@pytest.mark.parametrize(
    ("field", "most"),
    [("name", NAME_LENGTH), ("scene", TEXT_LENGTH)],
)
def test_a_fights_texts(field: str, most: int, fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    address, client = reverse("combat:edit", args=[fight.encounter_id]), signed_in(storyteller)
    said = {"name": "The chapel", "scene": "Rain."}
    assert client.post(address, said | {field: "x" * most}).status_code == 302
    assert client.post(address, said | {field: "y" * (most + 1)}).status_code == 422
    assert getattr(fight.encounter, field) == "x" * most


@pytest.mark.parametrize(("more", "answer"), [("20", 302), ("21", 422), ("999999", 422)])
def test_dice(more: str, answer: int, fight: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    """Additional dice: twenty are accepted, a million are not."""
    said = {"who": fight["Ilya"], "traits": ["wits"], "extra": more, "extra_why": "Luck", "key": "k"}
    before = fight.encounter.seq
    got = signed_in(storyteller).post(reverse("combat:do", args=[fight.encounter_id, "roll"]), said)
    assert got.status_code == answer
    assert (fight.encounter.seq > before) is (answer == 302)
