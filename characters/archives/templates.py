"""The templates of antagonists in an archive: `templates.json`."""

from __future__ import annotations

from typing import Any

from campaigns.archives import rows
from campaigns.archives.box import MANIFEST
from campaigns.archives.moving import Coming, Going
from campaigns.names import is_seen
from characters import rulesets
from characters.archives import tables
from characters.archives.values import Values
from characters.models import Armor, Template, Weapon

FILE = "templates.json"
CHECKED = ("kind", "traits", "merits", "specialties", "lists")
"""The columns that are like a character's."""

COLUMNS = (
    *("name", "plural", "kind", "traits", "pools", "merits", "specialties", "lists", "weapons", "armor"),
    *("notes", "shipped", "version"),
)
MOST_TEMPLATES = 1_000
MOST_CARRIED = 100


def take_out(going: Going) -> None:
    there = Template.objects.filter(chronicle=going.chronicle)
    said = [{"id": row.pk, **rows.write(row, COLUMNS)} for row in sorted(there, key=_place)]
    going.counts["templates"] = len(said)
    going.box.add_json(FILE, {"templates": said})
    going.tell(1)


def _place(row: Template) -> tuple[Any, ...]:
    return (row.name.casefold(), row.name, row.kind, row.notes, row.version)


def bring_in(coming: Coming) -> None:
    said = rows.fields(coming.box.json(FILE), ("templates",), FILE)
    found = rows.objects(said, "templates", FILE)
    coming.count("templates", len(found), MANIFEST)
    if len(found) > MOST_TEMPLATES:
        raise rows.invalid("templates", FILE)
    values = Values(rulesets.ruleset_for(coming.chronicle), coming.new, FILE)
    coming.add([_read(coming, each, values) for each in found])
    coming.tell(1)


def _read(coming: Coming, said: dict[str, Any], values: Values) -> Template:
    row = rows.read(said, Template, COLUMNS, file=FILE, also=("id",))
    coming.named(row, said["id"], FILE)
    row.chronicle = coming.chronicle
    if not is_seen(row.name):
        raise rows.invalid("name", FILE)
    for name in CHECKED:
        setattr(row, name, values.column(name, said[name]))
    row.pools = values.pools(said["pools"])
    row.weapons = [tables.called(coming, Weapon, name) for name in _names(values, said, "weapons")]
    row.armor = [tables.called(coming, Armor, name) for name in _names(values, said, "armor")]
    return row


def _names(values: Values, said: dict[str, Any], name: str) -> list[str]:
    return values.lines(name, said[name], MOST_CARRIED)
