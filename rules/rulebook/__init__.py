"""The rules' own texts by id, and what each ruleset answers to the questions that players argue about.

English stands in the files beside this one. The folder of another language's code has files of the same names that
hold the texts alone, by what they belong to; what it lacks is read in English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class Rule:
    """One thing that the program does. ``ruling`` says what was decided where the source is silent."""

    id: str
    title: str
    text: str
    key: str = ""
    heading: str = ""
    ruling: str = ""

    @property
    def added(self) -> bool:
        """Whether it stands on no document, and was decided here alone."""
        return not self.heading


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All rules of one ruleset, in the order of the file, by id."""

    name: str
    subtitle: str
    family: str
    prefix: str
    rules: Mapping[str, Rule]

    def __getitem__(self, rule_id: str) -> Rule:
        return self.rules[rule_id]


@dataclass(frozen=True, slots=True)
class Question:
    """Something that every ruleset has an answer to."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a ruleset answers to the question of that key, and the ids of the rules that say so."""

    question: str
    text: str
    rules: tuple[str, ...]


@cache
def load(key: str, language: str = "") -> Rulebook:
    """The rulebook of the ruleset of that key, in a language; FileNotFoundError where there is none."""
    book, said = _read(f"{key}.toml"), _said(language, f"{key}.toml")
    about = book["ruleset"] | said.get("ruleset", {})
    rules = {entry["id"]: Rule(**entry | said.get(entry["id"], {})) for entry in book["rule"]}
    return Rulebook(about["name"], about["subtitle"], about["family"], about["prefix"], rules)


@cache
def questions(language: str = "") -> tuple[Question, ...]:
    """The questions, in the order in which they are asked."""
    said = _said(language, "questions.toml")
    asked = _read("questions.toml")["question"]
    return tuple(Question(entry["key"], said.get(entry["key"], entry["text"])) for entry in asked)


@cache
def answers(key: str, language: str = "") -> Mapping[str, Answer]:
    """What the ruleset of that key answers, by question; FileNotFoundError where there is none."""
    path = ("answers", f"{key}.toml")
    said = _said(language, *path)
    found = (Answer(**entry | {"rules": tuple(entry["rules"])}) for entry in _read(*path)["answer"])
    return {each.question: replace(each, text=said.get(each.question, each.text)) for each in found}


def _said(language: str, *path: str) -> dict[str, Any]:
    """The texts of a file in that language; nothing for English, and for a language that has none."""
    try:
        return _read(language, *path) if language else {}
    except FileNotFoundError:
        return {}


def _read(*path: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath(*path).read_text(encoding="utf-8"))
