"""Watches what the rules cite while tests run.

A part speaks of topics, and every system that is made of it must have a rule on each (docs/decisions/0001). Whichever
system a test plays: what a method of a part or a function of the rules cites there, every other system that uses it
must be able to cite too, or the test fails on the spot. That every place that cites is run by some test, the coverage
of the rules sees to.
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
"""Where the code stands whose citing is watched: others only show what there is."""

UNCALLED = frozenset({"TurnRules.use_defence", "PoolRules._asked", "RolledDamage.of_counter"})
"""What the storytelling family inherits and never calls: no defence takes an action there, no roll has a difficulty;
and what a system inherits in which nobody parries.
Their own code would have to call it, and then a test of its own that runs it would miss the topic."""


class Uncited(AssertionError):
    """A topic that the rules speak of and a system has no rule on."""


@dataclass
class Watch:
    """What has been cited where, held against all systems that use the same code."""

    systems: tuple[System, ...]
    seen: set[tuple[CodeType, str]] = field(default_factory=set)

    def begin(self) -> None:
        """From now on the systems say what is read of their rules."""
        for system in self.systems:
            object.__setattr__(system, "cites", Cites(system.cites, self))

    def cited(self, module: str, code: CodeType, topic: str) -> None:
        """Code cites a rule; raises `Uncited` where another system that uses it has none."""
        if (code, topic) in self.seen:
            return
        self.seen.add((code, topic))
        for system in self.systems:
            if self._uses(system, module, code) and topic not in foreign(system) and topic not in set(system.cites):
                raise Uncited(f"{module}.{code.co_qualname} cites “{topic}”, on which {system.key} has no rule.")

    def _uses(self, system: System, module: str, code: CodeType) -> bool:
        """Whether code is a method that some part of a system has, or a function beside parts of it, or of nobody."""
        method = ".".join(code.co_qualname.split(".")[:2])
        holders = [each for each in self.systems if module in modules(each)]
        if any((module, method) in methods(each) for each in holders):
            return (module, method) in methods(system) and (system in holders or method not in UNCALLED)
        return system in holders or not holders


class Cites(dict[str, str]):
    """A system's rules by topic, which tells who reads them."""

    def __init__(self, cites: Mapping[str, str], watch: Watch) -> None:
        super().__init__(cites)
        self.watch = watch

    def __getitem__(self, topic: str) -> str:
        frame = sys._getframe(1)
        while frame.f_globals["__name__"] == asking.__name__ and frame.f_back:
            frame = frame.f_back  # a game, asked on somebody's behalf
        module = frame.f_globals["__name__"]
        if module.startswith(WATCHED):
            self.watch.cited(module, frame.f_code, topic)
        return super().__getitem__(topic)


@cache
def classes(system: System) -> frozenset[type]:
    """The classes of the parts that a system is made of."""
    held = (getattr(system, each.name) for each in fields(system) if "parts" in each.metadata)
    return frozenset(parts_in([*held, system.mechanic]))


def modules(system: System) -> frozenset[str]:
    """The modules of the parts that a system is made of."""
    return frozenset(each.__module__ for each in classes(system))


@cache
def methods(system: System) -> frozenset[tuple[str, str]]:
    """The methods that its parts have, inherited ones too: the module and the name with that of the class."""
    found = (getattr(each, name) for each in classes(system) for name in dir(each))
    got = (each.fget if isinstance(each, property) else each for each in found)
    return frozenset((each.__module__, each.__qualname__) for each in got if isfunction(each))


def parts_in(value: Any) -> Iterator[type]:
    """The classes of all parts in a value, however deep."""
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
    """The topics of commands that a system does not know: it never comes to what they speak of."""
    unknown: Iterable[Any] = (each for each in command_types() if not system.knows(each.cls))
    return {topic for each in unknown for topic in each.topics}
