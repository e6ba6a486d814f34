"""What the log says of rest and healing."""

from __future__ import annotations

from typing import Any

import pytest

from combat.history.tell.sentences import text_of
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import Table

pytestmark = pytest.mark.django_db


def newest(fight: Table, audience: Any = "storyteller") -> list[str]:
    return [text_of(line) for line in fight.view(audience).log.entries[0].lines]


def test_rest_that_heals_nothing_is_not_called_healing(fight: Table) -> None:
    fight.do(commands.Heal(fight["Thug 1"], hours=5))
    assert newest(fight) == ["Thug 1 rests, but nothing heals."]


def test_rest_that_heals_says_what_and_to_strangers_only_that_it_was_rest(fight: Table) -> None:
    fight.do(commands.Harm(fight["Thug 1"], 1, Damage.BASHING))
    fight.do(commands.SetVisibility(fight["Thug 1"], health_shown="nothing"))
    fight.do(commands.Heal(fight["Thug 1"], hours=5))
    assert newest(fight) == ["Thug 1 heals 1 bashing."]
    assert newest(fight, "table") == ["Thug 1 rests."]
