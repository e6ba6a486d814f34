"""Boxes, penalties, the effects of full boxes, and time."""

from __future__ import annotations

import pytest

from rules.model.gear import Damage
from rules.model.state import Encounter
from rules.model.system import Game
from rules.systems import RULESETS
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.topics.commands import ChangeConditions, EndTurn, Harm, Heal, SetHealth
from rules.topics.events import Bled, CheckRolled, ConditionsChanged, Harmed
from tests.rules.systems.storytelling.table import sheet, table
from tests.rules.table import boxes, only, row

HEALTH = DARKNESS.health


@pytest.mark.parametrize(
    ("traits", "penalties"),
    [
        ({}, [0, 0, 0, 0, -1, -2, -3]),
        ({"stamina": 1, "size": 1}, [-2, -3]),
        ({"stamina": 1, "size": 2}, [-1, -2, -3]),
        ({"health": 4}, [0, -1, -2, -3]),
        ({"stamina": 0, "size": 0}, [-3]),
    ],
)
def test_stamina_and_size_are_the_boxes(traits, penalties):
    """WD-HEALTH-1, WD-HEALTH-2."""
    assert [level.penalty for level in HEALTH.levels(sheet(**traits))] == penalties


def test_where_nobody_is_named_the_usual_boxes_are_meant():
    assert [level.name for level in HEALTH.levels()] == [f"Box {number}" for number in range(1, 8)]


@pytest.mark.parametrize(
    ("before", "amount", "damage", "after"),
    [
        ("", 2, Damage.BASHING, "//"),
        ("//", 1, Damage.AGGRAVATED, "*//"),
        ("*XX////", 1, Damage.AGGRAVATED, "**XX///"),
        ("**XX///", 1, Damage.BASHING, "**XXX//"),
        ("///////", 2, Damage.BASHING, "XX/////"),
        ("XXXXXXX", 1, Damage.BASHING, "*XXXXXX"),
        ("", 500, Damage.BASHING, "*******"),
    ],
)
def test_damage_is_marked_box_by_box(before, amount, damage, after):
    """WD-HEALTH-1."""
    assert row(HEALTH.inflict(sheet(before), amount, damage).marks) == after


@pytest.mark.parametrize(
    ("marks", "penalty", "of_mortal", "of_vampire", "reels"),
    [
        ("", 0, set(), set(), False),
        ("////", 0, set(), set(), False),
        ("/////", -1, set(), set(), False),
        ("*X////", -2, set(), set(), False),
        ("XXXXXX/", -3, set(), set(), True),
        ("XXXXXXX", None, {"dying"}, {"torpor"}, False),
        ("******X", None, {"dying"}, {"torpor"}, False),
        ("*******", None, {"dead"}, {"dead"}, False),
    ],
)
def test_what_the_boxes_bring(marks, penalty, of_mortal, of_vampire, reels):
    """WD-HEALTH-2, WD-HEALTH-3."""
    mortal, vampire = sheet(marks), sheet(marks, kind="vampire")
    assert HEALTH.penalty(mortal) == HEALTH.penalty(vampire) == penalty
    assert HEALTH.follows(mortal) == of_mortal
    assert HEALTH.follows(vampire) == of_vampire
    assert HEALTH.reels(mortal) is reels
    assert not HEALTH.reels(vampire)


@pytest.mark.parametrize(
    ("kind", "damage", "tags", "suffered"),
    [
        ("vampire", "lethal", {"fire"}, "aggravated"),
        ("vampire", "bashing", {"sunlight"}, "aggravated"),
        ("vampire", "aggravated", {"silver"}, "lethal"),
        ("garou", "lethal", {"silver"}, "aggravated"),
        ("garou", "aggravated", {"fire"}, "lethal"),
        ("mortal", "aggravated", {"fire"}, "lethal"),
        ("mortal", "aggravated", {"silver"}, "lethal"),
        ("mortal", "aggravated", set(), "aggravated"),
        ("mortal", "bashing", {"fire"}, "lethal"),
    ],
)
def test_what_a_kind_is_vulnerable_to(kind, damage, tags, suffered):
    """WD-DMG-5."""
    found = DARKNESS.attack.suffered(Damage(damage), frozenset(tags), sheet(kind=kind))
    assert found == suffered
    at = table(ann=sheet(kind=kind))
    told = at.does(Harm("ann", 1, Damage(damage), frozenset(tags)))
    assert only(Harmed, told).type == suffered


