"""All writes of a chronicle's library of templates. For Storytellers only; rights are checked again under the lock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from campaigns.bins import put_in
from campaigns.errors import EditConflict, Refused
from campaigns.models import Membership
from campaigns.services import lock_as_storyteller
from characters.models import Character, Template
from characters.models.gear import NAME_TAKEN
from characters.services import SheetData, create_character

MOST_TEMPLATES = 200


@dataclass(frozen=True, slots=True)
class TemplateData:
    """A template's data from the form. `weapons` and `armor` are names in the tables."""

    name: str
    kind: str
    plural: str = ""
    traits: dict[str, int] = field(default_factory=dict)
    pools: dict[str, int] = field(default_factory=dict)
    weapons: tuple[str, ...] = ()
    armor: tuple[str, ...] = ()
    merits: tuple[str, ...] = ()
    specialties: Mapping[str, Sequence[str]] = field(default_factory=dict)
    lists: Mapping[str, Sequence[tuple[str, int]]] = field(default_factory=dict)
    notes: str = ""


@transaction.atomic
def save_template(*, by: Membership, data: TemplateData, row_id: str = "", shipped: str = "", version: int) -> Template:
    """Save a chronicle's own template, or add one if `row_id` is ""; `shipped` is the key of the one that it replaces.

    Raises `EditConflict` if `version` is outdated, `Refused` if the name is taken or the library is full, and `Http404`
    for a template that is gone.
    """
    chronicle = lock_as_storyteller(by)
    others = Template.objects.filter(chronicle=chronicle)
    if row_id:
        row: Template = get_object_or_404(others.select_for_update(), pk=row_id)
        if row.version != version:
            raise EditConflict
        row.version += 1
    else:
        row = Template(chronicle=chronicle, shipped=shipped)
        if len(others) >= MOST_TEMPLATES:
            raise Refused(_("A library can have at most %(most)s templates.") % {"most": MOST_TEMPLATES})
    if any(one.name.casefold() == data.name.casefold() for one in others if one.pk != row.pk):
        raise Refused(str(NAME_TAKEN))
    row.name, row.plural, row.kind, row.notes = data.name, data.plural, data.kind, data.notes
    row.traits, row.pools, row.merits = data.traits, data.pools, list(data.merits)
    row.specialties = {key: list(names) for key, names in data.specialties.items()}
    row.lists = {key: [list(entry) for entry in entries] for key, entries in data.lists.items()}
    row.weapons, row.armor = list(data.weapons), list(data.armor)
    row.save()
    return row


@transaction.atomic
def delete_template(*, by: Membership, row_id: str) -> None:
    """Put a chronicle's own template in the bin; `Http404` if it is gone. One that it replaced is there again."""
    chronicle = lock_as_storyteller(by)
    put_in(get_object_or_404(Template.objects.select_for_update(), pk=row_id, chronicle=chronicle))


@transaction.atomic
def grow(*, by: Membership, sheet: SheetData) -> Character:
    """Make a Storyteller's character from a template's full sheet."""
    lock_as_storyteller(by)
    return create_character(by=by, owner=None, sheet=sheet)
