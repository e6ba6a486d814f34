"""Plays every scenario, and checks that every rule of every ruleset is shown by a scenario or a test.

A scenario lists the rules it shows under `rules`, a test in its docstring.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rules.model.options import OptionKind
from rules.model.system import System
from rules.scenario.play import play_file
from rules.systems import RULESETS

TESTS = Path(__file__).parent
SCENARIOS = TESTS / "scenarios"
EXAMPLES = TESTS.parent / "examples"
FILES = sorted([*SCENARIOS.rglob("*.toml"), *EXAMPLES.glob("*/scenarios/*.toml")])
RULE = re.compile(r"\b[A-Z]{2}-[A-Z]+-\d+\b")


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_scenario(path: Path) -> None:
    report = play_file(path)

    assert report.ok, report.failure


@cache
def read() -> list[dict[str, Any]]:
    return [tomllib.loads(path.read_text(encoding="utf-8")) for path in FILES]


def shown_by_scenarios() -> Iterator[str]:
    for scenario in read():
        yield from scenario.get("rules", [])


@cache
def shown_by_tests() -> frozenset[str]:
    docstrings = (
        ast.get_docstring(node) or ""
        for path in TESTS.rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    )
    return frozenset(rule for docstring in docstrings for rule in RULE.findall(docstring))


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_every_rule_is_shown(ruleset: System) -> None:
    shown = shown_by_tests().union(shown_by_scenarios())

    assert sorted(set(ruleset.book.rules) - shown) == []


def decided_otherwise(ruleset: System) -> set[str]:
    """The house rules that a scenario sets to other than the default values."""
    options = {option.key: option for option in ruleset.options}
    return {
        key
        for scenario in read()
        if scenario["ruleset"] == ruleset.key
        for key, value in scenario.get("options", {}).items()
        if key in options and value != options[key].default
    }


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_every_house_rule_changes_a_fight(ruleset: System) -> None:
    """Except text options, the budgets of new characters and the Abilities on sheets, which change no fight."""
    of_fights = {
        option.key
        for option in ruleset.options
        if option.kind is not OptionKind.LINES and not option.key.startswith(("creation", "anniversary"))
    }

    assert sorted(of_fights - decided_otherwise(ruleset)) == []


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_what_tests_show_are_rules(ruleset: System) -> None:
    named = {rule for rule in shown_by_tests() if rule.startswith(f"{ruleset.book.prefix}-")}

    assert sorted(named - set(ruleset.book.rules)) == []


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_rules_are_shown_with_every_ruling_off(ruleset: System) -> None:
    """Rulings are off unless a chronicle switches them on, and what the sources say is shown without them."""
    begun = {option.key for option in ruleset.options if option.begun}
    assert not any(option.default for option in ruleset.options if option.begun)
    without = [each for each in read() if begun.isdisjoint(each.get("options", {}))]
    shown = shown_by_tests().union(*(each.get("rules", []) for each in without))
    assert [rule.id for rule in ruleset.book.rules.values() if not rule.added and rule.id not in shown] == []


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_every_power_has_three_scenarios(ruleset: System) -> None:
    shown = Counter(rule for each in read() if each["ruleset"] == ruleset.key for rule in set(each.get("rules", [])))
    assert [power.key for power in ruleset.powers if shown[power.rule] < 3] == []
