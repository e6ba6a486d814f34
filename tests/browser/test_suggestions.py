"""Suggestions on the desk: they arrive after the page, one press makes the attack, and they go with the turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from campaigns.models import Chronicle
from rules.topics.commands import Act, RollInitiative
from tests.browser.table import DESK, live
from tests.combat.conftest import bar_fight

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_double_press_attacks_once(
    chronicle: Any, storyteller: Any, player: Any, page_for: Callable[..., Any]
) -> None:
    traits = {"strength": 3, "weaponry": 3, "dexterity": 2, "wits": 2, "stamina": 2, "size": 5}
    people = {"Mara": player, "Guard": None}
    bar = bar_fight(chronicle, storyteller, people, traits, name="Test knife", mode="melee", damage=1)
    Chronicle.objects.filter(pk=chronicle.pk).update(conduct={"suggestions": True})
    bar.do(RollInitiative())
    while bar["Guard"] not in bar.state.acting:
        bar.do(Act())
    desk = live(page_for(storyteller, f"/encounters/{bar.encounter_id}/", **DESK))
    strip = desk.locator("#suggestions")
    best = strip.get_by_role("button", name="Attack Mara Test knife")
    expect(best).to_contain_text("% to hit")
    seq = bar.encounter.seq
    best.dblclick()
    expect(desk.locator("#pane-asks .ask")).to_contain_text("Guard attacks Mara")
    expect(strip).to_be_empty()
    assert bar.encounter.seq == seq + 1
