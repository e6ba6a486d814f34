"""Checks, while tests run, that every system can cite what the shared rules cite.

Parts cite topics, and every system that uses a part must have a rule for each (docs/decisions/0001). When any test runs
a part's method or a function of the rules that cites a topic, every other system that uses the same code must be able
to cite it too, or the test fails at once. The rules' full coverage ensures that every citation is run by some test.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from inspect import isfunction
from types import CodeType
from typing import Any

from rules.engine.messages import command_types
from rules.model import system as asking
from rules.model.system import System

WATCHED = ("rules.", "tests.")
"""Packages whose citations are checked; other code only displays."""

UNCALLED = frozenset({"TurnRules.use_defence", "PoolRules._asked", "RolledDamage.of_counter"})
"""What the storytelling family inherits and never calls: no defence takes an action there, no roll has a difficulty;
and what a system inherits in which nobody parries.
Their own code would have to call it, and then a test of its own that runs it would miss the topic."""


class Uncited(AssertionError):
    """The rules cite a topic for which a system has no rule."""


@dataclass
class Watch:
    """Records what is cited where, and checks it against all systems that use the same code."""

    systems: tuple[System, ...]
    seen: set[tuple[CodeType, str]] = field(default_factory=set)

    def begin(self) -> None:
        """From now on, systems report the rules read from them."""
        for system in self.systems:
            object.__setattr__(system, "cites", Cites(system.cites, self))

    def cited(self, module: str, code: CodeType, topic: str) -> None:
        """Called when code cites a rule; raises `Uncited` if another system that uses the code has none."""
        if (code, topic) in self.seen:
            return
        self.seen.add((code, topic))
        for system in self.systems:
            if self._uses(system, module, code) and topic not in foreign(system) and topic not in set(system.cites):
                raise Uncited(f"{module}.{code.co_qualname} cites “{topic}”, on which {system.key} has no rule.")

    def _uses(self, system: System, module: str, code: CodeType) -> bool:
        """Whether the code is a method of one of the system's parts, a function in a part's module, or independent of
        parts."""
        method = ".".join(code.co_qualname.split(".")[:2])
        holders = [each for each in self.systems if module in modules(each)]
        if any((module, method) in methods(each) for each in holders):
            return (module, method) in methods(system) and (system in holders or method not in UNCALLED)
        return system in holders or not holders


class Cites(dict[str, str]):
    """A system's rules by topic, which report their reader."""

    def __init__(self, cites: Mapping[str, str], watch: Watch) -> None:
        super().__init__(cites)
        self.watch = watch

    def __getitem__(self, topic: str) -> str:
        frame = sys._getframe(1)
        while frame.f_globals["__name__"] == asking.__name__ and frame.f_back:
            frame = frame.f_back  # a game
        module = frame.f_globals["__name__"]
        if module.startswith(WATCHED):
            self.watch.cited(module, frame.f_code, topic)
        return super().__getitem__(topic)


@cache
def classes(system: System) -> frozenset[type]:
    """The classes of a system's parts."""
    held = (getattr(system, each.name) for each in fields(system) if "parts" in each.metadata)
    return frozenset(parts_in([*held, system.mechanic]))


def modules(system: System) -> frozenset[str]:
    """The modules of a system's parts."""
    return frozenset(each.__module__ for each in classes(system))


@cache
def methods(system: System) -> frozenset[tuple[str, str]]:
    """The methods of its parts, inherited ones included: module and qualified name."""
    found = (getattr(each, name) for each in classes(system) for name in dir(each))
    got = (each.fget if isinstance(each, property) else each for each in found)
    return frozenset((each.__module__, each.__qualname__) for each in got if isfunction(each))


def parts_in(value: Any) -> Iterator[type]:
    """The classes of all parts in a value, recursively."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from parts_in(each)
    elif is_dataclass(value) and not isinstance(value, type):
        yield type(value)
        for each in fields(value):
            if each.name != "system":
                yield from parts_in(getattr(value, each.name))


def foreign(system: System) -> set[str]:
    """The topics of commands that a system lacks, and so never reaches."""
    unknown: Iterable[Any] = (each for each in command_types() if not system.knows(each.cls))
    return {topic for each in unknown for topic in each.topics}
