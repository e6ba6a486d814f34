"""The rules' own texts."""

from __future__ import annotations

import pytest

from rules import rulebook
from rules.rulesets import RULESETS
from rules.rulesets.masquerade import MASQUERADE

BOOK = rulebook.load("masquerade")


def test_the_book_is_that_of_masquerade():
    assert (BOOK.name, BOOK.family, BOOK.prefix) == ("Masquerade", "classic", "MQ")


def test_every_rule_has_an_id_of_its_own_a_title_and_a_text():
    assert all(rule.id == key and rule.title and rule.text for key, rule in BOOK.rules.items())
    assert all(key.startswith("MQ-") for key in BOOK.rules)


def test_rules_are_found_by_id():
    assert BOOK["MQ-ATK-6"].title == "Miss"
    with pytest.raises(KeyError):
        BOOK["MQ-NONE-1"]
    with pytest.raises(FileNotFoundError):
        rulebook.load("checkers")


def test_everything_that_is_cited_is_in_the_book():
    assert set(MASQUERADE.cites.values()) <= set(BOOK.rules)
    assert {modifier.rule for modifier in MASQUERADE.modifiers.values()} <= set(BOOK.rules)
    assert {defence.rule for defence in MASQUERADE.attack.defences.kinds.values()} <= set(BOOK.rules)


@pytest.mark.parametrize("key", RULESETS)
def test_every_ruleset_answers_every_question_by_its_own_rules(key):
    answered = rulebook.answers(key)
    assert list(answered) == [question.key for question in rulebook.questions()]
    for answer in answered.values():
        assert 0 < len(answer.text) <= 200
        assert answer.rules
        assert set(answer.rules) <= set(RULESETS[key].book.rules)


def test_no_question_is_asked_twice():
    asked = rulebook.questions()
    assert len({question.key for question in asked}) == len({question.text for question in asked}) == len(asked)


@pytest.mark.parametrize(("rule", "added"), [("MQ-WILL-1", True), ("MQ-ATK-6", False)])
def test_what_stands_on_no_document_is_told_from_what_does(rule, added):
    assert BOOK[rule].added is added
