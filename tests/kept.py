"""Fixtures whose rows are built once and inserted again for the next tests: building takes longer than most tests.

Mark a fixture that creates rows, has no other side effects and returns no function:

    @pytest.fixture
    @kept
    def chronicle(storyteller): ...

The first test with a combination of such fixtures builds them; then their rows and values are noted. The next test with
the same combination gets the same rows, with the same ids, and fresh copies of the values. After `SECONDS` they are
built again, because rows contain times ("just now"). Tests that commit build their own, and so do those where anything
else writes between such fixtures.
"""

from __future__ import annotations

import copy
import functools
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

Build = TypeVar("Build", bound=Callable[..., Any])
Rows = dict[str, dict[Any, tuple[Any, ...]]]
"""For each table its rows: on SQLite by rowid, on PostgreSQL by their text."""

SECONDS = 30
MOST = 12
"""How many combinations are remembered: tests of one module use few."""


def kept(build: Build) -> Build:
    """Mark a fixture's function, below `@pytest.fixture`."""
    build.is_kept = True  # type: ignore[attr-defined]
    return build


@dataclass
class Noted:
    """What a combination of fixtures has built."""

    rows: Rows
    values: dict[Any, Any]
    clocks: tuple[float, float]

    def is_current(self) -> bool:
        """False as well where a test has stopped a clock."""
        return all(0 <= now - then < SECONDS for now, then in zip(_clocks(), self.clocks, strict=True))


@dataclass
class Test:
    """What is known of the running test: the number of changed rows after the last kept fixture, and their values."""

    combination: tuple[Any, ...]
    functions: frozenset[Any]
    missing: set[Any]
    changes: int | None = None
    before: Rows | None = None
    values: dict[Any, Any] = field(default_factory=dict)
    is_inserted: bool = False
    depth: int = 0


class KeptFixtures:
    """A plugin of pytest: see the module."""

    def __init__(self) -> None:
        self.noted: dict[tuple[Any, ...], Noted] = {}
        self.mixed = set[tuple[Any, ...]]()
        """Combinations between whose fixtures something else writes."""
        self.test: Test | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self.test = None
        if isinstance(item, pytest.Function) and not _commits(item):
            combination, functions = _combination(item)
            self.test = (
                Test(combination, frozenset(functions), functions)
                if functions and combination not in self.mixed
                else None
            )

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: pytest.FixtureRequest) -> Iterator[None]:
        test, function = self.test, fixturedef.func
        if fixturedef.argname == "_django_db_helper":
            result = yield
            if test:
                test.changes = _changes()
            return result
        # Those that a test asks for while it runs aren't in its combination.
        if test is None or test.changes is None or function not in test.functions:
            return (yield)
        if test.before is None and not test.is_inserted:
            self._begin(test)
        if test.is_inserted and function in test.values:
            value = test.values[function]
            fixturedef.func = lambda **_arguments: value
            try:
                return (yield)
            finally:
                fixturedef.func = function
        if not test.depth and _changes() != test.changes:
            self.mixed.add(test.combination)
            self.test = None
            return (yield)
        test.depth += 1
        try:
            test.values[function] = result = yield
        finally:
            test.depth -= 1
            test.changes = _changes()
        test.missing.discard(function)
        if not test.missing and not test.is_inserted and not test.depth:
            self._note(test)
        return result

    def _begin(self, test: Test) -> None:
        noted = self.noted.get(test.combination)
        if _changes() == test.changes and noted and noted.is_current():
            _forget()
            _insert(noted.rows)
            test.values, test.is_inserted, test.changes = _copied(noted.values), True, _changes()
        else:
            test.before = _rows()

    def _note(self, test: Test) -> None:
        assert test.before is not None
        after = _rows()
        if any(before.keys() - after[table].keys() for table, before in test.before.items()):
            return  # deleted rows, or on PostgreSQL changed ones
        new = {
            table: {number: row for number, row in rows.items() if test.before[table].get(number) != row}
            for table, rows in after.items()
        }
        self.noted.pop(test.combination, None)
        self.noted[test.combination] = Noted(new, _copied(test.values), _clocks())
        if len(self.noted) > MOST:
            del self.noted[next(iter(self.noted))]


