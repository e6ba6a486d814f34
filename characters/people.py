"""Ready-made people of a ruleset as sheets of a chronicle."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Q
from django.utils.translation import get_language

from campaigns.models import Chronicle
from campaigns.words import said
from characters import rulesets
from characters.listings import merit_keys
from characters.models import Armor, Gear, Weapon
from characters.services import Carried, SheetData
from rules.model.entries import Listing
from rules.model.people import EXAMPLES, Item, Person, people
from rules.model.system import System


def on_shelf(chronicle: Chronicle, shelf: str = EXAMPLES) -> tuple[Person, ...]:
    """The ruleset's people on a shelf, in the reader's language."""
    return people(rulesets.ruleset_for(chronicle), shelf, get_language() or "")


def example(chronicle: Chronicle, key: str) -> Person | None:
    """The example character with this key, in the reader's language."""
    return next((person for person in on_shelf(chronicle) if person.key == key), None)


def sheet_data(chronicle: Chronicle, person: Person) -> SheetData:
    """A person's sheet, in the reader's language.

    Gear is looked up by name in the chronicle's tables; items that are no longer there are left out.
    """
    ruleset = rulesets.ruleset_for(chronicle)
    lists = {each.key: _listed(ruleset, each, person) for each in ruleset.layout.lists if each.key in person.lists}
    named = (name for each in ruleset.layout.lists if each.read for name, _dots in lists.get(each.key, ()))
    return SheetData(
        name=person.name,
        kind=person.kind,
        concept=person.concept,
        traits=dict(person.traits),
        resources=dict(person.resources),
        merits=list(dict.fromkeys([*person.merits, *merit_keys(named, ruleset)])),
        details=_details(ruleset, person),
        specialties={key: list(names) for key, names in person.specialties.items()},
        lists=lists,
        notes=person.notes,
        weapons=_carried(Weapon, chronicle, person.weapons),
        armor=_carried(Armor, chronicle, person.armor),
    )


def _details(ruleset: System, person: Person) -> dict[str, str]:
    known = {detail.key: _translations(detail.known) for detail in ruleset.layout.details}
    return {key: known.get(key, {}).get(text, text) for key, text in person.details.items()}


def _listed(ruleset: System, listing: Listing, person: Person) -> list[list[Any]]:
    merits = [merit.label for merit in ruleset.merits] if listing.read else []
    known = _translations([*listing.known, *merits])
    return [[known.get(name, name), dots] for name, dots in person.lists[listing.key]]


def _translations(known: Iterable[str]) -> dict[str, str]:
    """Suggestions in the reader's language, by their English."""
    return {str(each): said(each) for each in known}


def _carried(table: type[Gear], chronicle: Chronicle, items: Iterable[Item]) -> list[Carried]:
    wanted = list(items)
    mine = Q(chronicle=None) | Q(chronicle=chronicle)
    rows = table._default_manager.filter(mine, ruleset=chronicle.ruleset, name__in={each.item for each in wanted})
    # The chronicle's own item of a name replaces the common one.
    found = {row.name: row.pk for row in sorted(rows, key=lambda row: row.is_own)}
    return [Carried(found[each.item], each.name, each.rounds) for each in wanted if each.item in found]
