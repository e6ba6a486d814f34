"""The rules' own texts by id, and what each ruleset answers to the questions that players argue about.

English stands in files of a package: this one for the built-in rulesets, its own for any other. The folder of another
language's code there has files of the same names that hold the texts alone, by what they belong to; what it lacks is
read in English.
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
    """All rules of one ruleset, in the order of the file, by id. ``package`` is the one that has its files."""

    key: str
    name: str
    subtitle: str
    family: str
    prefix: str
    rules: Mapping[str, Rule]
    package: str

    def __getitem__(self, rule_id: str) -> Rule:
        return self.rules[rule_id]

    def said_in(self, language: str) -> Rulebook:
        """The same rules in a language."""
        return load(self.key, language, self.package)

    def answers(self, language: str = "") -> Mapping[str, Answer]:
        """What the ruleset answers, by question; nothing where its package has no file of answers."""
        return answers(self.key, language, self.package)


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
def load(key: str, language: str = "", package: str = __name__) -> Rulebook:
    """The rulebook of the ruleset of that key, in a language; FileNotFoundError where there is none."""
    book, said = _read(package, f"{key}.toml"), _said(package, language, f"{key}.toml")
    about = book["ruleset"] | said.get("ruleset", {})
    rules = {entry["id"]: Rule(**entry | said.get(entry["id"], {})) for entry in book["rule"]}
    return Rulebook(key, about["name"], about["subtitle"], about["family"], about["prefix"], rules, package)


@cache
def questions(language: str = "") -> tuple[Question, ...]:
    """The questions, in the order in which they are asked."""
    said = _said(__name__, language, "questions.toml")
    asked = _read(__name__, "questions.toml")["question"]
    return tuple(Question(entry["key"], said.get(entry["key"], entry["text"])) for entry in asked)


@cache
def answers(key: str, language: str = "", package: str = __name__) -> Mapping[str, Answer]:
    """What the ruleset of that key answers, by question; nothing where there is no file of answers."""
    path = ("answers", f"{key}.toml")
    said = _said(package, language, *path)
    asked = _optional(package, *path).get("answer", [])
    found = (Answer(**entry | {"rules": tuple(entry["rules"])}) for entry in asked)
    return {each.question: replace(each, text=said.get(each.question, each.text)) for each in found}


def _said(package: str, language: str, *path: str) -> dict[str, Any]:
    """The texts of a file in that language; nothing for English, and for a language that has none."""
    return _optional(package, language, *path) if language else {}


def _optional(package: str, *path: str) -> dict[str, Any]:
    try:
        return _read(package, *path)
    except FileNotFoundError:
        return {}


def _read(package: str, *path: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(package).joinpath(*path).read_text(encoding="utf-8"))
