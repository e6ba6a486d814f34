"""A character as its owner may take it out: the sheet, the entries of experience and the history, as JSON values.

Only what the owner reads: the Storytellers' notes are not in it, nor are rolls that prove an award.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaigns import chains
from characters import changes
from characters.access import Seen
from characters.history import rows_for
from characters.models import Character, ExperienceEntry

Json = dict[str, Any]


def sheet(character: Character) -> Json:
    """The whole sheet, with the owner's notes."""
    said = {name: getattr(character, name) for name in changes.COLUMNS}
    weapons = [changes.weapon_value(row) for row in character.weapons.select_related("weapon")]
    armor = [changes.armor_value(row) for row in character.armor.select_related("armor")]
    return {**said, "weapons": weapons, "armor": armor, "notes": character.notes}


def experience(character: Character) -> Iterator[Json]:
    """The entries of its ledger, oldest first."""
    rows = ExperienceEntry.objects.filter(character=character).order_by("seq").select_related("by")
    for row in rows.iterator():
        said = {name: getattr(row, name) for name in ("seq", "amount", "price", "reason", "note", "line", "trait")}
        steps = {"kind": str(row.kind), "step": str(row.step), "was": row.was, "to": row.to}
        yield said | steps | {"at": chains.moment(row.at), "by": row.by.display_name if row.by else ""}


def history(seen: Seen) -> Iterator[Json]:
    """The changes of its sheet that the owner may read, oldest first. Owners before and after are left out."""
    for row in rows_for(seen).order_by("at", "pk").select_related("by").iterator():
        changed = [list(each) for each in row.changes if each[0] != changes.OWNER]
        about = {"at": chains.moment(row.at), "cause": str(row.cause), "reason": row.reason}
        yield about | {"by": row.by.display_name if row.by else "", "changes": changed}
