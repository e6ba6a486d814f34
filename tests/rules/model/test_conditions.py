"""Conditions: each declared once, and what systems add to them."""

from __future__ import annotations

import pytest

from rules.engine.messages import declared_here
from rules.model.conditions import (
    DAZED,
    IMMOBILIZED,
    PRONE,
    STUNNED,
    Acts,
    Condition,
    Conditions,
    Fallen,
    Lasts,
    condition_of,
    conditions,
    declare,
    known,
)
from rules.model.situations import ConditionRule
from rules.model.system import System
from rules.model.words import in_words
from rules.systems import RULESETS

CLUMSY = Condition("clumsy", "all thumbs", acts=Acts.LOSES_TURN)


def test_a_condition_is_declared_once_and_known_by_its_key():
    with declared_here():
        assert declare(CLUMSY) == "clumsy"
        assert condition_of("clumsy") is CLUMSY
        assert conditions()[-1] is CLUMSY
        assert in_words("clumsy") == "all thumbs"
        with pytest.raises(TypeError, match="clumsy"):
            declare(CLUMSY)
    assert CLUMSY not in conditions()


def test_what_nobody_declared_says_itself_and_does_nothing():
    assert condition_of("under_a_curse") == Condition("under_a_curse", "under a curse", lasts=Lasts.ASKED)
    assert not condition_of("under_a_curse").helpless


def test_a_system_adds_its_own_rules_and_knows_all_others():
    own = Conditions((known(DAZED, acts=Acts.LOSES_TURN, offered=True),))
    assert (own[DAZED].acts, condition_of(DAZED).acts) == (Acts.LOSES_TURN, Acts.FREELY)
    assert own[DAZED].label == condition_of(DAZED).label
    assert own[PRONE] is condition_of(PRONE)
    assert next(each.key for each in own) == DAZED
    assert sorted(each.key for each in own) == sorted(each.key for each in conditions())
    with declared_here():
        declare(CLUMSY)
        assert own["clumsy"] is CLUMSY


def test_those_of_some_keys_come_in_the_order_of_the_alphabet():
    found = Conditions().of({"stunned", "a curse", "prone"})
    assert [each.key for each in found] == ["a curse", "prone", "stunned"]
    assert Conditions().out({"stunned", "staked", "dead"}) == {"staked", "dead"}


def test_what_they_make_of_pools_comes_in_the_order_of_the_system():
    worse, bad = ConditionRule("worse", "X-2", own=2), ConditionRule("bad", "X-1", own=1)
    own = Conditions((known(STUNNED, pools=worse), known(DAZED), known(PRONE, pools=bad)))
    assert list(own.pools({PRONE, STUNNED, DAZED, "a curse"}).items()) == [(STUNNED, worse), (PRONE, bad)]
    assert own.pools({PRONE}) == {PRONE: bad}
    assert Conditions().pools({PRONE}) == {}


def test_the_storyteller_is_offered_what_every_table_knows_and_then_the_systems_own():
    first = [each.key for each in Conditions().offered]
    assert first[0] == PRONE
    assert DAZED not in first
    assert [each.key for each in RULESETS["apocalypse"].conditions.offered] == [
        *first,
        *("held", "immobilized", "light_cover", "good_cover", "superior_cover", "dazed"),
    ]
    assert [each.key for each in RULESETS["wounds"].conditions.offered] == [
        *first,
        *("in_cover", "running", "immobilized", "asleep", "meditating"),
    ]


@pytest.mark.parametrize("system", RULESETS.values(), ids=list(RULESETS))
def test_what_systems_say_of_conditions_is_sound(system: System):
    for each in system.conditions:
        rules = {each.rule, each.pools.rule if each.pools else ""} - {""}
        assert rules <= set(system.book.rules)
        circumstances = {each.as_attacker, each.as_target, each.as_watcher} - {""}
        assert circumstances <= set(system.modifiers)
        # Conditions caused by damage prevent actions, and describe the victim.
        assert not each.fallen or (each.out and each.tells_health)
        assert bool(each.both) == bool(each.sides)


def test_what_cannot_be_done_in_a_condition_depends_on_the_system():
    rules = {key: system.conditions[IMMOBILIZED].rule for key, system in RULESETS.items()}
    assert (
        rules.items()
        >= {
            "masquerade": "",
            "apocalypse": "AP-SIT-7",
            "darkness": "",
            "chronicles": "CD-AIM-8",
            "wounds": "WL-MOD-6",
        }.items()
    )


def test_harm_alone_lasts():
    assert {each.key for each in conditions() if each.fallen} == {"dying", "torpor", "incapacitated", "dead"}
    assert [each.key for each in conditions() if each.fallen is Fallen.DEAD] == ["dead"]
