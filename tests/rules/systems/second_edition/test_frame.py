"""A Chronicles fight's basics: what the scenarios don't cover."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine.messages import replay
from rules.model.choices import Defence
from rules.model.damage_steps import in_words
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.options import BadOption
from rules.model.plan import tells_of_target
from rules.model.state import TurnRecord
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.systems.storytelling.ways import WALKED
from rules.topics.commands import ChangeConditions, ProposeAttack, RollInitiative, TakeAction
from rules.topics.events import AttackProposed, AttackResolved, TurnRecordChanged, WeaponChanged
from tests.rules.table import Table, mortal, strike_at

GUN = Weapon("gun", Mode.FIREARM, 2, type=Damage.LETHAL, form="ballistic", range=(20, 40, 80), clip=6, rounds=6)


def table(**bob) -> Table:
    ann = mortal(strength=3, brawl=3, weaponry=2, dexterity=3, firearms=3, weapons=(GUN,))
    return Table(CHRONICLES, ann=ann, bob=mortal(dexterity=2, wits=2, **bob))


def given_up(at: Table, who: str, rule: str) -> None:
    at.state = replay(at.state, [TurnRecordChanged(who, replace(at.turn(who), exposed=rule))])


def test_defense_that_was_given_up_meets_nothing_until_the_turn_ends():
    """CD-DEF-2, CD-DODGE-1."""
    at = table()
    given_up(at, "bob", "CD-MAN-4")
    result = at.attacks("ann", "bob", attack=[1, 1, 1, 1, 1, 1])
    assert [(part.rule, part.struck) for part in result.attack.plan.parts][-1] == ("CD-MAN-4", True)
    assert at.turn("bob").defences == 0
    at.refuses("CD-MAN-4", TakeAction("dodge", "bob"))


def test_whoever_defends_is_asked_and_whoever_cannot_is_not():
    """CD-DEF-5."""
    at = table()
    (told,) = at.does(ProposeAttack("x1", strike_at("ann", "bob")))
    assert isinstance(told, AttackProposed)
    assert told.exchange.asked == ("bob",)
    at = table()
    _proposed, told, *_rest = at.does(ProposeAttack("x1", strike_at("ann", "bob", "gun")), attack=[1] * 6)
    assert isinstance(told, AttackResolved)
    at = table()
    at.does(ChangeConditions("bob", frozenset({"unconscious"})))
    _proposed, told, *_rest = at.does(ProposeAttack("x1", strike_at("ann", "bob")), attack=[1] * 6)
    assert isinstance(told, AttackResolved)


def test_a_dodge_as_an_answer_takes_the_turns_action():
    """CD-DODGE-1."""
    at = table(composure=5)
    at.does(RollInitiative(), initiative={"ann": [1], "bob": [1]})
    at.attacks("ann", "bob", defence="dodge", attack=[1, 1])
    assert at.turn("bob").actions == ()
    at = table(composure=5)
    at.does(RollInitiative(), initiative={"ann": [1], "bob": [1]})
    at.attacks("bob", "ann", attack=[1])
    message = at.refuses("CD-DODGE-1", strike_at("ann", "bob", defence="dodge"))
    assert "already acted this turn" in message


def test_who_dodges_already_needs_no_action_to_say_so_again():
    """CD-DODGE-1."""
    at = table()
    at.does(TakeAction("dodge", "bob"))
    result = at.attacks("ann", "bob", defence=Defence("dodge"), attack=[1, 1])
    assert result.attack.plan.pool == 2


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (strike_at("ann", "zed"), "Nobody by that name"),
        (replace(strike_at("ann", "bob"), at=()), "Choose a target"),
        (strike_at("ann", "ann"), "yourself"),
        (replace(strike_at("ann", "bob"), at=("bob", "bob")), "once"),
        (replace(strike_at("ann", "bob"), defences={"ann": Defence("dodge")}), "target can defend"),
    ],
)
def test_an_attack_names_each_of_its_targets_once(command, said):
    assert said in table().refuses("input", command)


def test_steps_that_are_struck_out_do_nothing():
    """CD-ARM-2."""
    at = table(armor=(Armor("mail", 3),))
    result = at.attacks("ann", "bob", "gun", strike=["armor"], attack=[8, 1, 1, 1, 1, 1])
    assert result.done
    assert in_words(dict(result.done.points)) == "3 lethal"


def test_several_kinds_of_one_hit_are_marked_worst_first():
    """CD-ARM-1."""
    at = table(armor=(Armor("vest", 0, ballistic=1),))
    result = at.attacks("ann", "bob", "gun", attack=[8, 1, 1, 1, 1, 1])
    assert result.done
    assert in_words(result.done.mixed) == "2 lethal and 1 bashing"
    assert at.health("bob") == "XX/"


def test_ready_made_rolls_have_no_difficulty():
    """CD-DICE-1."""
    lines = CHRONICLES.check_options({"own_rolls": ["Climbing: Strength + Athletics"]})["own_rolls"]
    assert lines == ("Climbing: Strength + Athletics",)
    with pytest.raises(BadOption, match="has no difficulties"):
        CHRONICLES.check_options({"own_rolls": ["Climbing: Strength + Athletics, 7"]})


def test_nothing_of_a_turn_is_left_in_the_next():
    """CD-TURN-1."""
    assert TurnRecord().exposed == WALKED.of(TurnRecord()) == TurnRecord().waits_for == ""


def test_a_weapon_has_a_pool_before_any_target():
    """CD-ATK-2."""
    sheet = table().sheet("ann")
    assert CHRONICLES.attack.pool_of(sheet, GUN).pool == 6


def test_armour_that_is_pierced_through_stops_nothing():
    """CD-GEAR-1."""
    at = table(armor=(Armor("vest", 1, ballistic=2), Armor("ward", 2, supernatural=True)))
    gun = replace(GUN, armor_piercing=2)
    at.state = replay(at.state, [WeaponChanged("ann", gun)])
    result = at.attacks("ann", "bob", "gun", attack=[8, 1, 1, 1, 1, 1])
    assert result.done
    # Ballistic 2 is reduced to nothing; general armour 1 and 2 to one point.
    assert [(told.label, told.rule) for told in result.done.told[2:]] == [
        ("vest, pierced entirely (armour piercing 2)", "CD-GEAR-1"),
        ("vest, pierced entirely (armour piercing 2)", "CD-GEAR-1"),
        ("ward, pierced", "CD-ARM-3"),
    ]
    assert in_words(dict(result.done.points)) == "2 lethal"


def test_what_tells_of_a_target_is_known_by_the_key_of_its_part():
    """CD-DEF-1."""
    at = table()
    at.does(ChangeConditions("bob", frozenset({"prone"})))
    plan = at.attacks("ann", "bob", attack=[1] * 6).attack.plan
    assert {part.key: tells_of_target(part) for part in plan.parts} == {
        "trait:strength": False,
        "trait:brawl": False,
        "target:prone": True,
        "defense": True,
    }


def test_damage_of_several_kinds_is_named_from_the_worst_on():
    """CD-HEALTH-2."""
    dealt = {Damage.BASHING: 3, Damage.AGGRAVATED: 1, Damage.LETHAL: 2}
    assert in_words(dealt) == "1 aggravated, 2 lethal and 3 bashing"
