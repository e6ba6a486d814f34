"""What the log tells players of the powers of others."""

from __future__ import annotations

from typing import Any

import pytest

from combat.commands import drafts
from rules.model.attack import Attack
from rules.topics.commands import TakeAction
from tests.combat.conftest import FixedDice, Table, make_character
from tests.kept import kept

pytestmark = pytest.mark.django_db


@pytest.fixture
@kept
def court(chronicle: Any, storyteller: Any, player: Any) -> Table:
    """A running fight with powers: a player's vampire, and an idol of the Storyteller's."""
    chronicle.options = {"powers": True}
    chronicle.save()
    encounter = drafts.create_encounter(by=chronicle.memberships.get(user=storyteller), name="Court", scene="")
    idol = {"traits": {"charisma": 3, "performance": 2, "presence": 1, "willpower": 6}}
    common = {"encounter_id": encounter.pk, "actor": storyteller}
    drafts.add_character(**common, character=make_character(chronicle, "Mara", player))
    drafts.add_character(**common, character=make_character(chronicle, "Idol", **idol))
    return Table.of(encounter, storyteller).begin()


def test_a_players_roll_adds_up_without_telling_of_the_targets_powers(court: Table, player: Any) -> None:
    """MQ-POW-10."""
    court.do(TakeAction("awe", court["Idol"]), dice=FixedDice(8))
    court.do(Attack(court["Mara"], (court["Idol"],)), dice=FixedDice(2))
    whole, theirs = (court.view(each).log.entries[0].rolls[0] for each in ("storyteller", player))
    assert ("Awe", 2) in [(part.label, part.difficulty) for part in whole.parts]
    assert ("Because of the target", 2) in [(part.label, part.difficulty) for part in theirs.parts]
    assert "Awe" not in [part.label for part in theirs.parts]
    assert whole.difficulty == theirs.difficulty == sum(part.difficulty for part in theirs.parts) == 8
