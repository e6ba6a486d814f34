"""An attack from plan to result (MQ-ATK-*, MQ-DMG-1, MQ-DEF-2 and what can prevent it)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine.violations import Referee, RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Damage, Fault, Mode, Weapon
from rules.model.results import Outcome
from rules.model.system import Game
from rules.strike.attack import can_attack, plan_attack
from rules.systems import RULESETS
from rules.topics.attacks.prepare import FISTS, weapon_of
from rules.topics.events import AttackResolved
from tests.rules.table import CLUB, KNIFE, MASQUERADE, PISTOL, Table, mortal, only, parts, strike_at, vampire


def pair(**first):
    given = {"dexterity": 3, "brawl": 2, "melee": 2, "strength": 2, "weapons": (KNIFE, CLUB, PISTOL)} | first
    return Table(ann=mortal(**given), bob=mortal(stamina=2, dexterity=2, dodge=1))


def test_overage_turns_a_punch_into_a_beating():
    """MQ-ATK-1, MQ-DMG-1, MQ-DMG-2, MQ-DMG-3, MQ-SOAK-1: 4 successes; Strength 4 + 3; 6 6 7 9 10; one soaked."""
    table = Table(brujah=vampire(dexterity=3, brawl=3, strength=4), guard=mortal(stamina=3))
    result = table.attacks("brujah", "guard", attack=[6, 8, 9, 10, 2, 3], damage=[6, 6, 7, 2, 3, 9, 10], soak=[6, 2, 3])
    assert (result.outcome, result.net, result.done.damage.plan.pool) == (Outcome.HIT, 4, 7)
    assert (result.done.levels, result.done.soaked, result.done.dealt) == (5, 1, 4)
    assert table.health("guard") == "////"


def test_it_is_known_beforehand_whether_an_attack_is_forbidden():
    table = pair()
    game = Game(table.state, MASQUERADE)
    assert can_attack(game, Attack("ann", ("bob",), KNIFE.name))
    assert not can_attack(game, Attack("ann", ("ann",), KNIFE.name))


def test_no_successes_do_no_damage():
    """MQ-ATK-6."""
    table = pair()
    result = table.attacks("ann", "bob", attack=[2, 3, 4, 5, 5])
    assert (result.outcome, result.net, result.done) == (Outcome.MISS, 0, None)
    assert table.health("bob") == ""


def test_ones_cancel_the_attacks_successes():
    """MQ-DICE-3, MQ-ATK-6: one success less one is a miss, not a botch."""
    assert pair().attacks("ann", "bob", attack=[6, 1, 2, 2, 2]).outcome is Outcome.MISS


def test_a_botch_fails_and_waits_for_a_mishap():
    """MQ-ATK-7."""
    table = pair()
    assert table.attacks("ann", "bob", attack=[1, 2, 2, 2, 2]).outcome is Outcome.BOTCH
    assert [pending.resolution for pending in table.state.mishaps] == ["r1"]


@pytest.mark.parametrize(
    ("attack", "defence", "taken_off", "net", "outcome"),
    [
        ([6, 6, 6, 2, 2], [6, 2, 2], 1, 2, Outcome.HIT),
        ([6, 6, 2, 2, 2], [6, 6, 2], 2, 0, Outcome.MISS),
        ([6, 2, 2, 2, 2], [6, 6, 6], 1, 0, Outcome.MISS),
        ([1, 2, 2, 2, 2], [6, 2, 2], 0, 0, Outcome.BOTCH),
        ([6, 6, 2, 2, 2], [1, 6, 2], 0, 2, Outcome.HIT),
    ],
)
def test_each_success_of_the_defence_takes_one_from_the_attack(attack, defence, taken_off, net, outcome):
    """MQ-DEF-1: never more than the attack has."""
    harm = {"damage": [2] * (1 + net)} if net else {}
    told = pair().does(strike_at("ann", "bob", defence="dodge"), attack=attack, defence=defence, **harm)
    (result,) = only(AttackResolved, told).results
    assert (result.taken_off, result.net, result.outcome) == (taken_off, net, outcome)


@pytest.mark.parametrize(("successes", "dice"), [(1, 2), (2, 3), (5, 6)])
def test_each_success_above_the_first_adds_a_damage_die(successes, dice):
    """MQ-DMG-1: Strength 2."""
    result = pair().attacks("ann", "bob", attack=[6] * successes + [2] * (5 - successes), damage=[2] * dice)
    assert result.done.damage.plan.pool == dice
    assert parts(result.done.damage.plan).get("overage", ("MQ-DMG-1", 0)) == ("MQ-DMG-1", successes - 1)


def test_a_pool_of_no_dice_misses_without_a_throw():
    """MQ-ATK-6, MQ-HEALTH-1: Crippled takes five of five dice."""
    result = Table(ann=mortal("//////", dexterity=3, brawl=2), bob=mortal()).attacks("ann", "bob")
    assert (result.attack.roll.faces, result.outcome) == ((), Outcome.MISS)


def test_a_mortals_attack_above_ten_dice_is_flagged():
    """MQ-DICE-4."""
    table = Table(ann=mortal(dexterity=6, brawl=5), bob=mortal(dexterity=6, dodge=5), cy=vampire(dexterity=6, brawl=5))
    assert [flag.rule for flag in plan_attack(Game(table.state, MASQUERADE), strike_at("ann", "bob")).flags] == [
        "MQ-DICE-4"
    ]
    assert plan_attack(Game(table.state, MASQUERADE), strike_at("cy", "bob")).flags == ()
    dodged = plan_attack(Game(table.state, MASQUERADE), strike_at("cy", "bob", defence="dodge"))
    assert [flag.rule for flag in dodged.flags] == ["MQ-DICE-4"]


def test_the_plan_is_the_dice_that_are_rolled():
    table = pair()
    command = strike_at("ann", "bob", "knife", "cramped", defence="dodge")
    plan = plan_attack(Game(table.state, MASQUERADE), command)
    told = only(AttackResolved, table.does(command, attack=[2] * 5, defence=[2] * 3))
    assert told.plan == plan
    assert (plan.by, plan.weapon, plan.mode, plan.rounds) == ("ann", "knife", Mode.MELEE, 0)
    assert (told.results[0].attack.plan, told.results[0].defence.plan) == (
        plan.against[0].attack,
        plan.against[0].defence,
    )


def test_the_storyteller_may_strike_parts_of_attack_and_damage():
    table = pair(marks="////")
    result = table.attacks(
        "ann", "bob", "knife", strike=("wounds", "damage:strength"), attack=[6, 2, 2, 2, 2], damage=[2]
    )
    assert (result.attack.plan.pool, result.done.damage.plan.pool) == (5, 1)


def test_the_storyteller_may_strike_parts_of_the_answer():
    """MQ-SOAK-1: without Stamina there is nothing to soak with."""
    quiet = Defence(strike=frozenset({"soak:stamina"}))
    result = pair().attacks("ann", "bob", defence=quiet, attack=[6, 2, 2, 2, 2], damage=[6, 2])
    assert (result.defence, result.done.soak, result.done.dealt) == (None, None, 1)


@pytest.mark.parametrize("fault", list(Fault))
def test_a_jammed_or_broken_weapon_cannot_be_used(fault):
    """MQ-ATK-7, MQ-DRAW-1: what was dropped must be picked up."""
    table = pair(weapons=(replace(PISTOL, fault=fault),))
    rule = "MQ-DRAW-1" if fault is Fault.DROPPED else "MQ-ATK-7"
    message = table.refuses(rule, strike_at("ann", "bob", "pistol"))
    assert message == f"pistol is {fault} and can’t be used."


@pytest.mark.parametrize(
    "command",
    [
        Attack("zed", ("bob",)),
        Attack("ann", ("zed",)),
        Attack("ann", ()),
        Attack("ann", ("bob", "bob")),
        Attack("ann", ("ann",)),
        Attack("ann", ("bob",), "bazooka"),
        Attack("ann", ("bob",), modifiers=(Modifier("luck"),)),
        Attack("ann", ("bob",), defences={"ann": Defence("dodge")}),
        Attack("ann", ("bob",), defences={"bob": Defence("prayer")}),
    ],
)
def test_an_attack_has_one_target_a_weapon_at_hand_and_known_circumstances(command):
    table = pair()
    table.refuses("input", command)
    with pytest.raises(RuleViolation):
        plan_attack(Game(table.state, MASQUERADE), command)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_who_stands_near_is_in_the_fight(ruleset):
    table = Table(ruleset=ruleset, ann=mortal(), bob=mortal(), cy=mortal())
    for near in (("nobody",), ("cy", "nobody"), ("ann",)):
        table.refuses("input", replace(strike_at("ann", "bob"), near=near))


def test_nobody_out_of_action_attacks():
    """MQ-HEALTH-1."""
    table = pair(marks="///////")
    assert table.refuses("MQ-HEALTH-1", strike_at("ann", "bob")) == "Ann is incapacitated and can’t act."


def test_an_incapacitated_attacker_by_waiver_is_no_better_than_a_crippled_one():
    """MQ-HEALTH-1: the last numeric penalty applies."""
    table = Table(ann=mortal("///////", dexterity=4, brawl=3), bob=mortal())
    assert (
        plan_attack(Game(table.state, MASQUERADE, Referee({"MQ-HEALTH-1"})), strike_at("ann", "bob"))
        .against[0]
        .attack.pool
        == 2
    )


def test_bare_hands_are_always_there():
    """MQ-ATK-1: they add nothing to Strength and do bashing damage."""
    assert weapon_of(mortal(), "") == weapon_of(mortal(), "unarmed") == FISTS
    assert (FISTS.damage, FISTS.damage_from, FISTS.type) == (0, "strength", Damage.BASHING)
    own = Weapon("unarmed", Mode.UNARMED, 1, "strength")
    assert weapon_of(mortal(weapons=(own,)), "") == own


def test_a_weapon_has_its_usual_pool_in_somebodys_hands():
    """MQ-ATK-2, MQ-HEALTH-1: Dexterity 3, Melee 2, Injured; the weapon's own difficulty 7."""
    pool = MASQUERADE.attack.pool_of(mortal("///", dexterity=3, melee=2), replace(KNIFE, difficulty=7))
    assert (pool.pool, pool.difficulty) == (4, 7)
    assert MASQUERADE.attack.pool_of(mortal(), FISTS).difficulty == 6


