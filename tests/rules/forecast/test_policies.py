"""Policies, and whom they suit by default."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine.phrases import Phrase
from rules.forecast.policies import CAREFUL, CAUTIOUS, MARKSMAN, POLICIES, RECKLESS, default_policy
from rules.model.gear import Weapon
from rules.model.state import Combatant
from rules.systems.classic.masquerade.system import MASQUERADE
from tests.rules.forecast.people import sheet
from tests.rules.table import KNIFE, PISTOL


def test_policies_have_keys_and_labels_of_their_own() -> None:
    assert all(key == policy.key for key, policy in POLICIES.items())
    assert len({policy.label for policy in POLICIES.values()}) == len(POLICIES)
    assert all(isinstance(policy.label, Phrase) for policy in POLICIES.values())


@pytest.mark.parametrize(
    ("weapon", "kind", "player", "policy"),
    [
        (PISTOL, "mortal", False, MARKSMAN),
        (PISTOL, "vampire", True, MARKSMAN),
        (KNIFE, "vampire", True, CAREFUL),
        (KNIFE, "mortal", False, CAUTIOUS),
        (KNIFE, "vampire", False, RECKLESS),
    ],
)
def test_the_default_depends_on_weapons_kind_and_player(
    weapon: Weapon, kind: str, player: bool, policy: object
) -> None:
    combatant = Combatant("x", sheet(MASQUERADE, weapon, kind=kind), player=player)
    assert default_policy(MASQUERADE, combatant) is policy
    assert default_policy(MASQUERADE, replace(combatant, hidden=True)) is policy
