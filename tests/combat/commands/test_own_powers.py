"""A chronicle's own powers in a running fight: used, then changed and removed while they are in effect."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns import services
from campaigns.models import Chronicle, Membership
from combat.commands import perform
from combat.history import records
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.topics.commands import OverrideAttack, TakeAction
from tests.combat.conftest import Table

pytestmark = pytest.mark.django_db

MIGHT = {
    "label": "Might",
    "timing": "reflexive",
    "costs": [{"resource": "blood", "amount": 1}],
    "effects": [{"does": "dice", "amount": 2, "pools": ["attack"]}],
}


def save(fight: Table, key: str, answers: dict[str, Any]) -> str:
    chronicle = Chronicle.objects.get(pk=fight.encounter.chronicle_id)
    by = Membership.objects.get(chronicle=chronicle, user=fight.storyteller)
    return services.save_power(by=by, key=key, answers=answers, version=chronicle.version)


def remove(fight: Table, key: str) -> None:
    by = Membership.objects.get(chronicle=fight.encounter.chronicle_id, user=fight.storyteller)
    services.remove_power(by=by, key=key, gone=True)


def amounts(fight: Table) -> list[int]:
    """The amounts of the powers in effect on Ilya."""
    sheet = fight.state.combatants[fight["Ilya"]].sheet
    return [each.amount for one in sheet.powers for each in one.effects]


def blood(fight: Table) -> int:
    return fight.state.combatants[fight["Ilya"]].sheet.resources["blood"]


def said(fight: Table) -> str:
    return str(fight.view("storyteller"))


def test_what_is_in_effect_outlasts_its_power(fight: Table) -> None:
    key = save(fight, "", MIGHT)
    before = blood(fight)
    fight.do(TakeAction(key, fight["Ilya"]))
    assert (amounts(fight), blood(fight)) == ([2], before - 1)
    save(fight, key, {**MIGHT, "label": "Great might", "effects": [{**MIGHT["effects"][0], "amount": 5}]})
    assert amounts(fight) == [2]
    remove(fight, key)
    attack = Attack(fight["Ilya"], (fight["Thug 1"],))
    fight.do(attack)
    assert amounts(fight) == [2]
    told = said(fight)
    assert "Might" in told
    assert "Great might" not in told
    with pytest.raises(RuleViolation):
        fight.do(TakeAction(key, fight["Marguerite"]))


def test_old_rows_are_undone_redone_and_overridden_without_the_power(fight: Table) -> None:
    """Undo and redo read events, and an override replays its own row with what is in effect."""
    key = save(fight, "", MIGHT)
    before = blood(fight)
    fight.do(TakeAction(key, fight["Ilya"]))
    fight.do(Attack(fight["Ilya"], (fight["Thug 1"],)))
    remove(fight, key)
    fight.do(OverrideAttack("r1", fight["Thug 1"], outcome="miss"))
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert (amounts(fight), blood(fight)) == ([], before)
    perform.redo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert (amounts(fight), blood(fight)) == ([2], before - 1)
    assert key not in records.ruleset_for(fight.encounter).actions
