"""Weapons and armour, and looking them up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine.violations import RuleViolation
from rules.model.gear import Damage, Mode, find
from tests.rules.table import CLUB, KNIFE, PISTOL


@pytest.mark.parametrize(
    ("mode", "close"),
    [(Mode.UNARMED, True), (Mode.MELEE, True), (Mode.FIREARM, False), (Mode.THROWN, False), (Mode.ARCHERY, False)],
)
def test_unarmed_and_armed_attacks_are_close_combat(mode, close):
    """MQ-ATK-1 to MQ-ATK-4."""
    assert mode.close is close


def test_aggravated_is_worse_than_lethal_is_worse_than_bashing():
    """MQ-DMG-3 to MQ-DMG-5."""
    assert sorted(Damage, key=lambda damage: damage.severity) == [Damage.BASHING, Damage.LETHAL, Damage.AGGRAVATED]


def test_gear_is_found_by_key_before_name_and_by_name_whatever_its_case():
    first, second = replace(KNIFE, key="7"), replace(KNIFE, key="8", damage=2)
    assert find((first, second), "8", "Ann") is second
    assert find((first, second), "Knife", "Ann") is first
    assert find((CLUB, PISTOL), "PISTOL", "Ann") is PISTOL
    named_like_a_key = replace(CLUB, name="8")
    assert find((named_like_a_key, second), "8", "Ann") is second


@pytest.mark.parametrize("reference", ["", "bazooka", "\x00", "9" * 10_000])
def test_gear_that_is_not_there_is_refused(reference):
    with pytest.raises(RuleViolation) as refusal:
        find((KNIFE, CLUB), reference, "Ann")
    assert refusal.value.rule == "input"
