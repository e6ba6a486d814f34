"""Every scenario, played; and every rule of every ruleset, shown by a scenario or a test.

A scenario names the rules that it shows under `rules`, a test in its docstring.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from combat.scenario.play import play_file
from rules.ruleset import Ruleset
from rules.rulesets import RULESETS

TESTS = Path(__file__).parent
SCENARIOS = TESTS / "scenarios"
FILES = sorted(SCENARIOS.rglob("*.toml"))
RULE = re.compile(r"\b[A-Z]{2}-[A-Z]+-\d+\b")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SCENARIOS)))
def test_scenario(path: Path) -> None:
    report = play_file(path)

    assert report.ok, report.failure


def shown_by_scenarios() -> Iterator[str]:
    for path in FILES:
        yield from tomllib.loads(path.read_text(encoding="utf-8")).get("rules", [])


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
def test_every_rule_is_shown(ruleset: Ruleset) -> None:
    shown = shown_by_tests().union(shown_by_scenarios())

    assert sorted(set(ruleset.book.rules) - shown) == []


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_what_tests_show_are_rules(ruleset: Ruleset) -> None:
    named = {rule for rule in shown_by_tests() if rule.startswith(f"{ruleset.book.prefix}-")}

    assert sorted(named - set(ruleset.book.rules)) == []
