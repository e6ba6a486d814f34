"""Unarmed actions other than grapples: disarming, grabbing, charging, called shots."""

from __future__ import annotations

import pytest

from rules.model.choices import Modifier
from rules.model.gear import Damage, Fault, Weapon
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.commands import ChangeConditions, EndTurn, Harm, ReviseSheet
from rules.topics.events import WeaponGained
from rules.topics.health.impairments import impairments
from tests.rules.systems.second_edition.brawl import CLUB, FIST, GUN, KNIFE, brawler, table
from tests.rules.table import does, only, strike_at


def test_disarming_names_what_is_there() -> None:
    """CD-MAN-2: nothing else can be taken, and from somebody who can't resist it is easy."""
    fight = table(None, brawler(KNIFE), cid=brawler(CLUB))
    fight.refuses("input", does("ann", "disarm", "bob", weapon="sword"))
    fight.refuses("input", does("ann", "disarm", "bob", weapon="club"))
    fight.does(ChangeConditions("bob", frozenset({"unconscious"})))
    fight.does(does("ann", "disarm", "bob"), roll=[8, 2, 2, 2])

    assert fight.weapon("bob", "knife").fault is Fault.DROPPED


def test_a_taken_weapon_is_told_from_ones_own() -> None:
    """CD-MAN-2: and stays in hand when a sheet is edited."""
    fight = table(brawler(KNIFE, dexterity=4), brawler(KNIFE))
    told = fight.does(does("ann", "disarm", "bob"), roll=[8] * 5 + [2], resist=[2])

    assert only(WeaponGained, told).weapon.key == "knife #2"
    assert fight.weapon("bob", "knife").fault is Fault.TAKEN
    fight.does(ReviseSheet("ann", brawler(KNIFE, dexterity=5)))
    assert [weapon.key for weapon in fight.sheet("ann").weapons] == ["", "knife #2"]


def test_a_touch_meets_no_defense_that_is_given_up() -> None:
    """CD-MAN-5, CD-MAN-4: and doesn't reduce Defense."""
    fight = table()
    fight.attacks("bob", "ann", "", "all_out", attack=[2, 2, 2, 2])
    fight.does(does("ann", "touch", "bob"), roll=[2, 2, 2, 2])

    assert fight.turn("bob").defences == 0


def test_a_charge_is_not_for_one_who_has_given_up_defense() -> None:
    """CD-MAN-3: for any reason."""
    fight = table()
    fight.attacks("ann", "bob", "", "all_out", attack=[2, 2, 2, 2])
    fight.refuses("CD-MAN-3", strike_at("ann", "bob", "", "charge"))


def test_what_is_grabbed_has_a_name() -> None:
    """CD-IMP-1."""
    fight = table()
    fight.refuses("input", does("ann", "improvised", name="  ", durability=1, size=1))


@pytest.mark.parametrize(("key", "fits", "not_"), [("charge", KNIFE, GUN), ("pull_blow", FIST, KNIFE)])
def test_what_a_blow_can_be_is_offered_where_it_fits(key: str, fits: Weapon, not_: Weapon) -> None:
    """CD-MAN-1, CD-MAN-3."""
    rule = CHRONICLES.circumstances.rule(key)
    assert rule.fits is not None
    assert rule.fits(fits)
    assert not rule.fits(not_)


def test_two_handed_things_drop_by_either_arm() -> None:
    """CD-AIM-8: the left arm holds a club as well as the right."""
    fight = table(brawler(strength=5, brawl=5), brawler(CLUB, KNIFE, stamina=1, dexterity=1))
    left = Modifier("target_arm", {"side": "left"})
    fight.attacks("ann", "bob", "", left, attack=[8, 8, 2, 2, 2, 2, 2])

    assert fight.weapon("bob", "club").fault is Fault.DROPPED


def test_the_left_arm_holds_the_second_thing() -> None:
    """CD-AIM-8: or nothing, if there is none."""
    left = Modifier("target_arm", {"side": "left"})
    fight = table(brawler(strength=5, brawl=5), brawler(KNIFE, stamina=1, dexterity=1))
    fight.attacks("ann", "bob", "", left, attack=[8, 8, 2, 2, 2, 2, 2])
    assert fight.weapon("bob", "knife").fault is None
    assert fight.conditions("bob") == {"arm_wrack"}


def test_a_blow_to_the_head_stuns_once() -> None:
    """CD-AIM-3, CD-KO-1: no effect on somebody already stunned and unconscious."""
    fight = table(brawler(strength=5, brawl=5), brawler(stamina=9, size=2))
    fight.attacks("ann", "bob", "", "target_head", attack=[8, 8, 2, 2, 2], check=[2] * 9)
    assert fight.conditions("bob") == {"stunned", "unconscious"}
    fight.attacks("ann", "bob", "", "target_head", attack=[8, 8, 2, 2, 2, 2, 2])
    assert fight.conditions("bob") == {"stunned", "unconscious"}


def test_whom_boxes_keep_down_does_not_wake() -> None:
    """CD-KO-1, CD-HEALTH-5: the turns are over, and every box is lethal."""
    fight = table(brawler(strength=5, brawl=5), brawler(stamina=2, size=2))
    fight.attacks("ann", "bob", "", "target_head", attack=[8, 8, 2, 2, 2], check=[2, 2])
    fight.does(Harm("bob", 4, Damage.LETHAL))
    for _turn in range(3):
        fight.does(EndTurn())

    assert "unconscious" in fight.conditions("bob")
    assert impairments(fight.combatant("bob")) == ()


def test_a_charge_may_say_its_own_distance() -> None:
    """CD-MAN-3: Speed 9, so at most 18 yards."""
    fight = table()
    far = Modifier("charge", {"distance": 19})
    fight.refuses("CD-MAN-3", strike_at("ann", "bob", "", far))
    fight.attacks("ann", "bob", "", Modifier("charge", {"distance": 18}), attack=[2, 2])

    assert fight.turn("ann").moved == 18


def test_a_side_is_one_of_two() -> None:
    """CD-AIM-1."""
    fight = table()
    fight.refuses("input", strike_at("ann", "bob", "", Modifier("target_arm", {"side": "middle"})))
