"""Whose turn a player's page says it is, and what it says an answer costs."""

from __future__ import annotations

from typing import Any

import pytest

from rules import commands
from rules.commands import Attack, ProposeAttack
from tests.combat.conftest import FixedDice, Table

pytestmark = pytest.mark.django_db


def until_acts(fight: Table, who: str) -> None:
    fight.turn()
    for _step in range(len(fight.state.combatants) + 1):
        if who in fight.state.acting:
            return
        fight.do(commands.Act())
    raise AssertionError("their turn never came")


def sheet(fight: Table, player: Any) -> Any:
    return next(each for each in fight.view(player).me.sheets if each.name == "Ilya")


def test_it_is_theirs_until_they_have_acted(fight: Table, player: Any) -> None:
    ilya = fight["Ilya"]
    until_acts(fight, ilya)
    assert fight.view(player).bar.my_turn
    assert sheet(fight, player).now
    fight.do(Attack(ilya, (fight["Thug 1"],)), dice=FixedDice(2))
    assert not fight.view(player).bar.my_turn
    assert not sheet(fight, player).now


def test_whoever_waits_lets_it_pass(fight: Table, player: Any) -> None:
    ilya = fight["Ilya"]
    until_acts(fight, ilya)
    fight.do(commands.Delay(ilya))
    view = fight.view(player)
    assert not view.bar.my_turn
    assert next(row for row in view.order.rows() if row.id == ilya).waits


def test_an_ask_says_that_defending_takes_the_action(fight: Table, player: Any) -> None:
    ilya = fight["Ilya"]
    fight.turn()
    fight.do(ProposeAttack("ex", Attack(fight["Thug 1"], (ilya,))))
    dodge = next(each for each in fight.view(player).asks.defences[0].choices if each.kind == "dodge")
    assert dodge.allowed
    assert dodge.spends


def test_nobody_declares_before_the_turn_has_its_initiative(fight: Table, player: Any) -> None:
    fight.do(commands.EndTurn())
    view = fight.view(player)
    assert view.bar.due
    assert not any(row.declaring for row in view.order.rows())
    fight.do(commands.RollInitiative())
    view = fight.view(player)
    assert not view.bar.due
    assert any(row.declaring for row in view.order.rows())


def test_no_pool_is_promised_where_several_actions_share_it(fight: Table, player: Any) -> None:
    ilya = fight["Ilya"]
    assert all(weapon.pool for weapon in sheet(fight, player).weapons)
    fight.do(commands.RollInitiative())
    fight.do(commands.Declare(ilya, actions=("unarmed", "dodge"), out_of_order=True))
    assert sheet(fight, player).split
    assert all(weapon.pool is None for weapon in sheet(fight, player).weapons)
