"""Registry of systems: loads and checks entry points one by one; each is admitted or rejected with a reason.

Declarations of a rejected package are rolled back, so other systems play as if it were not installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from importlib.metadata import EntryPoint
from typing import Any

from rules.engine.messages import all_or_nothing
from rules.model.kinds import Kind
from rules.model.sheet import Layout
from rules.model.system import AttackRules, Initiative, Mechanic, Pools, System, Track, Turns
from rules.rulebook import Rulebook

KEY = re.compile(r"[a-z][a-z0-9_]{0,29}")
"""Keys that are valid in URLs and in a chronicle's row."""

PARTS: Mapping[str, type] = {
    "mechanic": Mechanic,
    "pools": Pools,
    "initiative": Initiative,
    "turns": Turns,
    "attack": AttackRules,
    "health": Track,
}
"""The parts of a system, and the protocol of each."""


class BadSystem(ValueError):
    """An unplayable system; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rejected system: its key, the package that registers it, and the reason."""

    key: str
    package: str
    reason: str


def admit(
    built_in: Iterable[EntryPoint], others: Iterable[EntryPoint]
) -> tuple[dict[str, System], tuple[Rejected, ...]]:
    """Playable systems by key, and the rejected ones; raises for a rejected built-in one."""
    systems: dict[str, System] = {}
    rejected = []
    for point in built_in:
        systems[point.name] = _load(point, systems)
    for point in sorted(others, key=lambda each: (_package(each), each.name)):
        try:
            systems[point.name] = _load(point, systems)
        except BadSystem as problem:
            rejected.append(Rejected(point.name, _package(point), str(problem)))
        except Exception as problem:  # A third-party package may raise anything; the other systems must still load.
            reason = f"it could not be loaded: {type(problem).__name__}: {problem}"
            rejected.append(Rejected(point.name, _package(point), reason))
    return systems, tuple(rejected)


def _package(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "Vesper"


def _load(point: EntryPoint, known: Mapping[str, System]) -> System:
    with all_or_nothing():
        if point.name in known:
            raise BadSystem(f"there is a system with the key “{point.name}” already.")
        found = point.load()
        if not isinstance(found, System):
            raise BadSystem(f"“{point.value}” is {type(found).__name__}, not System.")
        if found.key != point.name:
            raise BadSystem(f"its key is “{found.key}”, but it is registered as “{point.name}”.")
        for reason in _faults(found, known):
            raise BadSystem(reason)
        return found


def _faults(system: System, known: Mapping[str, System]) -> Iterator[str]:
    """The faults of a system, one reason each."""
    if not KEY.fullmatch(system.key):
        yield f"its key “{system.key}” is not 1 to 30 small letters, digits and underscores, a letter first."
    for name, wanted in (("book", Rulebook), ("layout", Layout)):
        if not isinstance(getattr(system, name), wanted):
            yield f"its {name} is {type(getattr(system, name)).__name__}, not {wanted.__name__}."
    for name, protocol in PARTS.items():
        part = getattr(system, name)
        for member in vars(protocol):
            if not member.startswith("_") and member not in dir(part):
                yield f"its {name} ({type(part).__name__}) has no “{member}”."
    for key, kind in system.kinds.items():
        if not isinstance(kind, Kind) or kind.key != key:
            yield f"its kind of creature “{key}” is not a Kind of that key."
    if "mortal" not in system.kinds:
        yield "it has no kind of creature “mortal”."
    for other in known.values():
        if other.book.prefix == system.book.prefix:
            yield f"{other.name} has rules with the prefix “{system.book.prefix}” already."
        for rule in system.book.rules.keys() & other.book.rules.keys():
            yield f"{other.name} has a rule {rule} already."
    yield from _cited(system)
    system.with_options({})
    system.ready_rolls()


def _cited(system: System) -> Iterator[str]:
    """Rules that a system cites for something but its rulebook lacks."""
    answers = {rule: f"the answer to “{key}”" for key, each in system.book.answers().items() for rule in each.rules}
    topics = {rule: f"the topic “{topic}”" for topic, rule in system.cites.items()}
    for rule, where in [*answers.items(), *topics.items(), *_rules_in(system, set())]:
        if rule not in system.book.rules:
            yield f"its rulebook has no rule {rule}, which {where} cites."


def _rules_in(value: Any, met: set[int]) -> Iterator[tuple[str, str]]:
    """Every ``rule`` in a system's parts, with its location."""
    if id(value) in met:
        return
    met.add(id(value))
    if isinstance(value, Mapping):
        value = tuple(value.values())
    if isinstance(value, tuple):
        for each in value:
            yield from _rules_in(each, met)
    elif is_dataclass(value) and not isinstance(value, Rulebook | type):
        rule = getattr(value, "rule", "")
        if isinstance(rule, str) and rule:
            yield rule, f"{type(value).__name__} “{getattr(value, 'key', '') or getattr(value, 'label', '')}”"
        for each in fields(value):
            yield from _rules_in(getattr(value, each.name), met)
