"""The rules' texts by id, and each ruleset's answers to the questions that players argue about.

The English files are in a package: this one for the built-in rulesets, its own for any other. A subfolder named after a
language code holds the translations: files of the same names with nothing but texts, keyed by what they translate.
Missing translations fall back to English.
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
    """A rule that the program follows. ``ruling`` says what we decided where the source is silent."""

    id: str
    title: str
    text: str
    key: str = ""
    heading: str = ""
    ruling: str = ""

    @property
    def added(self) -> bool:
        """Whether the rule has no source and was decided for Vesper alone."""
        return not self.heading


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One ruleset's rules by id, in the order of the file. ``package`` is the package with its files."""

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
        """The same rulebook in a language."""
        return load(self.key, language, self.package)

    def answers(self, language: str = "") -> Mapping[str, Answer]:
        """The ruleset's answers by question; empty if its package has no file of answers."""
        return answers(self.key, language, self.package)


@dataclass(frozen=True, slots=True)
class Question:
    """A question that every ruleset answers."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A ruleset's answer to the question with that key, and the ids of the rules it rests on."""

    question: str
    text: str
    rules: tuple[str, ...]


@cache
def load(key: str, language: str = "", package: str = __name__) -> Rulebook:
    """A ruleset's rulebook in a language. Raises FileNotFoundError if it has none."""
    book, said = _read(package, f"{key}.toml"), translated(package, language, f"{key}.toml")
    about = book["ruleset"] | said.get("ruleset", {})
    rules = {entry["id"]: Rule(**entry | said.get(entry["id"], {})) for entry in book["rule"]}
    return Rulebook(key, about["name"], about["subtitle"], about["family"], about["prefix"], rules, package)


@cache
def questions(language: str = "") -> tuple[Question, ...]:
    """The questions, in the order in which they are shown."""
    said = translated(__name__, language, "questions.toml")
    asked = _read(__name__, "questions.toml")["question"]
    return tuple(Question(entry["key"], said.get(entry["key"], entry["text"])) for entry in asked)


@cache
def answers(key: str, language: str = "", package: str = __name__) -> Mapping[str, Answer]:
    """A ruleset's answers by question; empty if it has no file of answers."""
    path = ("answers", f"{key}.toml")
    said = translated(package, language, *path)
    asked = optional(package, *path).get("answer", [])
    found = (Answer(**entry | {"rules": tuple(entry["rules"])}) for entry in asked)
    return {each.question: replace(each, text=said.get(each.question, each.text)) for each in found}


def translated(package: str, language: str, *path: str) -> dict[str, Any]:
    """A file's translations; empty for English and for a language without that file."""
    return optional(package, language, *path) if language else {}


def optional(package: str, *path: str) -> dict[str, Any]:
    """A TOML file of a package; empty if it isn't there."""
    try:
        return _read(package, *path)
    except FileNotFoundError:
        return {}


def _read(package: str, *path: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(package).joinpath(*path).read_text(encoding="utf-8"))