@pytest.mark.parametrize(("attackers", "difficulty"), [(1, 6), (2, 7), (3, 8), (5, 10), (9, 10)])
def test_against_several_close_attackers_every_action_is_harder(attackers, difficulty):
    """MQ-DEF-4: one for each beyond the first, at most four."""
    table = pair()
    made = plan_attack(
        Game(table.state, MASQUERADE), strike_at("ann", "bob", "", Modifier("several_attackers", {"count": attackers}))
    )
    assert made.against[0].attack.difficulty == difficulty


def test_those_who_attacked_in_close_combat_this_turn_are_counted():
    """MQ-DEF-4."""
    table = Table(**{who: mortal(dexterity=2, weapons=(PISTOL,)) for who in ("ann", "bob", "cy", "dee")})
    for by in ("bob", "bob", "cy"):
        table.attacks(by, "ann", attack=[2, 2])
    table.attacks("dee", "ann", "pistol", attack=[2, 2])
    assert table.turn("ann").attackers == ("bob", "cy")
    assert table.attacks("ann", "bob", attack=[2, 2]).attack.plan.difficulty == 7
    count = Modifier("several_attackers", {"count": 1})
    assert table.attacks("ann", "bob", "", count, attack=[2, 2]).attack.plan.difficulty == 6


def test_several_attackers_never_count_for_more_than_four():
    """MQ-DEF-4."""
    many = Modifier("several_attackers", {"count": 9})
    table = pair()
    command = strike_at("ann", "bob", "", many, many, Modifier("difficulty", {"by": -4}))
    try:
        difficulty = plan_attack(Game(table.state, MASQUERADE), command).against[0].attack.difficulty
    except RuleViolation:
        return
    assert difficulty == 6


@pytest.mark.parametrize("figures", [{}, {"count": 0}, {"count": -2}, {"count": 10**9}, {"count": "many"}])
def test_the_number_of_attackers_is_a_number(figures):
    pair().refuses("input", strike_at("ann", "bob", "", Modifier("several_attackers", figures)))
