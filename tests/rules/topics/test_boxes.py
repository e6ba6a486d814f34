"""Health boxes: marking, penalties, consequences, rest (MQ-HEALTH-1, MQ-HEALTH-2, MQ-HEAL-1, MQ-DMG-6)."""

from __future__ import annotations

import pytest

from rules.model.gear import Damage
from rules.model.health import HealthLevel
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.topics.health.boxes import CLASSIC_LEVELS
from tests.rules.table import SIGNS, boxes, mortal, row, vampire

HEALTH = MASQUERADE.health


def inflict(before: str, amount: int, sign: str, sheet=mortal) -> str:
    return row(HEALTH.inflict(sheet(before), amount, SIGNS[sign]).marks)


def test_there_are_seven_boxes():
    """MQ-HEALTH-1."""
    assert [(level.name, level.penalty) for level in HEALTH.levels()] == [
        ("Bruised", 0),
        ("Hurt", -1),
        ("Injured", -1),
        ("Wounded", -2),
        ("Mauled", -2),
        ("Crippled", -5),
        ("Incapacitated", None),
    ]


@pytest.mark.parametrize(
    ("marks", "penalty", "level"),
    [
        ("", 0, ""),
        ("/", 0, "Bruised"),
        ("//", -1, "Hurt"),
        ("X//", -1, "Injured"),
        ("////", -2, "Wounded"),
        ("*****", -2, "Mauled"),
        ("//////", -5, "Crippled"),
        ("///////", None, "Incapacitated"),
    ],
)
def test_the_worst_box_filled_sets_the_penalty(marks, penalty, level):
    """MQ-HEALTH-1."""
    assert HEALTH.penalty(mortal(marks)) == penalty
    worst = HEALTH.level(mortal(marks))
    assert (worst.name if worst else "") == level


@pytest.mark.parametrize(
    ("before", "amount", "sign", "after"),
    [
        ("", 2, "/", "//"),
        ("", 0, "/", ""),
        ("//", 1, "X", "X//"),
        ("X//", 2, "*", "**X//"),
        ("**X", 1, "/", "**X/"),
        ("//////", 1, "X", "X//////"),
    ],
)
def test_the_most_severe_damage_stands_in_the_topmost_boxes(before, amount, sign, after):
    """MQ-HEALTH-2."""
    assert inflict(before, amount, sign) == after


@pytest.mark.parametrize(
    ("before", "amount", "sign", "after"),
    [
        ("///////", 1, "X", "X//////"),
        ("X//////", 1, "*", "*X/////"),
        ("XXXXXXX", 1, "*", "*XXXXXX"),
        ("XXXXXX/", 1, "*", "*XXXXXX"),
    ],
)
def test_on_a_full_track_a_worse_level_replaces_the_least_severe_one(before, amount, sign, after):
    """MQ-HEALTH-2."""
    assert inflict(before, amount, sign) == after


@pytest.mark.parametrize(
    ("before", "amount", "sign", "after"),
    [
        ("///////", 1, "/", "X//////"),
        ("X//////", 2, "/", "XXX////"),
        ("XXXXXXX", 1, "/", "*XXXXXX"),
        ("XXXXXXX", 1, "X", "*XXXXXX"),
        ("******X", 1, "X", "*******"),
        ("******/", 1, "/", "******X"),
        ("*******", 1, "/", "*******"),
        ("*******", 5, "*", "*******"),
        ("/////", 4, "/", "XX/////"),
        ("", 21, "/", "*******"),
        ("", 10**12, "/", "*******"),
    ],
)
def test_on_a_full_track_a_level_no_worse_turns_the_least_severe_one_stage_worse(before, amount, sign, after):
    """MQ-HEALTH-2."""
    assert inflict(before, amount, sign) == after


@pytest.mark.parametrize(
    ("marks", "of_mortal", "of_vampire"),
    [
        ("//////", set(), set()),
        ("///////", {"incapacitated"}, {"incapacitated"}),
        ("******/", {"incapacitated"}, {"incapacitated"}),
        ("XXXXXXX", {"dying"}, {"torpor"}),
        ("******X", {"dying"}, {"torpor"}),
        ("*******", {"dead"}, {"dead"}),
    ],
)
def test_full_boxes_incapacitate_fell_or_kill(marks, of_mortal, of_vampire):
    """MQ-HEALTH-2."""
    assert HEALTH.follows(mortal(marks)) == of_mortal
    assert HEALTH.follows(vampire(marks)) == of_vampire


@pytest.mark.parametrize(
    ("marks", "word"),
    [
        ("", "unhurt"),
        ("/", "hurt"),
        ("///", "hurt"),
        ("////", "badly hurt"),
        ("//////", "badly hurt"),
        ("///////", "down"),
        ("XXXXXXX", "down"),
        ("*******", "dead"),
    ],
)
def test_players_may_be_told_a_word(marks, word):
    assert HEALTH.word(mortal(marks)) == word


