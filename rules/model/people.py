"""Ready-made people of a ruleset: its example characters and the antagonists of its library.

They are data beside the rulebook, `examples/KEY.toml` and `templates/KEY.toml` in the ruleset's package, one table for
each person; `docs/systems.md` explains the fields. A language's folder holds the same paths with nothing but texts: a
table for each person's key, with `name`, `plural`, `concept` and `notes`, and with the `details`, `lists` and
`specialties` that aren't the layout's suggestions, which have translations of their own.
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
    ``details`` are the identity's texts, ``specialties`` the names for each Trait, ``lists`` the entries (name, dots)
    of each list. ``pools`` are fixed ones and the number of health boxes (:mod:`rules.model.pools`). ``plural`` is the
    name of several if it is not formed as usual.
    """

    key: str
    name: str
    kind: str
    concept: str = ""
    traits: Mapping[str, int] = field(default_factory=dict)
    resources: Mapping[str, int] = field(default_factory=dict)
    merits: tuple[str, ...] = ()
    details: Mapping[str, str] = field(default_factory=dict)
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
    return tuple(_person(each, said.get(each["key"], {})) for each in optional(package, *path).get("person", []))


def _person(known: Mapping[str, Any], said: Mapping[str, Any]) -> Person:
    tables = {name: {**known.get(name, {}), **said.get(name, {})} for name in ("details", "lists", "specialties")}
    written = {**known, **said, **tables}
    return Person(
        **{
            **written,
            "lists": {key: tuple((name, dots) for name, dots in entries) for key, entries in written["lists"].items()},
            "specialties": {key: tuple(names) for key, names in written["specialties"].items()},
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
    yield from _entry_faults(system, person)
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


def _entry_faults(system: System, person: Person) -> Iterator[str]:
    layout = system.layout
    details = {detail.key: detail.lines for detail in layout.details_for(person.kind)}
    for key, text in person.details.items():
        if key not in details:
            yield f"{person.key}: its kind has no “{key}”."
        elif len(text.splitlines()) > details[key]:
            yield f"{person.key}: {key} has more lines than {details[key]}."
    lists = {listing.key: listing.most for listing in layout.lists_for(person.kind)}
    for key, entries in person.lists.items():
        if key not in lists:
            yield f"{person.key}: its kind has no list “{key}”."
        elif any(not 0 <= dots <= lists[key] for _name, dots in entries):
            yield f"{person.key}: {key} has an entry with dots that aren't 0 to {lists[key]}."
    special = {trait.key for trait in layout.special_traits(person.kind)}
    for key in person.specialties.keys() - special:
        yield f"{person.key}: there are no specialties in “{key}”."
