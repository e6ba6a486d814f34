"""The rules' own texts by id, and what each ruleset answers to the questions that players argue about."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
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
def load(key: str) -> Rulebook:
    """The rulebook of the ruleset of that key; FileNotFoundError where there is none."""
    book = _read(f"{key}.toml")
    about = book["ruleset"]
    rules = {entry["id"]: Rule(**entry) for entry in book["rule"]}
    return Rulebook(about["name"], about["subtitle"], about["family"], about["prefix"], rules)


@cache
def questions() -> tuple[Question, ...]:
    """The questions, in the order in which they are asked."""
    return tuple(Question(**entry) for entry in _read("questions.toml")["question"])


@cache
def answers(key: str) -> Mapping[str, Answer]:
    """What the ruleset of that key answers, by question; FileNotFoundError where there is none."""
    found = (Answer(**entry | {"rules": tuple(entry["rules"])}) for entry in _read("answers", f"{key}.toml")["answer"])
    return {answer.question: answer for answer in found}


def _read(*path: str) -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath(*path).read_text(encoding="utf-8"))
