"""Reads a whole scenario."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.model.conditions import INCAPACITATED
from rules.model.kinds import read_kinds
from rules.model.options import BadOption, Option, OptionKind
from rules.model.own_powers import read_powers
from rules.model.system import System
from rules.scenario.cast import Cast, holstered
from rules.scenario.fields import BadScenario, Table
from rules.scenario.parties import Parties
from rules.scenario.steps import Step, read_step, rules_in
from rules.systems import RULESETS
from rules.topics.commands import Newcomer
from rules.topics.powers.using import with_powers

NO_ACTION = INCAPACITATED
FILE_KEYS = {"title", "ruleset", "rules", "options", "kinds", "powers", "combatants", "steps"}


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario ready to play."""

    title: str
    ruleset: System
    rules: tuple[str, ...]
    newcomers: tuple[Newcomer, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """The fight in a file before its first step."""

    title: str
    ruleset: System
    newcomers: tuple[Newcomer, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A file's title and ruleset, if they can be read at all."""

    title: str
    ruleset: str = ""


def files(given: Path) -> Iterator[Path]:
    """The file itself, or all scenarios below a folder, sorted."""
    if not given.is_dir():
        yield given
        return
    found = sorted(path for path in given.rglob("*.toml") if path.is_file())
    if not found:
        raise BadScenario("there is no scenario in this folder.")
    yield from found


def load(path: Path) -> dict[str, Any]:
    """The file's tables, with or without a byte order mark. Raises :class:`BadScenario` if it can't be read."""
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as problem:
        raise BadScenario(f"the file cannot be read: {problem.strerror or problem}.") from problem
    except UnicodeDecodeError as problem:
        raise BadScenario("the file cannot be read: it is not UTF-8 text.") from problem
    except (tomllib.TOMLDecodeError, ValueError) as problem:
        raise BadScenario(f"the file cannot be read: {problem}.") from problem
    except RecursionError as problem:
        raise BadScenario("the file cannot be read: it is nested too deep.") from problem


def heading(path: Path, values: Mapping[str, Any]) -> Heading:
    """The title (by default the file's name) and the ruleset's key."""
    title, key = values.get("title"), values.get("ruleset")
    return Heading(
        title if isinstance(title, str) and title.strip() else path.stem,
        key if isinstance(key, str) else "",
    )


def read_draft(path: Path, values: dict[str, Any]) -> Draft:
    """The fight in a file's tables, which may have no steps. Raises :class:`BadScenario` at the first error."""
    table = _file(values)
    ruleset = _ruleset(table)
    return Draft(heading(path, values).title, ruleset, _newcomers(table, ruleset))


def read(path: Path, values: dict[str, Any]) -> Scenario:
    """The scenario in a file's tables. Raises :class:`BadScenario` at the first error."""
    table = _file(values)
    ruleset = _ruleset(table)
    rules = rules_in(table, "rules", ruleset.book)
    newcomers = _newcomers(table, ruleset)
    steps = _steps(table, Parties(ruleset, {newcomer.id: newcomer.sheet for newcomer in newcomers}))
    newcomers = tuple(holstered(newcomer, [step.command for step in steps]) for newcomer in newcomers)
    return Scenario(heading(path, values).title, ruleset, rules, newcomers, steps)


def _file(values: dict[str, Any]) -> Table:
    table = Table("", values)
    table.only(FILE_KEYS)
    table.text("title")
    return table


def _newcomers(table: Table, ruleset: System) -> tuple[Newcomer, ...]:
    combatants = table.table("combatants")
    newcomers = tuple(Cast(ruleset).combatant(name, value) for name, value in combatants.values.items())
    if not newcomers:
        raise BadScenario("nobody is in this fight: “combatants” is missing.")
    return newcomers


def _ruleset(table: Table) -> System:
    table.required("ruleset")
    key = table.text("ruleset")
    if key not in RULESETS:
        raise BadScenario(f"there is no ruleset “{key}” here. There are: {', '.join(RULESETS)}.")
    try:
        ruleset = RULESETS[key].with_options(_options(table.table("options"), RULESETS[key].options))
    except BadOption as problem:
        raise BadScenario(f"“{problem.key}”: {problem.message}", "options") from problem
    return _with_powers(table.table("powers"), _with_kinds(table.table("kinds"), ruleset))


def _with_kinds(table: Table, ruleset: System) -> System:
    """The ruleset with the file's own kinds of creature, each labelled with its name if it has no label."""
    given = {key: {"label": key, **table.table(key).values} for key in table.values}
    if known := given.keys() & ruleset.kinds.keys():
        raise BadScenario(f"“{min(known)}” is a kind of {ruleset.name} already.", "kinds")
    try:
        return ruleset.with_kinds(read_kinds(given, ruleset.kinds))
    except BadOption as problem:
        raise BadScenario(f"“{problem.key}”: {problem.message}", "kinds") from problem


def _with_powers(table: Table, ruleset: System) -> System:
    """The ruleset with the file's own powers, each labelled with its name if it has no label."""
    given = {key: {"label": key.replace("_", " "), **table.table(key).values} for key in table.values}
    if known := given.keys() & ruleset.actions.keys():
        raise BadScenario(f"“{min(known)}” is an action in {ruleset.name} already.", "powers")
    try:
        return with_powers(ruleset, read_powers(given, ruleset))
    except BadOption as problem:
        raise BadScenario(f"“{problem.key}”: {problem.message}", "powers") from problem


def _options(table: Table, options: Iterable[Option]) -> dict[str, Any]:
    """The house rules. TOML has no null, so a health level without a penalty names the condition it causes."""
    levels = {option.key for option in options if option.kind is OptionKind.LEVELS}
    return {key: _levels(value) if key in levels else value for key, value in table.values.items()}


def _levels(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [[row[0], None] if isinstance(row, list) and row[1:] == [NO_ACTION] else row for row in value]


def _steps(table: Table, parties: Parties) -> tuple[Step, ...]:
    if not table.values.get("steps"):
        raise table.bad("steps", "is missing: add at least one step.")
    numbered = enumerate(table.tables("steps"), 1)
    return tuple(read_step(Table(f"step {number}", step.values), parties) for number, step in numbered)