def _commits(item: pytest.Function) -> bool:
    marker = item.get_closest_marker("django_db")
    options = marker.kwargs if marker else {}
    return bool(options.get("transaction") or options.get("databases")) or "transactional_db" in item.fixturenames


def _combination(item: pytest.Function) -> tuple[tuple[Any, ...], set[Any]]:
    """The functions of a test's kept fixtures and of all that these ask for, with their parameters; and the former."""
    found = {name: _in_use(name, item._fixtureinfo.name2fixturedefs) for name in item._fixtureinfo.names_closure}
    functions, asked = set(), set()
    for name, definitions in found.items():
        for each in definitions:
            if getattr(each.func, "is_kept", False):
                functions.add(each.func)
                asked |= {name, *each.argnames}
    more = asked
    while more := {arg for name in more for each in found.get(name, ()) for arg in each.argnames} - asked:
        asked |= more
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    key = tuple((each.func, repr(parameters.get(name))) for name in sorted(asked) for each in found.get(name, ()))
    return key, functions


def _in_use(name: str, definitions: Any) -> list[Any]:
    """The fixtures of a name that a test gets: the nearest, and those that it overrides if it asks for them."""
    used = []
    for each in reversed(definitions.get(name, ())):
        used.append(each)
        if name not in each.argnames:
            break
    return used


def _clocks() -> tuple[float, float]:
    return time.time(), timezone.now().timestamp()


def _changes() -> int:
    """How many rows this transaction has written so far."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        return int(connection.connection.total_changes)
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_xact_user_tables")
        return int(cursor.fetchone()[0] or 0)


def _rows() -> Rows:
    columns = "rowid, *" if connection.vendor == "sqlite" else "each::text"
    with connection.cursor() as cursor:
        found = {}
        for table in _tables():
            cursor.execute(f'SELECT {columns} FROM "{table}" AS each')
            found[table] = {row[0]: row for row in cursor.fetchall()}
        return found


@functools.cache
def _tables() -> list[str]:
    return connection.introspection.table_names()


def _insert(new: Rows) -> None:
    for table, rows in new.items():
        if not rows:
            continue
        if connection.vendor == "sqlite":
            marks = ", ".join("?" * len(next(iter(rows.values()))))
            names = ", ".join(("rowid", *_columns(table)))
            insert = f'INSERT OR REPLACE INTO "{table}" ({names}) VALUES ({marks})'
            connection.connection.executemany(insert, list(rows.values()))
        else:
            with connection.cursor() as cursor:
                insert = f'INSERT INTO "{table}" SELECT (each::"{table}").* FROM unnest(%s::text[]) AS each'
                cursor.execute(insert, [list(rows)])


@functools.cache
def _columns(table: str) -> list[str]:
    with connection.cursor() as cursor:
        return [f'"{column.name}"' for column in connection.introspection.get_table_description(cursor, table)]


def _copied(values: dict[Any, Any]) -> dict[Any, Any]:
    from rules.systems import RULESETS

    # Rulesets are compared by identity.
    return copy.deepcopy(values, {id(each): each for each in (RULESETS, *RULESETS.values())})


def _forget() -> None:
    """Empty the caches, and with them the rate limits: they count on a fight never going back to an earlier version."""
    from combat.live import consumers

    for found in _caches(len(sys.modules)):
        found._items.clear()
    consumers._open.clear()
    cache.clear()


@functools.lru_cache(1)
def _caches(_modules: int) -> list[Any]:
    from combat.cache import Kept

    ours = [module for name, module in list(sys.modules.items()) if name.startswith(("combat.", "story."))]
    return [each for module in ours for each in vars(module).values() if isinstance(each, Kept)]
