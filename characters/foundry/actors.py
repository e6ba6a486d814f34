"""An actor from a file, opened for reading: its values and items, in the shape that the counterpart declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from characters.foundry.files import MOST_ITEMS
from characters.foundry.leaves import Leaves, bare
from characters.incoming.arrival import BadFile
from rules.model.foundry import Counterpart, ItemShape
from rules.model.system import System

FLAGS = "vesper"
"""The scope of the flags in which Vesper keeps what Foundry has no place for."""


@dataclass(slots=True)
class Item:
    """An item of the actor. ``sort`` is the type within its type, ``own`` are Vesper's flags."""

    name: str
    type: str
    sort: str
    leaves: Leaves
    own: Mapping[str, Any]
    taken: bool = False

    def is_a(self, type: str, sort: str = "") -> bool:  # noqa: A002
        """Whether it is of this type, and of this sort if one is given, and not taken yet."""
        return not self.taken and bare(self.type) == bare(type) and (not sort or bare(self.sort) == bare(sort))

    def number(self, *paths: str) -> int | None:
        return whole(self.leaves.peek(*paths))


@dataclass(slots=True)
class Actor:
    """The actor. ``told`` is its word for the kind of creature, ``own`` Vesper's flags."""

    found: Counterpart
    name: str
    told: str
    leaves: Leaves
    items: list[Item]
    own: Mapping[str, Any]
    others: Leaves = field(default_factory=lambda: Leaves({}))
    version: str = ""

    def number(self, paths: Iterable[str]) -> int | None:
        """The number at the first of these paths that has one."""
        return next((number for path in paths if (number := whole(self.leaves.peek(path))) is not None), None)

    def items_of(self, type: str, sort: str = "") -> Iterator[Item]:  # noqa: A002
        return (each for each in self.items if each.is_a(type, sort))


def whole(value: Any) -> int | None:
    """A whole number, written as one, as a decimal or as text; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        text = value.strip()
        sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
        return sign * int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None
    return value if isinstance(value, int) else None


def table(value: Any) -> Mapping[str, Any]:
    """The value, if it is an object; else an empty one."""
    return value if isinstance(value, Mapping) else {}


def open_actor(file: Mapping[str, Any], ruleset: System) -> Actor:
    """The actor in a file, of the Foundry system that is the ruleset's counterpart. Raises `BadFile`."""
    found = _counterpart(_system_of(file), ruleset)
    system = file.get("system", file.get("data"))
    if not isinstance(system, Mapping) or not isinstance(file.get("type"), str):
        raise BadFile(_("This isn’t an actor. Export a character from Foundry’s list of actors."))
    leaves, told = Leaves(system), str(file["type"])
    items = _items(file.get("items"))
    if found.kind_at:
        told = str(leaves.peek(found.kind_at) or told)
        leaves.take((found.kind_at,), leaves.peek(found.kind_at))
    for shape in found.shapes:
        if bare(shape.type) == bare(str(file["type"])):
            told = _reshape(shape, leaves, items) or told
    flags = table(file.get("flags"))
    others = Leaves({key: each for key, each in flags.items() if key not in (FLAGS, "core", "exportSource")}, "flags")
    others.add(file.get("effects") or [], "effects")
    return Actor(
        found=found,
        name=str(file.get("name") or ""),
        told=told.rpartition(".")[2],
        leaves=leaves,
        items=items,
        own=table(flags.get(FLAGS)),
        others=others,
        version=str(table(file.get("_stats")).get("systemVersion") or "")[:20],
    )


def _system_of(file: Mapping[str, Any]) -> str:
    """The Foundry system that a file is from; older versions tell it in the flags of the export."""
    stats = table(file.get("_stats"))
    source = table(table(file.get("flags")).get("exportSource"))
    told = (stats.get("systemId"), table(stats.get("exportSource")).get("systemId"), source.get("system"))
    return next((each for each in told if isinstance(each, str) and each), "")


def _counterpart(system: str, ruleset: System) -> Counterpart:
    if not system:
        raise BadFile(_("This file doesn’t say which Foundry system it is from. Export the actor from Foundry again."))
    if ruleset.foundry is None:
        raise BadFile(
            _("%(ruleset)s has no counterpart in Foundry. Bring in a character file from Vesper instead.")
            % {"ruleset": ruleset.name}
        )
    if bare(system) != bare(ruleset.foundry.id):
        raise BadFile(
            _("This character is from the Foundry system “%(system)s”. %(ruleset)s takes those of “%(wanted)s”.")
            % {"system": system[:40], "ruleset": ruleset.name, "wanted": ruleset.foundry.id}
        )
    return ruleset.foundry


def _items(found: Any) -> list[Item]:
    given = [table(each) for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []
    if len(given) > MOST_ITEMS:
        raise BadFile(
            _("This actor has %(count)s items. At most %(most)s can be brought in.")
            % {"count": len(given), "most": MOST_ITEMS}
        )
    return [
        Item(
            name=str(each.get("name") or ""),
            type=str(each.get("type") or ""),
            sort=str(table(each.get("system", each.get("data"))).get("type") or ""),
            leaves=Leaves(each.get("system", each.get("data"))),
            own=table(table(each.get("flags")).get(FLAGS)),
        )
        for each in given
    ]


def _reshape(shape: ItemShape, leaves: Leaves, items: list[Item]) -> str:
    """Bring an actor that keeps Traits as items into the usual shape. Returns its word for the kind."""
    told = next((str(value) for path in shape.kind_at if (value := leaves.peek(path))), "")
    branches = {bare(each): branch for each, branch in shape.branches.items()}
    for item in items:
        if branch := branches.get(bare(item.type)):
            key = str(item.leaves.peek("id", "reference") or item.name).replace(".", " ")
            for leaf in item.leaves.left():
                leaves.add(leaf.value, f"{branch}.{key}.{leaf.path}")
            item.taken, item.leaves = True, Leaves({})
    for path in sorted(shape.bio, key=len, reverse=True):
        for leaf in leaves.branch(path):
            # A field of the biography is a text, or an object with its text as `value`.
            leaves.add(leaf.value, ".".join(leaf.path.split(".")[path.count(".") + 1 :]).removesuffix(".value"))
    return told
