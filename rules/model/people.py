"""Ready-made people of a ruleset: its example characters and the antagonists of its library.

They are data beside the rulebook, `examples/KEY.toml` and `templates/KEY.toml` in the ruleset's package, one table for
each person; `docs/systems.md` explains the fields. A language's folder holds the same paths with nothing but texts: a
table for each person's key, with `name`, `plural`, `concept` and `notes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rules.model.pools import HEALTH, MOST_BOXES, MOST_POOL, labels
from rules.model.system import System
from rules.rulebook import optional, translated

EXAMPLES, TEMPLATES = "examples", "templates"
"""The shelves: player characters to adapt, and antagonists."""


@dataclass(frozen=True, slots=True)
class Item:
    """A weapon or armour: its name in the shipped tables, the person's own name for it, and its rounds (full)."""

    item: str
    name: str = ""
    rounds: int | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """One ready-made person.

    ``traits`` are the dots that differ from the layout's defaults, ``resources`` the current points that are not full.
    ``specialties`` are named by Trait, ``lists`` hold entries as (name, dots).
    ``pools`` are fixed ones and the number of health boxes (:mod:`rules.model.pools`). ``plural`` is the name of
    several if it is not formed as usual.
    """

    key: str
    name: str
    kind: str
    concept: str = ""
    traits: Mapping[str, int] = field(default_factory=dict)
    resources: Mapping[str, int] = field(default_factory=dict)
    merits: tuple[str, ...] = ()
    specialties: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lists: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    weapons: tuple[Item, ...] = ()
    armor: tuple[Item, ...] = ()
    notes: str = ""
    pools: Mapping[str, int] = field(default_factory=dict)
    plural: str = ""


def people(system: System, shelf: str, language: str = "") -> tuple[Person, ...]:
    """The people on a shelf in a language, in the file's order; none if the ruleset's package has no such file."""
    return _read(system.key, system.book.package, shelf, language)


@cache
def _read(key: str, package: str, shelf: str, language: str) -> tuple[Person, ...]:
    path = (shelf, f"{key}.toml")
    said = translated(package, language, *path)
    return tuple(_person(each | said.get(each["key"], {})) for each in optional(package, *path).get("person", []))


def _person(written: Mapping[str, Any]) -> Person:
    return Person(
        **{
            **written,
            "merits": tuple(written.get("merits", ())),
            "weapons": _items(written.get("weapons", ())),
            "armor": _items(written.get("armor", ())),
        }
    )


def _items(written: Iterable[Mapping[str, Any]]) -> tuple[Item, ...]:
    return tuple(Item(**each) for each in written)


def faults(system: System, person: Person) -> Iterator[str]:
    """What is wrong with a person, a sentence each, for the authors of data files; gear is checked with its tables."""
    if person.kind not in system.kinds:
        yield f"{person.key}: there is no kind of creature “{person.kind}”."
    traits = {trait.key: trait for trait in system.layout.traits_for(person.kind)}
    for key, dots in person.traits.items():
        if key not in traits:
            yield f"{person.key}: its kind has no Trait “{key}”."
        elif not traits[key].minimum <= dots <= traits[key].maximum:
            yield f"{person.key}: {key} is {dots}, not {traits[key].minimum} to {traits[key].maximum}."
    every = {trait.key: trait.default for trait in system.layout.traits()} | dict(person.traits)
    resources = {resource.key: resource for resource in system.layout.resources_for(person.kind)}
    for key, points in person.resources.items():
        if key not in resources:
            yield f"{person.key}: its kind has no points of “{key}”."
        elif not 0 <= points <= resources[key].maximum(every):
            yield f"{person.key}: {key} is {points}, not 0 to {resources[key].maximum(every)}."
    most = dict.fromkeys(labels(system), MOST_POOL)
    if system.health.one_by_one is None:
        most[HEALTH] = MOST_BOXES
    for key, dice in person.pools.items():
        if key not in most:
            yield f"{person.key}: there is no pool “{key}”."
        elif not int(key == HEALTH) <= dice <= most[key]:
            yield f"{person.key}: the pool {key} is {dice}, not {int(key == HEALTH)} to {most[key]}."
