"""The entries of a character's lists: Backgrounds, Merits, Gifts and the like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from campaigns.words import said_anywhere
from characters.models import Character
from characters.words import merit_label, unhyphenated
from rules.model.entries import MERITS, Listing
from rules.model.system import System
from rules.model.words import as_key

Entry = tuple[str, int]
"""A name and its dots, 0 for an unrated entry."""

MOST_ENTRIES = 60
"""The maximum number of entries of a list."""


def entries_of(character: Character, ruleset: System, listing: Listing) -> list[Entry]:
    """The entries of a list. Merits include those of which the sheet knows only the key."""
    kept = kept_entries(character, listing.key)
    if listing.key != MERITS:
        return kept
    named = {key for each in ruleset.layout.lists if each.read for key in _keys(character, ruleset, each.key)}
    ticked = ticked_merits(character, ruleset)
    rest = (key for key in character.merits if key not in named and key not in ticked)
    return [*kept, *((merit_label(key, ruleset), 0) for key in rest)]


def kept_entries(character: Character, key: str) -> list[Entry]:
    """The entries that are saved under a list's key."""
    return [(str(name), int(dots)) for name, dots in character.lists.get(key, ())]


def ticked_merits(character: Character, ruleset: System) -> list[str]:
    """The Merits from the ruleset's own choice, by key, without those that a list names."""
    named = {key for each in ruleset.layout.lists if each.read for key in _keys(character, ruleset, each.key)}
    known = {merit.key for merit in ruleset.merits if merit.offered}
    return [key for key in character.merits if key in known and key not in named]


def merits_of(character: Character, ruleset: System) -> tuple[str, ...]:
    """The labels of the Merits that no list shows: all of them in a ruleset without a list of Merits."""
    listed = any(listing.key == MERITS for listing in ruleset.layout.lists)
    shown = ticked_merits(character, ruleset) if listed else character.merits
    return tuple(merit_label(key, ruleset) for key in shown)


def in_a_line(entry: Entry) -> str:
    """An entry as text: its name, and its dots if it has any."""
    name, dots = entry
    return f"{name} {dots}" if dots else name


def rated_merits(character: Character, ruleset: System) -> dict[str, int]:
    """The dots of the Merits that the lists rate, by key: the most where several entries share one."""
    read = (listing.key for listing in ruleset.layout.lists if listing.read)
    entries = [entry for key in read for entry in kept_entries(character, key) if entry[1]]
    rated: dict[str, int] = {}
    # Most sheets have none, and the names of the ruleset's own are looked up in every language.
    keys = merit_keys((name for name, _dots in entries), ruleset) if entries else ()
    for key, (_name, dots) in zip(keys, entries, strict=True):
        rated[key] = max(dots, rated.get(key, 0))
    return rated


def _keys(character: Character, ruleset: System, key: str) -> Iterable[str]:
    """The keys of what a list names, and those made from the names, which sheets may keep (:func:`read_merits`)."""
    names = [name for name, _dots in kept_entries(character, key)]
    return [*merit_keys(names, ruleset), *map(as_key, names)]


def merit_keys(names: Iterable[str], ruleset: System) -> list[str]:
    """Names as the rules know Merits and Gifts: by the key of the ruleset's own with that label in any language, else
    made from the name.
    """
    known = _known(ruleset)
    return [known.get(_bare(name)) or as_key(name) for name in names]


def read_merits(character: Character, ruleset: System) -> frozenset[str]:
    """The keys of a sheet's Merits and Gifts for the rules.

    A list's name that was saved before the ruleset had it kept the key made from the name.
    """
    read = (each.key for each in ruleset.layout.lists if each.read)
    names = [name for key in read for name, _dots in kept_entries(character, key)]
    now = dict(zip(map(as_key, names), merit_keys(names, ruleset), strict=True))
    return frozenset(now.get(key, key) for key in character.merits)


@lru_cache(maxsize=200)
def _known(ruleset: System) -> Mapping[str, str]:
    """The keys of a ruleset's own Merits and Gifts, by their names in every language."""
    return {_bare(name): key for key, label in ruleset.entries.items() for name in said_anywhere(label)}


def _bare(name: str) -> str:
    """A name for comparison, however it writes capitals, hyphens and apostrophes."""
    return as_key(unhyphenated(name))
