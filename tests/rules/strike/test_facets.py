"""Facets: the questions each answers, and that none is missed."""

from __future__ import annotations

import pytest

from rules.model.gear import Mode, Weapon
from rules.model.state import TurnRecord
from rules.strike.facets import Facet, by_question
from rules.systems import RULESETS

WEAPON = Weapon("knife", Mode.MELEE, 1)
RECORD = TurnRecord(moved=3)
QUESTIONS = [name for name in vars(Facet) if not name.startswith("_")]
ASKED = {
    "wielded": (WEAPON, None, None),
    "defense": (None, 3),
    "record": (None, RECORD),
    "answered": (None, None, RECORD),
    "own": (None, None, None),
    "flags": (None, ()),
    "after": (None, None, None),
    "check_answer": (None, None),
    "damaged": (None, None, ()),
    "passes": ("ann", 3, None),
}
"""Questions with other arguments than the strike."""


@pytest.mark.parametrize("question", QUESTIONS)
def test_whoever_has_no_answer_of_their_own_changes_nothing(question):
    answer = getattr(Facet(), question)(*ASKED.get(question, (None,)))
    if question == "wielded":
        assert answer is WEAPON
    elif question in ("record", "answered"):
        assert answer is RECORD
    else:
        assert not answer


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS.keys())
@pytest.mark.parametrize("question", QUESTIONS)
def test_of_all_facets_those_are_asked_that_answer_in_their_order(question, ruleset):
    facets = ruleset.attack.facets
    asked = by_question(facets)[question]
    assert list(asked) == [each for each in facets if each in asked]
    spared = [each for each in facets if each not in asked]
    assert not [each for each in spared if any(question in vars(made) for made in type(each).__mro__[:-2])]


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_question_is_answered_somewhere_and_not_by_all(question):
    facets = [each for ruleset in RULESETS.values() for each in ruleset.attack.facets]
    assert 0 < len(by_question(facets)[question]) < len(facets)


class Step(Facet):
    """A facet that takes part in preparing an attack."""

    def readied(self, strike):
        return strike


class Refusal(Facet):
    """A facet that only forbids something."""

    def check(self, strike):
        raise LookupError


def test_what_only_forbids_has_its_place_among_what_readies_an_attack():
    first, refusal, last, silent = Step(), Refusal(), Step(), Facet()
    asked = by_question((first, refusal, silent, last))["readied"]
    assert [id(each) for each in asked] == [id(first), id(refusal), id(last)]
    with pytest.raises(LookupError):
        refusal.readied(None)
