"""Taking aim, and losing it."""

from __future__ import annotations

import pytest

from rules.model.choices import Modifier
from rules.model.gear import Damage
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.commands import ChangeConditions, Harm, Join, Leave, Newcomer
from rules.topics.events import AimBroken
from rules.topics.firefights.stance import STANCE, Aiming
from tests.rules.systems.second_edition.firefight import results, shooter, shot, table
from tests.rules.table import Table, does, mortal, only, parts


def aiming(fight: Table) -> Aiming | None:
    return STANCE.of(fight.combatant("ana")).aiming


def test_each_turn_of_aiming_brings_a_die_with_that_weapon_at_that_target() -> None:
    """CD-GUN-7: at most three dice."""
    fight = table()
    for _turn in range(4):
        fight.does(does("ana", "aim", "thug", weapon="rifle"))

    assert aiming(fight) == Aiming("thug", "rifle", 3)
    assert fight.conditions("ana") == {"aiming"}
    plan = results(fight.does(shot("thug", "rifle"), attack=[2] * 9))["thug"].attack.plan
    assert parts(plan)["aim"] == ("CD-GUN-7", 3)
    assert aiming(fight) is None
    assert fight.conditions("ana") == set()


def test_aim_is_for_one_weapon_and_one_target() -> None:
    """CD-GUN-7: another weapon or target starts over, and other shots get nothing."""
    fight = table()
    fight.does(does("ana", "aim", "thug", weapon="rifle"))

    assert "aim" not in parts(results(fight.does(shot("thug", "pistol"), attack=[2] * 6))["thug"].attack.plan)
    fight.does(does("ana", "aim", "thug", weapon="rifle"))
    fight.does(does("ana", "aim", "thug", weapon="pistol"))
    fight.does(does("ana", "aim", "friend", weapon="pistol"))
    assert aiming(fight) == Aiming("friend", "pistol", 1)
    fight.refuses("input", does("ana", "aim", "thug", weapon="no such gun"))
    fight.refuses("input", does("ana", "aim"))


def test_a_burst_is_aimed_at_the_one_who_was_aimed_at() -> None:
    """CD-GUN-7."""
    fight = table()
    fight.does(does("ana", "aim", "friend", weapon="SMG"))

    done = results(fight.does(shot(("thug", "friend"), "SMG", "medium_burst"), attack=[2] * 13))

    assert "aim" not in parts(done["thug"].attack.plan)
    assert parts(done["friend"].attack.plan)["aim"] == ("CD-GUN-7", 1)


def test_aim_that_the_storyteller_allows_somebody_held_is_not_lost_to_what_others_do() -> None:
    """CD-GUN-7: being held loses earlier aim, and only at the moment of being held."""
    fight = table()
    held = ChangeConditions("ana", add=frozenset({"immobilized"}))
    fight.does(does("ana", "aim", "thug", weapon="rifle"))
    only(AimBroken, fight.does(held))

    fight.does(does("ana", "aim", "thug", weapon="rifle"), waive=["CD-AIM-8"])
    fight.does(Harm("friend", 1, Damage.BASHING))
    assert aiming(fight) == Aiming("thug", "rifle", 1)


@pytest.mark.parametrize(("turns", "dice"), [(1, 1), (3, 3), (9, 3)])
def test_aim_as_a_fact(turns: int, dice: int) -> None:
    """CD-GUN-7."""
    command = shot("thug", "pistol", Modifier("aim", {"rounds": turns}))

    assert parts(results(table().does(command, attack=[2] * (6 + dice)))["thug"].attack.plan)["aim"][1] == dice


def test_defense_a_step_and_a_blow_that_fells_break_the_aim() -> None:
    """CD-GUN-7."""
    for breaks in (
        lambda fight: fight.attacks("thug", "ana", attack=[8]),
        lambda fight: fight.does(does("ana", "move", distance=1)),
        lambda fight: fight.does(does("ana", "dodge")),
        lambda fight: fight.does(ChangeConditions("ana", remove=frozenset({"aiming"}))),
        lambda fight: fight.does(Harm("ana", 7, Damage.LETHAL)),
    ):
        fight = table()
        fight.does(does("ana", "aim", "thug", weapon="rifle"))
        breaks(fight)
        assert aiming(fight) is None
        assert "aiming" not in fight.conditions("ana")


def test_what_does_not_concern_the_aim_leaves_it() -> None:
    """CD-GUN-7: Defense held back, somebody else's step, a newcomer."""
    fight = table()
    fight.does(does("ana", "aim", "thug", weapon="rifle"))

    fight.attacks("thug", "ana", defence="withhold_defense", attack=[2])
    fight.does(does("thug", "move", distance=1))
    fight.does(Join((Newcomer("late", mortal()),)))
    fight.does(Leave("late"))
    assert aiming(fight) == Aiming("thug", "rifle", 1)


def test_that_the_aim_is_gone_is_told_unless_the_shot_used_it() -> None:
    """CD-GUN-7."""
    fight = table()
    fight.does(does("ana", "aim", "thug", weapon="rifle"))

    assert only(AimBroken, fight.does(does("ana", "move", distance=1))) == AimBroken("ana", "CD-GUN-7")


def test_an_aim_at_one_who_has_left_is_over() -> None:
    """CD-GUN-7."""
    fight = table()
    fight.does(does("ana", "aim", "thug", weapon="rifle"))
    fight.does(does("friend", "seek_cover", degree="barely"))
    fight.does(Leave("thug"))

    assert aiming(fight) is None
    fight.does(does("ana", "aim", "friend", weapon="rifle"))
    fight.does(Leave("ana"))
    assert "ana" not in fight.state.combatants


def test_nobody_aims_who_has_moved_this_turn() -> None:
    """CD-GUN-7: aiming takes a full turn."""
    fight = Table(CHRONICLES, ana=shooter(), thug=mortal())
    fight.initiative(ana=9, thug=1)
    fight.does(does("ana", "move", distance=2))

    fight.refuses("CD-GUN-7", does("ana", "aim", "thug"))
    fight.does(does("ana", "aim", "thug"), waive=["CD-GUN-7"])
    fight.refuses("CD-TURN-1", does("ana", "aim", "thug"), waive=["CD-GUN-7"])
