"""What is visible at a glance about somebody in a firefight."""

from __future__ import annotations

from rules.systems.storytelling.second_edition.signs import signs
from rules.topics.changes import keeping
from rules.topics.firefights.stance import STANCE, Aiming, Shelter, Stance, UnderFire
from tests.rules.systems.second_edition.firefight import SMG, table
from tests.rules.table import Table, does

DOOR = {"cover": "door", "durability": 1, "structure": 5}


def told(fight: Table, who: str) -> list[tuple[str, str, str]]:
    return [(sign.key, sign.text, sign.instead_of) for sign in signs(fight.state, who)]


def put(fight: Table, who: str, stance: Stance) -> None:
    fight.state = keeping(fight.state, who, STANCE, stance)


def test_nothing_is_told_of_who_stands_in_the_open() -> None:
    assert told(table(), "thug") == []


def test_an_aim_takes_the_place_of_its_condition() -> None:
    fight = table()
    put(fight, "thug", Stance(aiming=Aiming("ana", "SMG", 2)))
    assert told(fight, "thug") == [("aiming_at", "aims at Ana, +2", "aiming")]
    put(fight, "thug", Stance(aiming=Aiming("somebody else", "SMG", 2)))
    assert told(fight, "thug") == []


def test_what_hides_somebody_and_behind_what() -> None:
    fight = table()
    fight.does(does("thug", "seek_cover", degree="full", **DOOR))
    assert told(fight, "thug") == [("shelter", "behind door", "")]
    fight.does(does("thug", "seek_cover", degree="partial", cover="door"))
    assert told(fight, "thug") == [("shelter", "partially concealed, door", "")]
    put(fight, "thug", Stance(shelter=Shelter("obscured")))
    assert told(fight, "thug") == [("shelter", "out of sight", "")]


def test_a_shield_and_covering_fire() -> None:
    fight = table()
    put(fight, "thug", Stance(shield="ana", fires=(UnderFire("ana", SMG, 2, 1),)))
    assert told(fight, "thug") == [("shield", "behind Ana", ""), ("under_fire", "under covering fire", "")]
    put(fight, "thug", Stance(shield="somebody else"))
    assert told(fight, "thug") == []
