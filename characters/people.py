"""Ready-made people of a ruleset as sheets of a chronicle."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q
from django.utils.translation import get_language

from campaigns.models import Chronicle
from characters import rulesets
from characters.models import Armor, Gear, Weapon
from characters.services import Carried, SheetData
from rules.model.people import EXAMPLES, Item, Person, people


def on_shelf(chronicle: Chronicle, shelf: str = EXAMPLES) -> tuple[Person, ...]:
    """The ruleset's people on a shelf, in the reader's language."""
    return people(rulesets.ruleset_for(chronicle), shelf, get_language() or "")


def example(chronicle: Chronicle, key: str) -> Person | None:
    """The example character with this key, in the reader's language."""
    return next((person for person in on_shelf(chronicle) if person.key == key), None)


def sheet_data(chronicle: Chronicle, person: Person) -> SheetData:
    """A person's sheet. Gear is looked up by name in the chronicle's tables; items that are no longer there are left
    out."""
    return SheetData(
        name=person.name,
        kind=person.kind,
        concept=person.concept,
        traits=dict(person.traits),
        resources=dict(person.resources),
        merits=list(person.merits),
        specialties={key: list(names) for key, names in person.specialties.items()},
        lists={key: [list(entry) for entry in entries] for key, entries in person.lists.items()},
        notes=person.notes,
        weapons=_carried(Weapon, chronicle, person.weapons),
        armor=_carried(Armor, chronicle, person.armor),
    )


def _carried(table: type[Gear], chronicle: Chronicle, items: Iterable[Item]) -> list[Carried]:
    wanted = list(items)
    mine = Q(chronicle=None) | Q(chronicle=chronicle)
    rows = table._default_manager.filter(mine, ruleset=chronicle.ruleset, name__in={each.item for each in wanted})
    # The chronicle's own item of a name replaces the common one.
    found = {row.name: row.pk for row in sorted(rows, key=lambda row: row.is_own)}
    return [Carried(found[each.item], each.name, each.rounds) for each in wanted if each.item in found]
