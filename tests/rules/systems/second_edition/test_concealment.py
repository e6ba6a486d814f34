"""Concealment, from turn to turn and as a circumstance of one attack."""

from __future__ import annotations

import pytest

from rules.model.choices import Modifier
from rules.model.gear import BARE_HANDS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.firefights.stance import STANCE, Shelter
from tests.rules.systems.second_edition.firefight import results, shot, table
from tests.rules.table import Table, does, parts

DEGREES = [("barely", 1), ("partial", 2), ("substantial", 3)]


def shelter(fight: Table, who: str) -> Shelter | None:
    return STANCE.of(fight.combatant(who)).shelter


@pytest.mark.parametrize(("degree", "dice"), DEGREES)
def test_a_degree_takes_dice_from_shots_at_it_and_one_fewer_from_shots_out_of_it(degree: str, dice: int) -> None:
    """CD-CON-1, CD-CON-3."""
    fight = table()
    fight.does(does("thug", "seek_cover", degree=degree))
    done = results(fight.does(shot("thug", "pistol"), attack=[2] * (6 - dice)))
    assert parts(done["thug"].attack.plan)["concealment"] == ("CD-CON-1", -dice)

    fight.does(does("ana", "seek_cover", degree=degree))
    done = results(fight.does(shot("friend", "pistol"), attack=[2] * (7 - dice)))
    assert parts(done["friend"].attack.plan)["firing_from_concealment"] == ("CD-CON-3", 1 - dice)


def test_what_is_said_counts_before_what_is_known() -> None:
    """CD-CON-1: either spelling of a degree works."""
    fight = table()
    fight.does(does("thug", "seek_cover", degree="obscured"))

    said = Modifier("concealment", {"degree": "partially"})
    assert results(fight.does(shot("thug", "pistol", said), attack=[2] * 4))["thug"].attack.plan.pool == 4
    fight.refuses("input", shot("thug", "pistol", Modifier("concealment", {"degree": "full"})))
    fight.refuses("input", shot("thug", "pistol", Modifier("concealment")))


def test_fists_meet_no_concealment() -> None:
    """CD-CON-1, CD-CON-2, CD-CON-3."""
    fight = table()
    fight.does(does("thug", "seek_cover", degree="obscured"))
    fight.does(does("ana", "seek_cover", degree="substantial"))

    plan = fight.attacks("ana", "thug", BARE_HANDS, defence="withhold_defense", attack=[2]).attack.plan
    assert not plan.chance
    assert parts(plan).keys().isdisjoint({"concealment", "unseen", "firing_from_concealment"})


def test_out_of_sight_there_is_only_chance_until_it_is_struck_out() -> None:
    """CD-CON-2."""
    fight = table()
    fight.does(does("thug", "seek_cover", degree="obscured"))

    plan = results(fight.does(shot("thug", "pistol"), attack=[2]))["thug"].attack.plan
    assert plan.chance
    assert parts(plan)["obscured"] == ("CD-CON-2", 0)
    assert CHRONICLES.circumstances.rule("obscured").rule == "CD-CON-2"
    struck = shot("thug", "pistol", strike=frozenset({"obscured"}))
    assert not results(fight.does(struck, attack=[2] * 6))["thug"].attack.plan.chance
    known = shot("friend", "pistol", "obscured")
    assert results(fight.does(known, attack=[2]))["friend"].attack.plan.chance


def test_nobody_shoots_from_behind_cover_without_coming_up() -> None:
    """CD-CON-3: if waived, the shooter is still substantially concealed afterwards."""
    fight = table()
    fight.does(does("ana", "seek_cover", degree="full", cover="car", durability=3, structure=10))

    fight.refuses("CD-CON-3", shot("thug", "pistol"))
    fight.does(shot("thug", "pistol"), waive=["CD-CON-3"], attack=[2] * 6)
    assert shelter(fight, "ana") == Shelter("substantial", "car")
    fight.does(does("ana", "seek_cover", degree="full", cover="car"))
    fight.does(shot("thug", "pistol", Modifier("firing_from_concealment", {"degree": "barely"})), attack=[2] * 6)
    assert shelter(fight, "ana") == Shelter("barely", "car")
    fight.does(does("ana", "seek_cover", degree="full", cover="car"))
    fight.attacks("ana", "thug", BARE_HANDS, attack=[2])
    assert shelter(fight, "ana") == Shelter("full", "car")
