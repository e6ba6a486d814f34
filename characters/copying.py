"""Copies of characters: a new character with the same sheet, unhurt and without a past.

A copy has the Traits, lists, identity, specialties and gear. Wounds, scars, lasting conditions, experience, history and
the portrait stay behind; points are full, weapons loaded and in order, and armour is whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count

from django.db import transaction
from django.db.models import QuerySet

from campaigns.models import NAME_LENGTH, Membership, User
from characters import sheets
from characters.models import CarriedWeapon, Character, WornArmor
from characters.services import Carried, SheetData, create_character
from characters.writers import lock_as_writer

_NUMBERED = re.compile(r" \(\d{1,4}\)$")


@dataclass(frozen=True, slots=True)
class Original:
    """A character that its reader may copy."""

    key: str
    name: str


def originals(by: Membership) -> tuple[Original, ...]:
    """The characters that a member may copy: players their own, Storytellers all."""
    return tuple(Original(pk, name) for pk, name in _copied_by(by).values_list("pk", "name"))


def original(by: Membership, key: str) -> Character | None:
    """The character with this id, if the member may copy it."""
    found: Character | None = sheets.with_gear(_copied_by(by).filter(pk=key)).first() if key else None
    return found


def copy_of(by: Membership, character: Character) -> SheetData:
    """The sheet of a copy, with a free name, for the member who makes it and who may read the character.

    The Storyteller's notes are only in a Storyteller's copy.
    """
    return SheetData(
        name=free_name(by, character.name),
        kind=character.kind,
        concept=character.concept,
        traits=dict(character.traits),
        merits=list(character.merits),
        details=dict(character.details),
        lists=dict(character.lists),
        specialties=dict(character.specialties),
        notes=character.notes,
        storyteller_notes=character.storyteller_notes if by.is_storyteller else None,
        weapons=_carried(character.weapons.all()),
        armor=_carried(character.armor.all()),
    )


def origin_of(character: Character, owner: User | None) -> str:
    """The name that a copy's history tells as its origin. A player doesn't learn of a Storyteller's character."""
    return "" if character.is_npc and owner is not None else character.name


@transaction.atomic
def copy_character(*, by: Membership, character: Character, name: str, owner: User | None, key: str = "") -> Character:
    """Make a copy with this name. Players copy their own for themselves; Storytellers any character for any owner.

    The notes are left out of a copy for somebody who can't read the original's. An idempotency key that was used before
    returns the copy made with it. Raises as `create_character`, and `Http404` if the character is gone.
    """
    by, character = lock_as_writer(by, character)
    sheet = copy_of(by, character)
    if owner is not None and owner.pk != character.owner_id:
        sheet = replace(sheet, notes="")
    return create_character(
        by=by, owner=owner, sheet=replace(sheet, name=name), key=key, origin=origin_of(character, owner)
    )


def free_name(by: Membership, name: str) -> str:
    """The name with the first free number: “Marek (2)”. Characters that the member may not know of don't count."""
    known = Character.objects.filter(chronicle_id=by.chronicle_id)
    if not by.is_storyteller:
        known = known.filter(owner__isnull=False)
    taken = {each.casefold() for each in known.values_list("name", flat=True)}
    bare = _NUMBERED.sub("", name)
    names = (f"{bare[: NAME_LENGTH - len(ending)]}{ending}" for ending in (f" ({number})" for number in count(2)))
    return next(each for each in names if each.casefold() not in taken)


def _copied_by(by: Membership) -> QuerySet[Character]:
    there = Character.objects.filter(chronicle_id=by.chronicle_id)
    return there if by.is_storyteller else there.filter(owner=by.user)


def _carried(rows: Iterable[CarriedWeapon | WornArmor]) -> list[Carried]:
    return [Carried(row.weapon_id if isinstance(row, CarriedWeapon) else row.armor_id, row.name) for row in rows]
