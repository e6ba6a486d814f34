"""The rules' own texts by id, as the rulebook page shows them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources


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


@cache
def load(key: str) -> Rulebook:
    """The rulebook of the ruleset of that key; FileNotFoundError where there is none."""
    text = resources.files(__package__).joinpath(f"{key}.toml").read_text(encoding="utf-8")
    book = tomllib.loads(text)
    about = book["ruleset"]
    rules = {entry["id"]: Rule(**entry) for entry in book["rule"]}
    return Rulebook(about["name"], about["subtitle"], about["family"], about["prefix"], rules)
