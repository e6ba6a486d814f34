"""Whose turn it is according to a player's page, and the cost of an answer."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import reverse

from rules.model.attack import Attack
from rules.topics import commands
from rules.topics.commands import ProposeAttack
from tests.combat.conftest import FixedDice, Table

pytestmark = pytest.mark.django_db


def until_acts(fight: Table, who: str) -> None:
    fight.turn()
    for _step in range(len(fight.state.combatants) + 1):
        if who in fight.state.acting:
            return
        fight.do(commands.Act())
    raise AssertionError("it was never their turn")


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


@pytest.fixture
def page(fight: Table, signed_in: Any) -> Any:
    """What somebody's page says in its bar, or about somebody in the turn order."""

    def words(user: Any, name: str = "") -> str:
        body = signed_in(user).get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
        if name:
            (part,) = re.findall(rf'<li id="row-{fight[name]}".*?</li>', body, re.DOTALL)
        else:
            (part,) = re.findall(r'<div class="turn-banner.*?</div>', body, re.DOTALL)
        return " ".join(re.sub(r"<[^>]*>", " ", part).split())

    return words


def test_whoever_has_acted_reads_so_until_the_next_one_acts(
    fight: Table, player: Any, other_player: Any, page: Any
) -> None:
    ilya = fight["Ilya"]
    until_acts(fight, ilya)
    fight.do(Attack(ilya, (fight["Thug 1"],)), dice=FixedDice(2))
    assert "You have acted Ilya · Turn 1" in page(player)
    assert "Ilya acts" in page(other_player)
    assert fight.view(player).bar.news == ""
    mine = page(player, "Ilya")
    assert "has acted" in mine
    assert "acts now" not in mine
    assert "acts now" in page(other_player, "Ilya")


def test_whoever_lets_it_pass_reads_that_they_wait(fight: Table, player: Any, page: Any) -> None:
    until_acts(fight, fight["Ilya"])
    fight.do(commands.Delay(fight["Ilya"]))
    assert "You are waiting Ilya · Turn 1" in page(player)


def test_of_several_at_once_those_are_named_who_are_left(
    fight: Table, player: Any, other_player: Any, page: Any
) -> None:
    ilya, other, thug = fight["Ilya"], fight["Marguerite"], fight["Thug 1"]
    fight.do(commands.RollInitiative())
    rest = tuple((who,) for rank in fight.state.order for who in rank if who not in (ilya, other, thug))
    fight.do(commands.SetOrder(((ilya, other, thug), *rest)))
    assert "same time as Marguerite and Thug 1" in page(player, "Ilya")
    fight.do(commands.Act())
    while ilya not in fight.state.acting:
        fight.do(commands.Act())
    assert "at once" not in page(player, "Ilya"), "each of them is marked as acting now"
    fight.do(Attack(ilya, (thug,)), dice=FixedDice(2))
    assert "Marguerite, Thug 1 act " in page(player)
    assert fight.view(player).bar.news == "Turn 1: Marguerite and Thug 1 act."
    assert "Your turn Marguerite" in page(other_player)


def test_whoever_waits_lets_it_pass(fight: Table, player: Any) -> None:
    ilya = fight["Ilya"]
    until_acts(fight, ilya)
    fight.do(commands.Delay(ilya))
    view = fight.view(player)
    assert not view.bar.my_turn
    assert next(row for row in view.order.rows() if row.id == ilya).waits


@pytest.mark.parametrize("name", ["Ilya", "Thug 1"])
def test_a_held_action_has_a_chip_and_a_button_for_who_plays_them(
    fight: Table, player: Any, signed_in: Any, page: Any, name: str
) -> None:
    until_acts(fight, fight[name])
    fight.do(commands.Delay(fight[name]))

    def phone() -> str:
        return signed_in(player).get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()

    def shown() -> tuple[bool, ...]:
        desk = page(fight.storyteller, name)
        return "waits" in page(player, name), "waits" in desk, "Act now" in desk, "Act now" in phone()

    assert shown() == (True, True, name != "Ilya", name == "Ilya")
    fight.do(commands.Act())
    assert shown() == (True, True, name != "Ilya", name == "Ilya")
    fight.do(Attack(fight[name], (fight["Thug 2"],)), dice=FixedDice(2))
    assert shown() == (False, False, False, False)


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


def test_a_split_shows_its_dice_while_it_is_planned_and_what_is_left_of_them(
    fight: Table, player: Any, client: Any
) -> None:
    """MQ-MULTI-1: Ilya has six dice to brawl with and five to dodge with."""
    client.force_login(player)
    ilya, ids = fight["Ilya"], [fight.encounter_id]
    fight.do(commands.RollInitiative())
    form = reverse("combat:form", args=[*ids, "declare"])

    def planned(**chosen: str) -> str:
        page = client.get(form, {"who": ilya} | chosen, headers={"HX-Request": "true"}).content.decode()
        return " ".join(re.sub(r"<[^>]*>", " ", page.split('id="form-plan"')[1].split("</div>")[0]).split())

    assert "5 dice to split. Even shares: Brawl 3 , Dodge 2 ." in planned(action_1="unarmed", action_2="dodge")
    assert "to split" not in planned(action_1="unarmed")
    assert "Ilya" not in planned(who=fight["Thug 1"], action_1="unarmed", action_2="dodge")
    assert "too few" in planned(**{f"action_{n}": "firearm" for n in (1, 2, 3, 4)})
    fight.do(commands.Declare(ilya, actions=("unarmed", "dodge"), out_of_order=True))
    attack = client.get(reverse("combat:attack", args=ids), {"who": ilya, "at": fight["Thug 1"]})
    assert "5 of 5 dice left in the split pool" in attack.content.decode()
