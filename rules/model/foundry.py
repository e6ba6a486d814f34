"""A system's counterpart in Foundry VTT: which Foundry system plays the same game, and where its actors keep what.

Data only, declared by the systems. A path is the keys from the actor's (or item's) `system` on, joined by dots; the
first of several is written, the others are where different versions keep the value. Readers compare keys without
case, spaces and punctuation, so that `animalken` is `animal_ken`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.model.sheet import Layout

Paths = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TraitPlace:
    """Where a Trait's dots are, on actors of these ``kinds`` (empty: all).

    ``special`` is the path of its specialties. ``beside`` is what else Foundry needs there, by path. With ``mod``,
    Foundry works the dots out as ``base`` plus the number there, unless that is 0.
    """

    trait: str
    paths: Paths
    special: str = ""
    kinds: frozenset[str] = frozenset()
    beside: Mapping[str, Any] = field(default_factory=dict)
    mod: str = ""
    base: int = 0


@dataclass(frozen=True, slots=True)
class ResourcePlace:
    """Where the current points of a resource are, and their maximum."""

    resource: str
    paths: Paths
    most: str = ""


@dataclass(frozen=True, slots=True)
class DetailPlace:
    """Where a detail of the identity is. ``words`` are Foundry's ids for some of its texts, by the sheet's text."""

    detail: str
    paths: Paths
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TraitItems:
    """Items that are Traits of a section without a place of their own, by name: a sort for each of its groups.

    A name that is no Trait is an entry of the list ``listing``, if there is one. Some shapes of actors keep them below
    ``branch`` instead.
    """

    section: str
    type: str
    sorts: tuple[str, ...]
    branch: str = ""
    dots: str = "value"
    special: str = ""
    listing: str = ""
    beside: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ListItems:
    """Items of a type (and sort) that are the entries of a list. Dots are written as text if ``as_text``."""

    listing: str
    type: str
    sort: str = ""
    dots: str = "level"
    as_text: bool = False
    beside: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ListBranch:
    """A branch of the actor that holds entries of a list: a key each, with ``dots`` and perhaps a ``label``.

    Entries are written to the one that is ``written``.
    """

    listing: str
    path: str
    dots: str = "value"
    label: str = "label"
    written: bool = False


@dataclass(frozen=True, slots=True)
class GearItems:
    """Items that are weapons, or armour (``armor``).

    ``columns`` are the paths of the tables' columns; `range` holds one distance or several, as a number or as text.
    ``modes`` are the words at ``mode_at`` that name a mode; otherwise it is ``mode``. Those with ``natural`` set are
    parts of the body, which the rules know. ``rounds`` is the path of the loaded rounds.
    """

    type: str
    mode: str = ""
    armor: bool = False
    columns: Mapping[str, Paths] = field(default_factory=dict)
    mode_at: str = ""
    modes: Mapping[str, str] = field(default_factory=dict)
    natural: str = ""
    rounds: Paths = ()


@dataclass(frozen=True, slots=True)
class Harm:
    """Where damage is counted.

    If ``inverted``, the numbers are boxes that are left: of all, without aggravated damage; of these, without lethal
    damage; of these, unhurt (``bashing``).
    """

    bashing: str
    lethal: str
    aggravated: str
    most: str = ""
    inverted: bool = False

    def counts(self, numbers: tuple[int | None, int | None, int | None], most: int) -> tuple[int, int, int]:
        """The bashing, lethal and aggravated boxes of ``most`` that the numbers at these places mean.

        A missing number is no damage.
        """
        bashing, lethal, aggravated = numbers
        if not self.inverted:
            return max(0, bashing or 0), max(0, lethal or 0), max(0, aggravated or 0)
        whole = most if aggravated is None else min(aggravated, most)
        sound = whole if lethal is None else min(lethal, whole)
        unhurt = sound if bashing is None else min(bashing, sound)
        return max(0, sound - max(0, unhurt)), max(0, whole - max(0, sound)), max(0, most - max(0, whole))

    def numbers(self, bashing: int, lethal: int, aggravated: int, most: int) -> dict[str, int]:
        """What is written for these boxes, by path."""
        if not self.inverted:
            return {self.bashing: bashing, self.lethal: lethal, self.aggravated: aggravated}
        whole = most - aggravated
        return {
            self.aggravated: whole,
            self.lethal: whole - lethal,
            self.bashing: whole - lethal - bashing,
            self.most: most,
        }


@dataclass(frozen=True, slots=True)
class ItemShape:
    """A shape of the actor that keeps Traits as items: how it becomes the usual one.

    ``kind_at`` are the paths that tell the kind. Items of the types in ``branches`` are read as branches of the actor,
    each under its id or name. The branches in ``bio`` are read as if they were the actor itself.
    """

    type: str
    kind_at: Paths
    branches: Mapping[str, str]
    bio: Paths = ()


@dataclass(frozen=True, slots=True)
class Counterpart:
    """The Foundry system that plays the same game, by its id there.

    ``kinds`` pairs Foundry's word for a kind of creature with the system's, the one to write first; it is the actor's
    type, or at ``kind_at`` with ``actor_type`` as the type. ``quiet`` are keys without any information about the
    character (settings, labels, what Foundry derives): a path's beginning, or with `*.` a key anywhere.
    """

    id: str
    name: str
    kinds: tuple[tuple[str, str], ...]
    traits: tuple[TraitPlace, ...]
    resources: tuple[ResourcePlace, ...]
    details: tuple[DetailPlace, ...]
    harm: Harm
    concept: Paths = ("concept",)
    notes: str = "notes"
    actor_type: str = ""
    kind_at: str = ""
    listed_specialties: bool = False
    trait_items: tuple[TraitItems, ...] = ()
    list_items: tuple[ListItems, ...] = ()
    list_branches: tuple[ListBranch, ...] = ()
    gear: tuple[GearItems, ...] = ()
    shapes: tuple[ItemShape, ...] = ()
    quiet: frozenset[str] = frozenset()
    always: Mapping[str, Any] = field(default_factory=dict)

    def word_for(self, kind: str) -> str:
        """Foundry's word for a kind of creature, that of mortals for one it doesn't know."""
        words = {mine: word for word, mine in reversed(self.kinds)}
        return words.get(kind) or words["mortal"]

    def place_of(self, trait: str, kind: str) -> TraitPlace | None:
        """Where a Trait is, on actors of this kind."""
        mine = (each for each in self.traits if each.trait == trait and (not each.kinds or kind in each.kinds))
        return next(mine, None)


def faults(found: Counterpart | None, layout: Layout, kinds: Mapping[str, object]) -> Iterator[str]:
    """What a counterpart, if there is one, names that the system's sheets don't have, a sentence each.

    For the tests of a system's authors: readers pass over such places, so a system that changes another one's sheet may
    keep its counterpart.
    """
    if found is None:
        return
    sections = {section.key: section for section in layout.sections}
    named = {
        "Trait": ({each.trait for each in found.traits}, {trait.key for trait in layout.traits()}),
        "resource": ({each.resource for each in found.resources}, {each.key for each in layout.resources}),
        "detail": ({each.detail for each in found.details}, {each.key for each in layout.details}),
        "section": ({each.section for each in found.trait_items}, set(sections)),
        "list": (
            {
                *(each.listing for each in found.trait_items if each.listing),
                *(each.listing for each in found.list_items),
                *(each.listing for each in found.list_branches),
            },
            {each.key for each in layout.lists},
        ),
        "kind": ({kind for _word, kind in found.kinds}, set(kinds)),
    }
    for what, (wanted, there) in named.items():
        for key in sorted(wanted - there):
            yield f"its Foundry counterpart names the {what} “{key}”, which its sheets don't have."
    if "mortal" not in {kind for _word, kind in found.kinds}:
        yield "its Foundry counterpart has no word for the kind “mortal”."
    for each in found.trait_items:
        if each.section in sections and len(each.sorts) != len(sections[each.section].groups):
            yield f"its Foundry counterpart doesn't name a sort of item for each group of “{each.section}”."
