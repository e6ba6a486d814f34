"""The fields of a sheet's lists, generated from the ruleset's layout: `list-gifts-0-name` and `list-gifts-0-dots`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _now

from campaigns.forms.fields import number
from campaigns.words import said
from characters.forms.fields import one_line
from characters.forms.sheet_fields import Fields
from characters.listings import MOST_ENTRIES, entries_of
from characters.models import Character
from rules.model.entries import Listing
from rules.model.system import System
from rules.model.words import as_key

SPARE = 2
"""Blank rows at the end of a list."""

ADD = "add-entry"
"""The button that adds rows to the list whose key is its value."""


def listing_fields(ruleset: System, kind: str, character: Character | None, data: Mapping[str, Any]) -> Fields:
    """Name and dots of each entry, with blank rows. Lists that the kind of creature lacks are hidden."""
    mine = set(ruleset.layout.lists_for(kind))
    fields: Fields = {}
    for listing in ruleset.layout.lists:
        saved = entries_of(character, ruleset, listing) if character else []
        spare = SPARE if listing in mine else 0
        for place in range(rows_wanted(f"list-{listing.key}", listing.key, len(saved) + spare, data)):
            name, dots = saved[place] if place < len(saved) else ("", 0)
            fields.update(_row(listing, place, name, dots, hidden=listing not in mine))
    return fields


def rows_wanted(prefix: str, key: str, usual: int, data: Mapping[str, Any]) -> int:
    """As many rows of fields `prefix`-NUMBER-name as were submitted, and more if a button asked for them by `key`."""
    found = (re.fullmatch(rf"{re.escape(prefix)}-([0-9]{{1,3}})-name", name) for name in data)
    typed = [int(match[1]) + 1 for match in found if match]
    more = SPARE if data.get(ADD) == key else 0
    return min(max(typed) + more, MOST_ENTRIES + SPARE) if typed else usual + more


def _row(listing: Listing, place: int, name: str, dots: int, *, hidden: bool) -> Fields:
    attributes = {"autocomplete": "off", "list": suggestions_of(listing)}
    label = f"{said(listing.label)} {place + 1}"
    named = one_line(label, widget=forms.TextInput(attrs={key: text for key, text in attributes.items() if text}))
    rated = number(_now("Dots of %(entry)s") % {"entry": label}, 0, listing.most, required=False)
    if hidden:
        named.widget, rated.widget = forms.HiddenInput(), forms.HiddenInput()
    named.initial, rated.initial = name, dots or None
    return dict(zip(names_of(listing, place), (named, rated), strict=True))


def suggestions_of(listing: Listing) -> str:
    """The id of the list of suggestions, "" for a list without any."""
    return f"known-{listing.key}" if listing.known else ""


def names_of(listing: Listing, place: int) -> tuple[str, str]:
    """The names of the fields of an entry."""
    return f"list-{listing.key}-{place}-name", f"list-{listing.key}-{place}-dots"


def rows_of(form: forms.Form, listing: Listing) -> Iterator[tuple[str, str]]:
    """The names of the fields of all entries of a list, blank ones included."""
    place = 0
    while (names := names_of(listing, place))[0] in form.fields:
        yield names
        place += 1


def check_listings(form: forms.Form, ruleset: System, data: Mapping[str, Any]) -> None:
    """Add errors for dots without a name, names that rules can't read, and too many entries."""
    for listing in ruleset.layout.lists:
        filled = 0
        for named, rated in rows_of(form, listing):
            name = data.get(named)
            filled += bool(name)
            if data.get(rated) and name == "":
                form.add_error(named, _now("Enter a name, or clear the dots."))
            elif name and listing.read and not as_key(name):
                form.add_error(named, _now("“%(word)s” needs at least one letter or digit.") % {"word": name[:40]})
            elif name and filled > MOST_ENTRIES:
                form.add_error(named, _now("Enter at most %(most)s entries.") % {"most": MOST_ENTRIES})


def lists_of(
    form: forms.Form, ruleset: System, data: Mapping[str, Any], character: Character | None
) -> dict[str, list[list[Any]]]:
    """The filled-in entries of each list, and those saved that the layout doesn't have."""
    known = {listing.key for listing in ruleset.layout.lists}
    typed: dict[str, list[list[Any]]] = {
        listing.key: [[data[name], data[dots] or 0] for name, dots in rows_of(form, listing) if data[name]]
        for listing in ruleset.layout.lists
    }
    saved = character.lists if character else {}
    foreign = {key: entries for key, entries in saved.items() if key not in known}
    return foreign | {key: entries for key, entries in typed.items() if entries}
