"""The effects of ground, light and target in Apocalypse."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine.violations import RuleViolation
from rules.model.choices import Defence, Modifier
from rules.model.gear import Damage, Mode, Weapon
from rules.model.modifiers import Circumstances, ModifierRule
from rules.model.system import Game
from rules.strike.ambush import from_ambush
from rules.strike.attack import plan_attack
from rules.strike.cover import steps_of
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.topics.commands import ChangeConditions
from rules.topics.events import RulesWaived
from tests.rules.systems.apocalypse.hunt import BOW, STAKE, VEST, leech, table
from tests.rules.table import PISTOL, mortal, only, parts, strike_at


def test_one_of_a_group_and_what_includes_another():
    """AP-SIT-5, AP-SIT-6, AP-SIT-10 to AP-SIT-13."""
    played = table(ann=mortal(weapons=(STAKE,)), bob=leech())
    played.refuses("input", strike_at("ann", "bob", "", "flank", "rear"))
    played.refuses("input", strike_at("ann", "bob", "stake", "stake", "target_small"))
    (both,) = plan_attack(
        Game(played.state, APOCALYPSE), strike_at("ann", "bob", "stake", "target_precise", "stake")
    ).against
    assert (both.attack.difficulty, both.damage.pool) == (9, 1 + 1 + 2)


def test_what_passes_the_armour_is_aimed():
    """AP-SIT-13."""
    played = table(ann=mortal(), bob=mortal(armor=(VEST,)))
    played.refuses("AP-SIT-13", strike_at("ann", "bob", "", "past_armor"))
    (against,) = plan_attack(
        Game(played.state, APOCALYPSE), strike_at("ann", "bob", "", "past_armor", "target_medium")
    ).against
    assert against.soak.pool == 1
    shot = table(ann=mortal(weapons=(PISTOL,)), bob=mortal(armor=(VEST,)))
    shot.attacks("ann", "bob", "pistol", "past_armor", "target_small", attack=[8])
    assert shot.sheet("bob").sound_armor


def test_explosives_do_levels_outright():
    """AP-DMG-5."""
    grenade = Weapon("grenade", Mode.THROWN, 6, "", Damage.LETHAL, range=(20,), tags=frozenset({"explosive"}))
    played = table(ann=mortal(dexterity=2, weapons=(grenade,)), bob=mortal())
    result = played.attacks("ann", "bob", "grenade", attack=[6, 6])
    assert (result.done.levels, result.done.damage.plan.parts[0].rule) == (6, "AP-DMG-5")


def test_the_blind_do_not_shoot_and_are_not_blinder_still():
    """AP-SIT-2, AP-SIT-3."""
    played = table(ann=mortal(weapons=(PISTOL,)), bob=mortal())
    played.refuses("AP-SIT-2", strike_at("ann", "bob", "pistol", "fighting_blind"))
    told = played.does(strike_at("ann", "bob", "pistol", "fighting_blind"), waive=["AP-SIT-2"], attack=[7])
    assert only(RulesWaived, told)
    played.does(ChangeConditions("ann", add=frozenset({"blinded"})))
    played.refuses("AP-SIT-2", strike_at("ann", "bob", "pistol"))
    (against,) = plan_attack(Game(played.state, APOCALYPSE), strike_at("ann", "bob", "", "fighting_blind")).against
    assert against.attack.difficulty == 8
    assert [(each.rule, each.difficulty) for each in against.attack.parts if each.struck] == [("AP-SIT-2", 2)]
    (against,) = plan_attack(Game(played.state, APOCALYPSE), strike_at("bob", "ann")).against
    assert (against.attack.pool, against.attack.difficulty) == (3, 6)


def test_cover_that_is_known_and_cover_that_is_picked():
    """AP-DEF-1."""
    played = table(ann=mortal(weapons=(PISTOL, BOW)), bob=mortal())
    played.does(ChangeConditions("bob", add=frozenset({"prone", "good_cover"})))

    def difficulty(weapon, *mods):
        command = strike_at("ann", "bob", weapon, *mods)
        return plan_attack(Game(played.state, APOCALYPSE), command).against[0].attack.difficulty

    assert (difficulty("pistol"), difficulty("bow"), difficulty("unarmed")) == (8, 8, 6)
    assert difficulty("pistol", Modifier("cover")) == 7
    (against,) = plan_attack(
        Game(played.state, APOCALYPSE), strike_at("ann", "bob", "pistol", Modifier("cover"))
    ).against
    assert parts(against.attack)["cover"] == ("AP-DEF-1", 1)
    assert difficulty("pistol", Modifier("cover", {"degree": "superior"})) == 9
    played.refuses("input", strike_at("ann", "bob", "pistol", Modifier("cover", {"degree": 3})))


def test_a_dodge_from_guns_ends_somewhere():
    """AP-DEF-1: behind the chosen cover instead of the old one, or else flat on the ground."""
    played = table(ann=mortal(weapons=(replace(PISTOL, rate=None),)), bob=mortal())

    def dodged(*mods):
        answer = Defence("dodge", modifiers=mods)
        played.does(strike_at("ann", "bob", "pistol", defence=answer), attack=[2], defence=[2])
        return played.conditions("bob")

    assert dodged() == {"prone"}
    played.does(ChangeConditions("bob", add=frozenset({"superior_cover"}), remove=frozenset({"prone"})))
    assert dodged() == {"superior_cover"}
    played.does(ChangeConditions("bob", add=frozenset({"prone"})))
    assert dodged(Modifier("cover", {"degree": "good"})) == {"prone", "good_cover"}
    assert dodged(Modifier("cover")) == {"prone", "light_cover"}
    played.does(strike_at("ann", "bob", defence="dodge"), attack=[2], defence=[2])
    assert played.conditions("bob") == {"prone", "light_cover"}


def test_no_room_is_no_dodge():
    """AP-DEF-1: shots can still be dodged."""
    played = table(ann=mortal(), bob=mortal())
    played.refuses("AP-DEF-1", strike_at("ann", "bob", "", "no_room", defence="dodge"))
    played.does(strike_at("ann", "bob", "", "no_room", defence="block"), attack=[2], defence=[2])


def test_an_ambush_taken_as_a_fact():
    """AP-SIT-1."""
    played = table(ann=mortal(), bob=mortal())
    played.attacks("ann", "bob", "", Modifier("ambush", {"dice": 2}), attack=[2, 2, 2])
    played.attacks("ann", "bob", "", "ambush", attack=[2])
    rule: ModifierRule = APOCALYPSE.circumstances.rule("ambush")
    for dice in (-1, 21, "two", True):
        with pytest.raises(RuleViolation):
            from_ambush(rule, {"dice": dice}, Circumstances())
    assert [(part.rule, part.dice) for part in from_ambush(rule, {"dice": 20}, Circumstances())] == [("AP-SIT-1", 20)]
    assert from_ambush(rule, {"dice": 0}, Circumstances()) == ()
    with pytest.raises(RuleViolation):
        steps_of(None, APOCALYPSE.settings)


def test_every_house_rule_with_a_number_counts():
    """AP-SIT-13, AP-ARM-1, AP-DEF-5, AP-SIT-7."""
    house = APOCALYPSE.with_options(
        {"aim_adds_levels": False, "armor_alone": False, "several_attackers_most": 1, "automatic_successes": 2}
    )
    played = table(house, ann=mortal(weapons=(PISTOL,), strength=2), bob=mortal(armor=(VEST,)))
    several = Modifier("several_attackers", {"count": 5})
    (against,) = plan_attack(
        Game(played.state, house), strike_at("ann", "bob", "pistol", "target_precise", several)
    ).against
    assert (against.damage.pool, against.soak.pool, against.attack.difficulty) == (4, 0, 10)
    played.does(ChangeConditions("bob", add=frozenset({"staked"})))
    assert played.attacks("ann", "bob", damage=[2, 2, 2]).net == 2


def test_a_condition_of_the_target_may_be_picked_as_a_fact():
    """AP-SIT-3, AP-SIT-7: it counts once."""
    played = table(ann=mortal(), bob=mortal())
    assert played.attacks("ann", "bob", "", "held", attack=[2] * 3).attack.plan.pool == 3
    assert played.attacks("ann", "bob", "", "immobilized", damage=[2]).net == 1
    played.does(ChangeConditions("bob", add=frozenset({"blinded"})))
    assert played.attacks("ann", "bob", "", "blinded", attack=[2] * 3).attack.plan.pool == 3
