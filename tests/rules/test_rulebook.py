"""The rulebooks' texts."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from rules import rulebook
from rules.systems import RULESETS
from rules.systems.classic.masquerade.system import MASQUERADE

BOOK = rulebook.load("masquerade")
FOLDER = Path(rulebook.__file__).parent
LANGUAGES = sorted(path.name for path in FOLDER.iterdir() if (path / "questions.toml").exists())


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
    answered = RULESETS[key].book.answers()
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


def folder(book):
    """The folder of a rulebook's files."""
    return resources.files(book.package)


def filled(rule):
    return {field for field in ("title", "text", "ruling") if getattr(rule, field)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", RULESETS)
def test_every_text_of_a_rulebook_stands_in_each_language(key, language):
    book = RULESETS[key].book
    said = tomllib.loads((folder(book) / language / f"{key}.toml").read_text())
    assert said.pop("ruleset").keys() == {"subtitle"}
    rules = book.rules
    assert list(said) == list(rules)
    assert {each: set(texts) for each, texts in said.items()} == {each: filled(rule) for each, rule in rules.items()}
    assert all(text.strip() for texts in said.values() for text in texts.values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", RULESETS)
def test_a_rule_cites_the_same_rules_in_each_language(key, language):
    book = RULESETS[key].book
    for rule, said in zip(book.rules.values(), book.said_in(language).rules.values(), strict=True):
        assert re.findall(r"[A-Z]{2}-[A-Z]+-\d+", said.text) == re.findall(r"[A-Z]{2}-[A-Z]+-\d+", rule.text), rule.id
        assert (said.id, said.key, said.heading) == (rule.id, rule.key, rule.heading)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_and_answer_stands_in_each_language(language):
    asked = [question.key for question in rulebook.questions()]
    assert list(tomllib.loads((FOLDER / language / "questions.toml").read_text())) == asked
    for key, ruleset in RULESETS.items():
        assert list(tomllib.loads((folder(ruleset.book) / language / "answers" / f"{key}.toml").read_text())) == asked
        assert all(0 < len(answer.text) <= 200 for answer in ruleset.book.answers(language).values())


def test_a_language_is_read_where_it_has_texts_and_english_where_not():
    german, other = rulebook.load("masquerade", "de"), rulebook.load("masquerade", "xx")
    assert (german.name, german["MQ-ATK-6"].title) == ("Masquerade", "Daneben")
    assert other == BOOK
    assert rulebook.questions("de")[0].text == "Wer handelt zuerst?"
    assert rulebook.answers("masquerade", "de")["lasts"].rules == rulebook.answers("masquerade")["lasts"].rules
    assert rulebook.answers("masquerade", "xx") == rulebook.answers("masquerade")