@pytest.mark.parametrize(("marks", "word"), [("/", "hurt"), ("//", "badly hurt")])
def test_half_of_the_boxes_is_badly_hurt(marks, word):
    four = MASQUERADE.with_options({"health_levels": (("One", 0), ("Two", 0), ("Three", -1), ("Out", None))})
    assert four.health.word(mortal(marks)) == word


def test_bashing_and_lethal_are_kept_as_different_kinds():
    """MQ-DMG-6."""
    sheet, healed = HEALTH.remove(mortal("XX//"), 3, Damage.BASHING)
    assert (row(sheet.marks), healed) == ("XX", 2)


@pytest.mark.parametrize(
    ("before", "hours", "after"),
    [
        ("///", 1, "//"),
        ("///", 2, "/"),
        ("///////", 24, ""),
        ("X", 23, "X"),
        ("X", 24, ""),
        ("XX", 24, "X"),
        ("XX", 48, ""),
        ("XXX", 24, "XX"),
        ("XXXX", 71, "XXXX"),
        ("XXXX", 72, "XXX"),
        ("*XXXX", 7 * 24, "*XXX"),
        ("*XXXX", 7 * 24 + 72, "*XX"),
        ("XXXXXX", 30 * 24, "XXXXX"),
        ("XXXXXXX", 90 * 24 - 1, "XXXXXXX"),
        ("XXXXXXX", 90 * 24, "XXXXXX"),
        ("*", 24, ""),
        ("X/", 1, "X"),
        ("X////", 24, ""),
    ],
)
def test_mortals_heal_bashing_by_the_hour_and_worse_by_its_box(before, hours, after):
    """MQ-HEAL-1: a day up to Injured, then three, a week, a month, three months."""
    sheet, _ = HEALTH.rest(mortal(before), hours)
    assert row(sheet.marks) == after


def test_rest_says_what_it_healed():
    """MQ-HEAL-1: the least severe first."""
    _, healed = HEALTH.rest(mortal("*X//"), 24)
    assert healed == {"bashing": 2, "lethal": 1}
    _, healed = HEALTH.rest(mortal("XXX"), 3 * 24)
    assert healed == {"bashing": 0, "lethal": 3}


@pytest.mark.parametrize(
    ("name", "penalty", "days"),
    [
        ("Scratched", 0, 1),
        ("Sore", -1, 1),
        ("Bleeding", -2, 3),
        ("mauled", -2, 7),
        ("Broken", -4, 30),
        ("Shattered", -9, 90),
        ("Out", None, 90),
    ],
)
def test_a_chronicles_own_box_heals_as_the_classic_one_of_its_name_or_penalty(name, penalty, days):
    """MQ-HEAL-1, MQ-HEALTH-1: the boxes are editable."""
    assert HealthLevel(name, penalty).hours(MASQUERADE.settings) == 24 * days


def test_a_chronicle_may_have_other_boxes():
    """MQ-HEALTH-1."""
    few = MASQUERADE.with_options({"health_levels": (("Fine", 0), ("Rough", -3), ("Out", None))})
    assert few.health.penalty(mortal("//")) == -3
    assert row(few.health.inflict(mortal("//"), 2, Damage.BASHING).marks) == "X//"
    assert few.health.follows(mortal("XXX")) == {"dying"}


def test_a_track_may_end_before_its_last_box():
    """MQ-HEALTH-1, MQ-HEALTH-2: a box without a penalty is out of action, wherever it is."""
    early = MASQUERADE.with_options({"health_levels": (("Fine", 0), ("Out", None), ("Gone", None))})
    assert early.health.follows(mortal("//")) == {"incapacitated"}
    assert early.health.word(mortal("//")) == "down"


def test_marks_beyond_a_shortened_track_count_as_its_last_box():
    """MQ-HEALTH-1: shortening a chronicle's track breaks no sheet."""
    few = MASQUERADE.with_options({"health_levels": (("Fine", 0), ("Rough", -3), ("Out", None))})
    sheet = mortal("/////")
    assert few.health.penalty(sheet) is None
    assert few.health.level(sheet).name == "Out"
    assert few.health.word(sheet) == "down"
    assert few.health.rest(mortal("XXXXX"), 90 * 24)[0].marks


def test_the_classic_levels_are_the_default():
    assert MASQUERADE.settings["health_levels"] == CLASSIC_LEVELS
    assert boxes("*X/") == (Damage.AGGRAVATED, Damage.LETHAL, Damage.BASHING)
    assert [damage.severity for damage in Damage] == [0, 1, 2]
