"""Announced and answered attacks; botches; jams and magazines (MQ-ATK-7, MQ-ATK-8, MQ-ORDER-2)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine.messages import Event
from rules.model.choices import Defence
from rules.model.gear import Damage, Fault, Mode, Weapon
from rules.topics.commands import (
    AnswerAttack,
    ChooseMishap,
    ClearJam,
    Declare,
    EndTurn,
    Harm,
    Leave,
    ProposeAttack,
    Reload,
    ResolveAttack,
    ReviseSheet,
    WithdrawAttack,
)
from rules.topics.events import AttackResolved, AttackWithdrawn, MishapSettled, RulesWaived
from tests.rules.table import BOW, CLAWS, KNIFE, PISTOL, STONE, Table, mortal, only, strike_at


def brawl(**first):
    return Table(
        players=("ann", "cy"),
        ann=mortal(**({"dexterity": 1, "weapons": (KNIFE, PISTOL, STONE, BOW, CLAWS)} | first)),
        bob=mortal(dexterity=2, dodge=1),
        cy=mortal(stamina=2),
    )


# ------------------------------------------------------------------ a conversation


def test_an_announced_attack_waits_for_its_target():
    table = brawl()
    table.does(ProposeAttack("x", strike_at("ann", "bob")))
    assert [(exchange.id, exchange.asked) for exchange in table.state.exchanges] == [("x", ("bob",))]
    told = table.does(AnswerAttack("x", "bob", Defence("dodge")), attack=[6], defence=[2, 2, 2], damage=[2])
    assert only(AttackResolved, told).exchange == "x"
    assert table.state.exchanges == ()


def test_no_defence_is_an_answer_too():
    table = brawl()
    table.does(ProposeAttack("x", strike_at("ann", "bob")))
    told = table.does(AnswerAttack("x", "bob", Defence()), attack=[2])
    assert only(AttackResolved, told).results[0].defence is None


def test_dice_of_the_table_wait_until_they_are_typed():
    table = brawl()
    table.does(ProposeAttack("x", strike_at("ann", "bob"), by_hand=True))
    table.does(AnswerAttack("x", "bob", Defence("dodge")))
    table.does(AnswerAttack("x", "bob", Defence("block")))
    assert table.state.exchanges[0].asked == ()
    told = table.does(ResolveAttack("x"), attack=[2], defence=[2, 2])
    assert only(AttackResolved, told).results[0].defence_kind == "block"


def test_whoever_has_not_answered_gives_no_defence():
    table = brawl()
    table.does(ProposeAttack("x", strike_at("ann", "bob")))
    assert only(AttackResolved, table.does(ResolveAttack("x"), attack=[2])).results[0].defence is None


def test_an_answer_that_the_rules_forbid_changes_nothing():
    """MQ-DEF-2."""
    table = brawl()
    table.does(ProposeAttack("x", strike_at("ann", "bob", "pistol")))
    table.refuses("MQ-DEF-2", AnswerAttack("x", "bob", Defence("parry")))
    table.refuses("input", AnswerAttack("x", "cy", Defence("dodge")))
    table.refuses("input", AnswerAttack("y", "bob", Defence("dodge")))


def test_an_announced_attack_may_be_taken_back():
    table = brawl()
    table.does(ProposeAttack("x", strike_at("ann", "bob")))
    table.does(WithdrawAttack("x"))
    for command in (WithdrawAttack("x"), ResolveAttack("x")):
        table.refuses("input", command)


def test_one_attack_at_a_time_each_under_an_id_of_its_own():
    table = brawl()
    table.does(ProposeAttack("x", strike_at("ann", "bob")))
    table.refuses("input", ProposeAttack("x", strike_at("bob", "ann")))
    table.refuses("input", ProposeAttack("y", strike_at("ann", "bob")))
    table.refuses("input", ProposeAttack("", strike_at("bob", "ann")))


def test_an_attack_that_could_not_be_made_is_not_announced():
    """MQ-HEALTH-1."""
    brawl(marks="///////").refuses("MQ-HEALTH-1", ProposeAttack("x", strike_at("ann", "bob")))


def test_who_falls_meanwhile_does_not_strike():
    """MQ-HEALTH-1."""
    table = brawl()
    table.does(ProposeAttack("x", strike_at("ann", "bob")))
    table.does(Harm("ann", 7, Damage.LETHAL))
    table.refuses("MQ-HEALTH-1", ResolveAttack("x"))
    table.does(WithdrawAttack("x"))


def test_attacks_that_were_not_rolled_lapse_with_the_turn():
    """MQ-TURN-1."""
    table = brawl()
    table.does(ProposeAttack("x", strike_at("ann", "bob")))
    assert only(AttackWithdrawn, table.does(EndTurn())).exchange == "x"
    assert table.state.exchanges == ()


def test_a_rule_waived_for_an_answer_is_told_once():
    table = brawl()
    table.does(ProposeAttack("x", strike_at("ann", "bob")))
    table.does(Harm("bob", 7, Damage.BASHING))
    answer = AnswerAttack("x", "bob", Defence("dodge"))
    told = table.does(answer, waive={"MQ-HEALTH-1"}, attack=[2])
    assert [flag.rule for flag in only(RulesWaived, told).flags] == ["MQ-HEALTH-1"]


# ------------------------------------------------------------------ mishaps


def botch(weapon, table=None):
    table = table or brawl()
    table.attacks("ann", "bob", weapon, attack=[1])
    return table


def settled(told: tuple[Event, ...]) -> MishapSettled:
    return only(MishapSettled, told)


@pytest.mark.parametrize(
    ("weapon", "choices"),
    [
        ("", ("fall", "ally_hit")),
        ("claws", ("fall", "ally_hit")),
        ("knife", ("broken", "ally_hit")),
        ("pistol", ("jam", "explosion", "ally_hit")),
        ("stone", ("broken", "ally_hit")),
        ("bow", ("jam", "broken", "ally_hit")),
    ],
)
def test_mishaps_fit_the_attack(weapon, choices):
    """MQ-ATK-7."""
    (pending,) = botch(weapon).state.mishaps
    assert (pending.by, pending.choices, pending.allies) == ("ann", choices, ("cy",))


def test_without_an_ally_none_is_hit():
    """MQ-ATK-7: Bob is alone against two players."""
    table = brawl()
    table.attacks("bob", "ann", attack=[1, 1])
    assert table.state.mishaps[0].choices == ("fall",)


def test_a_jammed_weapon_cannot_fire_until_an_action_clears_it():
    """MQ-ATK-7."""
    table = botch("pistol")
    table.does(ChooseMishap("r1", "jam"))
    assert table.weapon("ann", "pistol").fault is Fault.JAMMED
    table.refuses("MQ-ATK-7", strike_at("ann", "bob", "pistol"))
    table.initiative(ann=5, bob=3, cy=1)
    table.does(ClearJam("ann", "pistol"))
    assert table.weapon("ann", "pistol").fault is None
    table.refuses("MQ-MULTI-1", strike_at("ann", "bob", "pistol"))


def test_clearing_is_for_jammed_weapons_and_those_who_can_act():
    """MQ-ATK-7, MQ-HEALTH-1."""
    table = botch("knife")
    table.does(ChooseMishap("r1", "broken"))
    for weapon in ("knife", "pistol", "bazooka", ""):
        table.refuses("input", ClearJam("ann", weapon))
    table.refuses("input", ClearJam("zed", "pistol"))
    table.does(Harm("ann", 7, Damage.LETHAL))
    table.refuses("MQ-HEALTH-1", ClearJam("ann", "knife"))


@pytest.mark.parametrize(("weapon", "mishap"), [("pistol", "explosion"), ("knife", "broken"), ("bow", "broken")])
def test_a_broken_or_exploded_weapon_cannot_be_used(weapon, mishap):
    """MQ-ATK-7."""
    table = botch(weapon)
    table.does(ChooseMishap("r1", mishap))
    assert table.weapon("ann", weapon).fault is Fault.BROKEN
    table.refuses("MQ-ATK-7", strike_at("ann", "bob", weapon))
    assert table.state.mishaps == ()


def test_a_fall_leaves_the_attacker_prone():
    """MQ-ATK-7."""
    table = botch("")
    table.does(ChooseMishap("r1", "fall"))
    assert table.conditions("ann") == {"prone"}


def test_the_ally_takes_the_damage_roll():
    """MQ-ATK-7: a pistol's four dice, which a mortal doesn't soak."""
    table = botch("pistol")
    told = settled(table.does(ChooseMishap("r1", "ally_hit", "cy"), damage=[6, 6, 2, 2]))
    assert (told.ally, told.by_chance, told.done.dealt, table.health("cy")) == ("cy", False, 2, "XX")
    assert table.weapon("ann", "pistol").fault is None


def test_an_ally_is_soaked_for_and_may_be_unhurt():
    """MQ-ATK-7, MQ-SOAK-1."""
    table = botch("")
    assert settled(table.does(ChooseMishap("r1", "ally_hit", "cy"), damage=[6], soak=[6, 2])).done.dealt == 0
    assert table.health("cy") == ""


def test_chance_may_pick_the_mishap_and_the_ally():
    """MQ-ATK-7."""
    told = settled(botch("pistol").does(ChooseMishap("r1"), picks=[2, 0], damage=[2] * 4))
    assert (told.mishap, told.ally, told.by_chance) == ("ally_hit", "cy", True)


def test_chance_hits_no_ally_who_has_left():
    """MQ-ATK-7."""
    table = botch("knife")
    table.does(Leave("cy"))
    table.refuses("input", ChooseMishap("r1", "ally_hit"))
    assert settled(table.does(ChooseMishap("r1"), picks=[0])).mishap == "broken"


def test_the_storyteller_picks_whom_she_likes_save_the_attacker():
    """MQ-ATK-7."""
    table = botch("knife")
    for ally in ("ann", "zed"):
        table.refuses("input", ChooseMishap("r1", "ally_hit", ally))
    table.does(ChooseMishap("r1", "ally_hit", "bob"), damage=[6, 2])
    assert table.health("bob") == "X"


def test_only_a_fitting_mishap_of_a_botch_that_waits():
    """MQ-ATK-7."""
    table = botch("knife")
    table.refuses("input", ChooseMishap("r1", "jam"))
    table.refuses("input", ChooseMishap("r2", "broken"))
    table.does(ChooseMishap("r1", "broken"))
    table.refuses("input", ChooseMishap("r1", "broken"))


def test_play_goes_on_until_a_mishap_is_picked():
    """MQ-ATK-7."""
    table = botch("knife")
    table.attacks("ann", "bob", "knife", attack=[2])
    table.does(EndTurn())
    assert len(table.state.mishaps) == 1
    assert table.state.resolutions == 2


def test_a_weapon_that_was_put_away_is_spared():
    """MQ-ATK-7."""
    table = botch("knife")
    table.does(ReviseSheet("ann", mortal(strength=2)))
    told = table.does(ChooseMishap("r1", "broken"))
    assert [type(event) for event in told] == [MishapSettled]
    assert table.state.mishaps == ()


# ------------------------------------------------------------------ reloading


@pytest.mark.parametrize(("rounds", "filled"), [(0, 7), (1, 8), (7, 8), (None, 8)])
def test_reloading_fills_the_clip_and_keeps_a_chambered_round(rounds, filled):
    """MQ-ATK-8."""
    table = brawl(weapons=(replace(PISTOL, rounds=rounds),))
    table.does(Reload("ann", "pistol"))
    assert table.weapon("ann", "pistol").rounds == filled


def test_reloading_is_an_action():
    """MQ-ATK-8, MQ-MULTI-1."""
    table = brawl()
    table.initiative(ann=5, bob=3, cy=1)
    table.does(Reload("ann", "pistol", 3))
    assert table.weapon("ann", "pistol").rounds == 3
    table.refuses("MQ-MULTI-1", strike_at("ann", "bob", "pistol"))


@pytest.mark.parametrize(
    ("weapon", "rounds"), [("pistol", -1), ("pistol", 9), ("pistol", 10**40), ("knife", 1), ("bazooka", 1)]
)
def test_a_weapon_holds_no_more_than_it_holds(weapon, rounds):
    brawl().refuses("input", Reload("ann", weapon, rounds))


def test_of_two_weapons_that_nothing_tells_apart_one_is_fired():
    """MQ-ATK-8."""
    table = brawl(weapons=(PISTOL, PISTOL))
    table.attacks("ann", "bob", "pistol", attack=[2])
    assert [weapon.rounds for weapon in table.sheet("ann").weapons] == [6, 7]


def test_a_declared_reload_is_the_action_that_is_used():
    """MQ-ORDER-3, MQ-MULTI-1."""
    table = brawl(dexterity=4)
    table.initiative(ann=9, bob=3, cy=1)
    table.does(Declare("ann", actions=("firearm", "reload"), out_of_order=True))
    table.does(Reload("ann", "pistol"))
    assert table.turn("ann").actions == ("firearm",)


def test_a_weapon_of_ones_own_called_unarmed_is_a_mishap_of_its_mode():
    """MQ-ATK-7."""
    table = brawl(weapons=(Weapon("unarmed", Mode.MELEE, 1, "strength"),))
    botch("", table)
    table.does(ChooseMishap("r1", "broken"))
    assert table.weapon("ann", "unarmed").fault is Fault.BROKEN
