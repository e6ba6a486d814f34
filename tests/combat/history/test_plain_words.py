"""Texts that read as people say them."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from combat.commands.dice import TypedDice
from rules.engine.dice import Purpose, Throw
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.model.sheet import Sheet
from rules.systems import RULESETS
from rules.topics import commands
from tests.combat.conftest import FixedDice, bar_fight


@pytest.mark.parametrize(
    ("purpose", "count", "said"),
    [
        (Purpose.ROLL, 7, "The roll has 7 dice, but you entered 1."),
        (Purpose.ROLL, 2, "The roll has 2 dice, but you entered 1."),
        (Purpose.SOAK, 3, "The soak roll has 3 dice, but you entered 1."),
    ],
)
def test_dice_that_were_miscounted(purpose: Purpose, count: int, said: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        TypedDice({(purpose, "ann"): (5,)}).roll(Throw(purpose, "ann", count))
    assert str(refused.value.message) == said


def test_one_die_is_one_die() -> None:
    with pytest.raises(RuleViolation, match="The roll has 1 die, but you entered 2"):
        TypedDice({(Purpose.ROLL, "ann"): (5, 5)}).roll(Throw(Purpose.ROLL, "ann", 1))


@pytest.mark.django_db
def test_a_negative_initiative_is_taken_off(chronicle: Any, storyteller: Any, player: Any) -> None:
    fight = bar_fight(
        chronicle,
        storyteller,
        {"Ann": player, "Bob": None},
        {"dexterity": 1, "composure": 1},
        name="Anvil",
        mode="melee",
        damage=1,
        initiative=-5,
    )
    fight.do(commands.RollInitiative())
    told = str(fight.view("storyteller").log)
    assert "− 3" in told
    assert "+ -" not in told


def test_who_bleeds_and_stands_is_not_down() -> None:
    health = RULESETS["chronicles"].health
    bleeding = Sheet("Ann", marks=(Damage.LETHAL,) * 5, traits={"size": 5, "stamina": 3})
    assert health.word(bleeding) == "badly hurt"
    gone = Sheet("Ann", marks=(Damage.AGGRAVATED,) * 8, traits={"size": 5, "stamina": 3})
    assert health.word(gone) == "dead"


@pytest.mark.django_db
def test_a_dramatic_failure_is_no_botch(chronicle: Any, storyteller: Any, player: Any, client: Any) -> None:
    traits = {"dexterity": 1, "composure": 1}
    gun = {"name": "Test gun", "mode": "firearm", "damage": 2, "clip": 6, "range_short": 20}
    fight = bar_fight(chronicle, storyteller, {"Ann": player, "Bob": None, "Cy": None}, traits, **gun)
    fight.do(commands.RollInitiative())
    fight.do(Attack(fight["Ann"], (fight["Bob"],), "Test gun"), dice=FixedDice(1))
    (mishap,) = fight.view("storyteller").asks.mishaps
    assert mishap.dramatic
    client.force_login(storyteller, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    assert "Ann failed dramatically" in page
    assert "botch" not in page.casefold()
    override = commands.OverrideAttack(fight.state.mishaps[0].resolution, fight["Bob"], outcome="botch")
    with pytest.raises(RuleViolation, match="dramatic failure"):
        fight.do(override)
