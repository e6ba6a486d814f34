"""Items of an actor as the lists of a sheet, and as the Traits that are items there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from campaigns.words import said, said_anywhere
from characters.foundry.actors import Item, whole
from characters.foundry.draft import Draft
from characters.foundry.leaves import Leaf, bare
from characters.foundry.texts import line
from characters.listings import MOST_ENTRIES, Entry, in_a_line
from characters.words import unhyphenated
from rules.model.entries import Listing
from rules.model.foundry import ListBranch, TraitItems
from rules.model.sheet import Trait
from rules.model.words import as_key


@dataclass(slots=True)
class Lists:
    """The entries of the lists, the items that are Traits by the Trait's key, and the keys of ticked Merits."""

    entries: dict[str, list[Entry]] = field(default_factory=dict)
    named: dict[str, Item] = field(default_factory=dict)
    ticked: list[str] = field(default_factory=list)


def read_items(draft: Draft) -> Lists:
    """What the actor's items are on the sheet, apart from gear."""
    lists, found = Lists(), draft.actor.found
    mine = {each.key: each for each in draft.ruleset.layout.lists_for(draft.kind)}
    offered = {merit.key for merit in draft.ruleset.merits if merit.offered}
    for item in draft.actor.items:
        ticked = item.own.get("merit")
        if not item.taken and isinstance(ticked, str) and ticked in offered:
            lists.ticked.append(ticked)
            item.taken = True
    for traits in found.trait_items:
        _read_traits(draft, lists, traits, mine)
    for each in found.list_items:
        for item in list(draft.actor.items_of(each.type, each.sort)) if each.listing in mine else ():
            _add_item(lists, mine[each.listing], item, (each.dots,))
    return lists


def read_branches(draft: Draft, lists: Lists) -> None:
    """Add the entries that are branches of the actor, and account for all lists."""
    mine = {each.key: each for each in draft.ruleset.layout.lists_for(draft.kind)}
    for branch in draft.actor.found.list_branches:
        if branch.listing in mine:
            _read_branch(draft, lists, branch, mine[branch.listing])
    written = draft.actor.own.get("lists")
    for key, listing in mine.items():
        for entry in written.get(key, ()) if isinstance(written, dict) and isinstance(written.get(key), list) else ():
            if isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str):
                _add(lists, listing, entry[0], whole(entry[1]) or 0)
        draft.accept(said(listing.label), ", ".join(map(in_a_line, lists.entries.get(key, ()))))


def _read_traits(draft: Draft, lists: Lists, traits: TraitItems, mine: Mapping[str, Listing]) -> None:
    names = _names(draft, traits)
    for sort in traits.sorts:
        for item in list(draft.actor.items_of(traits.type, sort)):
            key = names.get(bare(item.name))
            if key and key not in lists.named:
                lists.named[key] = item
            elif not key and traits.listing in mine:
                _add_item(lists, mine[traits.listing], item, (traits.dots,))


def _names(draft: Draft, traits: TraitItems) -> dict[str, str]:
    """The keys of a section's Traits that are items, by all names that a file may use."""
    every = dict.fromkeys((trait.key for trait in draft.ruleset.layout.traits() if not trait.own), 1)
    sections = draft.ruleset.layout.for_kind(draft.kind, every)
    groups = (group for section in sections if section.key == traits.section for group in section.groups)
    items = [trait for group in groups for trait in group.traits if not _is_placed(draft, trait)]
    return {name: trait.key for trait in items for name in labels_of(trait)}


def _is_placed(draft: Draft, trait: Trait) -> bool:
    return draft.actor.found.place_of(trait.key, draft.kind) is not None


def labels_of(trait: Trait) -> set[str]:
    """What a file may call a Trait, for comparison: its key, and its names in every language."""
    said_so = {bare(unhyphenated(each)) for name in trait.names for each in said_anywhere(name)}
    return {each for each in (*said_so, bare(trait.key)) if each}


def _add_item(lists: Lists, listing: Listing, item: Item, paths: Iterable[str]) -> None:
    """Add an item as an entry. One that had to be changed stays in the notes too."""
    at = next((path for path in paths if item.leaves.peek(path) is not None), "")
    dots = whole(item.leaves.peek(at)) if at else 0
    if _add(lists, listing, item.name, dots or 0) and dots is not None:
        item.taken = True
        item.leaves.branch(at) if at else None


def _add(lists: Lists, listing: Listing, name: str, dots: int) -> bool:
    """Add an entry, within what lists hold. Returns whether it is there unchanged."""
    text = line(name)
    entries = lists.entries.setdefault(listing.key, [])
    if not text or (listing.read and not as_key(text)) or len(entries) >= MOST_ENTRIES:
        return False
    fits = min(max(dots, 0), listing.most)
    entries.append((text, fits))
    return text == name.strip() and fits == dots


def _read_branch(draft: Draft, lists: Lists, branch: ListBranch, listing: Listing) -> None:
    placed = {bare(path.split(".")[-2]) for each in draft.actor.found.traits for path in each.paths if "." in path}
    depth = branch.path.count(".") + 1
    keys: dict[str, list[Leaf]] = {}
    for leaf in draft.actor.leaves.below(branch.path):
        keys.setdefault(leaf.path.split(".")[depth], []).append(leaf)
    for key in keys:
        at = f"{branch.path}.{key}"
        label, dots = draft.actor.leaves.peek(f"{at}.{branch.label}"), draft.actor.number((f"{at}.{branch.dots}",))
        name = label if isinstance(label, str) else _words(key)
        listed = dots or (branch.written and isinstance(label, str))
        if listed and bare(key) not in placed and _add(lists, listing, name, dots or 0):
            draft.actor.leaves.branch(at)


def _words(key: str) -> str:
    """A key in words: “thebanSorcery” is “Theban Sorcery”."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", key)
    return " ".join(word[:1].upper() + word[1:] for word in spaced.split())
