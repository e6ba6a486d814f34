"""What befell a player's character, in words on their page."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import SECRET, TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db


def plight(fight: Table, player: Any) -> tuple[str, ...]:
    (sheet,) = fight.view(player).me.sheets  # type: ignore[union-attr]
    return sheet.plight


def test_what_hit_them_this_turn_is_said_until_the_turn_ends(fight: Table, player: Any) -> None:
    ilya = fight["Ilya"]
    assert plight(fight, player) == ()
    fight.do(Attack(fight[TRUE_NAME], (ilya,)), dice=FixedDice(9))
    (hit,) = plight(fight, player)
    assert hit.startswith("Hit by a tall man: ")
    fight.do(Attack(fight[SECRET], (ilya,)), dice=FixedDice(9))
    unseen, before = plight(fight, player)[:2]
    assert unseen.startswith("Hurt: ")
    assert before == hit
    assert SECRET not in repr(fight.view(player))


def test_somebody_out_of_action_reads_what_that_means(
    fight: Table, player: Any, other_player: Any, signed_in: Any
) -> None:
    fight.do(commands.Harm(fight["Ilya"], 7, Damage.BASHING))
    fallen, left = plight(fight, player)[-2:]
    assert fallen == "Ilya is incapacitated and can’t act."
    assert left.startswith(("Still possible: ", "Until that changes"))
    page = signed_in(player).get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    assert fallen in page
    assert plight(fight, other_player) == ()
