"""A chronicle's own kinds of creature, in addition to its ruleset's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.gear import Damage, Mode, Weapon
from rules.model.kinds import QUESTIONS, answers, read_kind, read_kinds, soaking_matters
from rules.model.options import BadOption
from rules.systems import RULESETS
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.commands import Heal
from tests.rules.table import Table, boxes, mortal, parts, row

SILVER = Weapon("silver knife", Mode.MELEE, 1, "", Damage.LETHAL, tags=frozenset({"silver"}))


def playing(ruleset, **given):
    """A ruleset with one kind of its own, called "wraith"."""
    return ruleset.with_kinds(read_kinds({"wraith": {"label": "Wraith", **given}}, ruleset.kinds))


def wraith(marks="", **written):
    return mortal(marks, kind="wraith", **written)


# ------------------------------------------------------------------ what is given


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_what_is_left_out_is_as_with_the_kind_that_it_is_like(ruleset):
    for base in ruleset.kinds.values():
        made = read_kind("wraith", {"label": "Wraith", "like": base.key}, ruleset.kinds)
        assert {**answers(made), "like": base.key} == answers(base)
        assert (made.key, made.label, made.like) == ("wraith", "Wraith", base.key)


def test_every_answer_of_its_own_counts():
    turned = {each.key: not getattr(MASQUERADE.kinds["vampire"], each.key) for each in QUESTIONS}
    given = {"label": " The   Drowned ", "like": "vampire", "soaks": ["aggravated"], "banes": ["Cold Iron!", " "]}
    made = read_kind("drowned", {**given, **turned, "felled": "incapacitated", "open": True}, MASQUERADE.kinds)
    assert (made.label, made.soaks, made.banes) == ("The Drowned", {Damage.AGGRAVATED}, {"cold_iron"})
    assert made.felled == "incapacitated"
    assert {each.key: getattr(made, each.key) for each in QUESTIONS} == turned


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({"label": ""}, "label"),
        ({"label": "x" * 31}, "label"),
        ({"label": 3}, "label"),
        ({"wings": True}, "wings"),
        ({"like": "dragon"}, "like"),
        ({"like": 1}, "like"),
        ({"bleeds": "no"}, "bleeds"),
        ({"felled": "asleep"}, "felled"),
        ({"soaks": ["cold"]}, "soaks"),
        ({"soaks": "lethal"}, "soaks"),
        ({"soaks": 7}, "soaks"),
        ({"banes": [7]}, "banes"),
        ({"banes": ["ö" * 61]}, "banes"),
        ({"banes": [f"bane {number}" for number in range(21)]}, "banes"),
    ],
)
def test_what_cannot_be_is_refused_with_its_key(given, key):
    with pytest.raises(BadOption) as refused:
        read_kind("wraith", {"label": "Wraith", **given}, MASQUERADE.kinds)
    assert refused.value.key == key


def test_it_falls_as_somebody_of_its_ruleset_does():
    """CD-HEALTH-5."""
    assert read_kind("ghost", {"label": "Ghost", "felled": "unconscious"}, CHRONICLES.kinds).felled == "unconscious"
    assert read_kind("lich", {"label": "Lich", "like": "vampire", "felled": "unconscious"}, CHRONICLES.kinds).undead
    with pytest.raises(BadOption):
        read_kind("ghost", {"label": "Ghost", "felled": "unconscious"}, MASQUERADE.kinds)


def test_banes_are_known_by_the_letters_of_every_script():
    made = read_kind("ghost", {"label": "Ghost", "banes": ["Öl", "Святая вода", "cold iron", "!"]}, MASQUERADE.kinds)
    assert made.banes == {"öl", "святая_вода", "cold_iron"}


def test_thirty_kinds_are_the_most():
    given = {f"k{number}": {"label": f"Kind {number}"} for number in range(31)}
    assert len(read_kinds(dict(list(given.items())[:30]), MASQUERADE.kinds)) == 30
    with pytest.raises(BadOption):
        read_kinds(given, MASQUERADE.kinds)


def test_no_kind_is_like_another_of_the_chronicles_own():
    with pytest.raises(BadOption):
        read_kind("ghast", {"label": "Ghast", "like": "wraith"}, playing(MASQUERADE).kinds)


def test_soaking_is_asked_only_where_somebody_soaks():
    assert soaking_matters(MASQUERADE.kinds)
    assert not soaking_matters(DARKNESS.kinds)


# ------------------------------------------------------------------ what the rules do with it


def test_it_fills_in_the_sheet_of_the_kind_that_it_is_like():
    layout = playing(MASQUERADE, like="vampire").layout
    assert layout.for_kind("wraith") == MASQUERADE.layout.for_kind("vampire")
    assert [each.key for each in layout.resources_for("wraith")] == ["willpower", "blood"]
    assert layout.maximum(wraith(generation=8), "blood") == 15
    assert playing(MASQUERADE).layout.for_kind("wraith") == MASQUERADE.layout.for_kind("mortal")


def test_a_bane_is_aggravated_and_never_soaked_by_stamina():
    """MQ-SOAK-1: in addition to what a weapon does to everybody."""
    ruleset = playing(MASQUERADE, banes=["silver"], soaks=["bashing", "lethal", "aggravated"])
    damage, victim = ruleset.attack.damage, wraith(stamina=3)
    assert damage.type(SILVER, victim, ()) is Damage.AGGRAVATED
    assert "soak:stamina" not in parts(damage.soak(victim, Damage.AGGRAVATED, SILVER))
    fire = replace(SILVER, type=Damage.AGGRAVATED, tags=frozenset({"fire"}))
    assert damage.soak(victim, Damage.AGGRAVATED, fire).pool == 3


def test_what_is_a_bane_to_some_is_lethal_to_others():
    """AP-DMG-7, WD-DMG-5."""
    iron = Weapon("nail", Mode.MELEE, 1, "", Damage.AGGRAVATED, tags=frozenset({"iron"}))
    for ruleset in (playing(APOCALYPSE, banes=["iron"]), playing(DARKNESS, banes=["iron"])):
        suffered = ruleset.attack.suffered
        assert suffered(iron.type, iron.tags, wraith()) is Damage.AGGRAVATED
        assert suffered(iron.type, iron.tags, mortal(kind="garou")) is Damage.LETHAL


def test_the_dead_without_blood_heal_like_the_living():
    """MQ-HEAL-1: only with blood, if there is any on the sheet."""
    at = Table(playing(MASQUERADE, undead=True), dead=wraith("/"))
    at.does(Heal("dead", 1, Damage.BASHING))
    assert at.health("dead") == ""


def test_time_heals_no_dead_in_chronicles_even_without_vitae():
    """CD-HEAL-1."""
    at = Table(playing(CHRONICLES, undead=True), dead=wraith("/"))
    at.does(Heal("dead", hours=24, care=True))
    assert at.health("dead") == "/"


def test_one_that_regenerates_rests_within_minutes():
    for ruleset in (playing(MASQUERADE, regenerates=True), playing(DARKNESS, regenerates=True)):
        rested, healed = ruleset.health.rest(wraith("*X/"), 1)
        assert (row(rested.marks), healed["lethal"], healed["bashing"]) == ("*", 1, 1)


def test_one_whom_wounds_do_not_hinder_has_no_penalty_until_it_falls():
    """MQ-HEALTH-1, WD-HEALTH-2."""
    for ruleset in (playing(MASQUERADE, feels_wounds=False), playing(DARKNESS, feels_wounds=False)):
        health, hurt, down = ruleset.health, wraith("X" * 6), wraith("X" * 7)
        assert (health.penalty(hurt), health.hindrance(hurt)) == (0, 0)
        assert (health.penalty(down), health.hindrance(down)) == (None, 0)
        assert health.hindrance(mortal("X" * 6)) < 0
        assert {level.penalty for level in health.levels(hurt)} <= {0, None}


def test_a_mortals_body_with_a_bane_can_be_burnt_by_it():
    """AP-DMG-7: mortals never take aggravated damage, but somebody with a bane does, from it."""
    plain, cursed = playing(APOCALYPSE), playing(APOCALYPSE, banes=["silver"])
    assert plain.attack.suffered(Damage.AGGRAVATED, SILVER.tags, wraith()) is Damage.LETHAL
    assert cursed.attack.suffered(Damage.LETHAL, SILVER.tags, wraith()) is Damage.AGGRAVATED
    assert cursed.health.inflict(wraith(), 1, Damage.AGGRAVATED).marks == boxes("*")