@pytest.mark.parametrize(
    ("before", "hours", "after"),
    [
        ("/////", 1, "/"),
        ("X", 47, "X"),
        ("X", 48, ""),
        ("*", 167, "*"),
        ("*", 168, ""),
        ("*X//", 48, "*X"),
        ("*X//", 49, "*"),
        ("*X//", 300, ""),
    ],
)
def test_time_heals_the_least_severe_first(before, hours, after):
    """WD-DMG-2, WD-DMG-3, WD-DMG-5."""
    at = table(ann=sheet(before))
    at.does(Heal("ann", hours=hours))
    assert at.health("ann") == after


def test_a_vampire_without_vitae_heals_only_if_the_rule_is_waived():
    """WD-HEAL-1."""
    at = table(ann=sheet("X", kind="vampire", resources={"vitae": 0}))
    at.refuses("WD-HEAL-1", Heal("ann", 1, Damage.LETHAL))
    at.does(Heal("ann", 1, Damage.LETHAL), waive=["WD-HEAL-1", "WD-VITAE-1"])
    assert (at.health("ann"), at.sheet("ann").resources["vitae"]) == ("", 0)


def test_those_in_torpor_heal_as_they_sleep_but_not_reflexively():
    """WD-HEAL-1: in a fight; between fights nobody has an action to lose."""
    at = table(ann=sheet("XXXXXXX", kind="vampire", resources={"vitae": 9}))
    at.refuses("WD-HEALTH-3", Heal("ann", 1, Damage.LETHAL))


def test_marks_are_held_to_somebodys_own_boxes():
    at = table(ann=sheet(stamina=1, size=1))
    at.refuses("input", SetHealth("ann", boxes("///")))
    at.does(SetHealth("ann", boxes("//")))
    assert at.health("ann") == "//"


def test_the_reeling_roll_stamina_when_a_turn_ends():
    """WD-HEALTH-3."""
    at = table(ann=sheet("///////", stamina=2), dead=sheet("///////", kind="vampire"), whole=sheet())
    stays = at.does(EndTurn(), check=[8, 1])
    assert only(CheckRolled, stays).passed
    falls = at.does(EndTurn(), check=[7, 7])
    assert not only(CheckRolled, falls).passed
    assert only(ConditionsChanged, falls).added == {"unconscious"}
    assert not [event for event in at.does(EndTurn()) if isinstance(event, CheckRolled)]


def test_whoever_is_surprised_and_passes_out_is_surprised_no_longer():
    at = table(ann=sheet("///////"))
    at.does(EndTurn(), check=[8, 1])
    at.does(ChangeConditions("ann", add=frozenset({"surprised"})))
    at.does(EndTurn(), check=[1, 1])
    assert at.conditions("ann") == {"unconscious"}


def test_the_dying_bleed_once_a_minute():
    """WD-HEALTH-3."""
    at = table(ann=sheet("XXXXXX"), dead=sheet("XXXXXXX", kind="vampire"))
    at.does(EndTurn())
    at.does(Harm("ann", 1, Damage.LETHAL))
    assert (at.conditions("ann"), at.combatant("ann").dying_since) == ({"dying"}, 2)
    for _ in range(19):
        assert not [event for event in at.does(EndTurn()) if isinstance(event, Bled)]
    assert only(Bled, at.does(EndTurn())) == Bled("ann", 1)
    assert (at.health("ann"), at.health("dead")) == ("*XXXXXX", "XXXXXXX")
    at.does(Heal("ann", 1, Damage.LETHAL))
    assert at.combatant("ann").dying_since == 0


def test_the_last_box_bled_is_death():
    at = table(ann=sheet("*****"))
    at.does(SetHealth("ann", boxes("******X")))
    for _ in range(20):
        at.does(EndTurn())
    assert (at.health("ann"), at.conditions("ann")) == ("*******", {"dead"})


def test_an_empty_fight_has_nothing_to_close():
    assert DARKNESS.turns.close(Game(Encounter(), DARKNESS, dice=None)) == ()  # type: ignore[arg-type]


def test_somebody_who_bleeds_and_still_acts_is_not_down():
    """CD-HEALTH-3: full of aggravated and lethal marks, they are."""
    health = RULESETS["chronicles"].health
    assert (health.word(sheet("XXXXX")), health.felled(sheet("XXXXX"))) == ("badly hurt", frozenset())
    assert health.word(sheet("X" * health.size(sheet()))) == "down"
