"""All writes of this app. Forms validate the input; services check who may write, and when.

Rights are checked again inside the transaction, so that somebody who is being removed at this moment can't make one
more change. What is gone by then raises `Http404`, as for any later caller.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from campaigns.access import may_play
from campaigns.bins import put_in
from campaigns.errors import EditConflict, Refused
from campaigns.marks import mark
from campaigns.models import Membership, User
from campaigns.services import lock
from characters import hooks
from characters.models import Armor, CarriedWeapon, Character, Gear, Portrait, Weapon, WornArmor
from characters.models.gear import NAME_TAKEN
from characters.signals import handed_over, sheet_changed, table_changed


@dataclass(frozen=True, slots=True)
class Carried:
    """A weapon or armour from the form. `row` is the key of its existing row, if any."""

    item: int
    name: str = ""
    rounds: int | None = None
    fault: str = ""
    row: int | None = None
    destroyed: bool = False


@dataclass(frozen=True, slots=True)
class SheetData:
    """A sheet's data from the form. `storyteller_notes` is `None` for authors who may not edit them."""

    name: str
    kind: str
    concept: str = ""
    traits: Mapping[str, int] = field(default_factory=dict)
    resources: Mapping[str, int] = field(default_factory=dict)
    merits: Sequence[str] = ()
    marks: Sequence[str] = ()
    injuries: Sequence[Mapping[str, Any]] = ()
    notes: str = ""
    storyteller_notes: str | None = None
    weapons: Sequence[Carried] = ()
    armor: Sequence[Carried] = ()


@transaction.atomic
def create_character(*, by: Membership, owner: User | None, sheet: SheetData) -> Character:
    """Create a character. Players create their own; Storytellers choose any owner, None for themselves.

    Raises `PermissionDenied` for anybody else, and `Refused` for an owner who may not have characters here.
    """
    by = _present(by)
    if not by.is_storyteller and (owner is None or owner.pk != by.user_id or not may_play(by)):
        raise PermissionDenied(_("You can only create characters for yourself."))
    _refuse_owner(by.chronicle_id, owner)
    character = Character(chronicle_id=by.chronicle_id, owner=owner)
    _fill(character, sheet)
    character.save(force_insert=True)
    _write_gear(character, sheet)
    _tell(character)
    return character


def update_sheet(*, by: Membership, character: Character, sheet: SheetData, version: int) -> Character:
    """Save an edited sheet, and update the character's fights in the same transaction.

    Raises `EditConflict` if `version` is outdated. Raises `Refused` for a player during a running fight, when they may
    only edit the notes, or if a fight can't accept the sheet.
    """
    with hooks.fights_locked(character.chronicle_id, character.pk):
        by, character = _lock_as_writer(by, character)
        if not by.is_storyteller and (fight := hooks.fight_of(character.pk)):
            raise Refused(locked_sentence(fight))
        _refuse_stale(character.version, version)
        _fill(character, sheet)
        _write_gear(character, sheet)
        _save(character)
        return character


def locked_sentence(fight: str) -> str:
    """Tells a player why the sheet is locked."""
    said = _(
        "“%(fight)s” is running. Until it ends, only the Storyteller can change this sheet. What you typed is still "
        "here: save it then. You can still edit your notes on their own page."
    )
    return said % {"fight": fight}


@transaction.atomic
def write_notes(*, by: Membership, character: Character, notes: str, seen: str) -> None:
    """Save the notes, even during a fight. Raises `EditConflict` if they no longer match the token `seen`."""
    by, character = _lock_as_writer(by, character)
    if seen != notes_mark(character.notes):
        raise EditConflict
    character.notes = notes
    character.version += 1
    character.save(update_fields=["notes", "version", "updated"])


def notes_mark(notes: str) -> str:
    """A concurrency token of the notes alone, so that damage taken in the meantime is no conflict."""
    return mark(notes)


@transaction.atomic
def set_portrait(*, by: Membership, character: Character, picture: bytes | None) -> None:
    """Set a character's portrait, as made by `portraits.redraw`, or remove it (`None`).

    Allowed during a fight, which doesn't depend on it.
    """
    _by, character = _lock_as_writer(by, character)
    # Delete the instance, not the query, so that its signal updates open pages.
    for old in Portrait.objects.filter(character=character).defer("picture"):
        old.delete()
    if picture is not None:
        Portrait.objects.create(character=character, picture=picture)


@transaction.atomic
def hand_over(*, by: Membership, character: Character, owner: User | None) -> None:
    """Give a character to another player, or to the Storyteller (`None`). Only Storytellers may."""
    by, character = _lock_as_writer(by, character)
    if not by.is_storyteller:
        raise PermissionDenied(_("Only a Storyteller can hand a character over."))
    _refuse_owner(by.chronicle_id, owner)
    character.owner = owner
    character.version += 1
    character.save()
    handed_over.send(sender=Character, character_id=character.pk, chronicle_id=character.chronicle_id)


@transaction.atomic
def delete_character(*, by: Membership, character: Character) -> None:
    """Put a character in the bin. Raises `Refused` during a running fight."""
    _by, character = _lock_as_writer(by, character)
    if fight := hooks.fight_of(character.pk):
        raise Refused(
            _("%(name)s is in a running fight, “%(fight)s”. End the fight first.")
            % {
                "name": character.name,
                "fight": fight,
            }
        )
    put_in(character)


@transaction.atomic
def save_gear(*, row: Weapon | Armor, seen: str | None = None) -> None:
    """Save a row of the tables. The caller has validated it and checked the chronicle.

    Raises `EditConflict` if an existing row no longer matches the token `seen`, and `Refused` for a name taken since
    the validation, by the database's constraint.
    """
    if row.pk and seen is not None:
        kept = type(row)._default_manager.select_for_update().filter(pk=row.pk).first()
        if kept is None or seen != gear_mark(kept):
            raise EditConflict
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise Refused(str(NAME_TAKEN)) from None
    tell_table(ruleset=row.ruleset, chronicle_id=row.chronicle_id)


def lock_common(model: type[Gear]) -> None:
    """Lock a table's common rows until the transaction ends."""
    list(model._default_manager.filter(chronicle=None).order_by("pk").select_for_update().values_list("pk"))


def gear_mark(row: Gear) -> str:
    """A concurrency token of a row of the tables; "" for a new one."""
    said = repr([getattr(row, field.attname) for field in row._meta.concrete_fields])
    return mark(said) if row.pk else ""


@transaction.atomic
def delete_gear(*, row: Weapon | Armor) -> None:
    """Delete a row of the tables. Raises `Refused`, with the names, if characters carry it."""
    if names := carriers([row]):
        raise Refused(carried_sentence(row.name, names))
    row.delete()
    tell_table(ruleset=row.ruleset, chronicle_id=row.chronicle_id)


def carriers(rows: Sequence[Weapon | Armor]) -> list[str]:
    """The sorted, unique names of the characters, in the bin too, who carry or wear any of these."""
    weapons = [row.pk for row in rows if isinstance(row, Weapon)]
    armors = [row.pk for row in rows if isinstance(row, Armor)]
    carrying = Character.with_bin.filter(weapons__weapon__in=weapons) if weapons else Character.objects.none()
    wearing = Character.with_bin.filter(armor__armor__in=armors) if armors else Character.objects.none()
    return sorted({*carrying.values_list("name", flat=True), *wearing.values_list("name", flat=True)})


def carried_sentence(name: str, names: Sequence[str]) -> str:
    """Tells why a row of the tables can't be deleted."""
    return _("%(name)s can’t be deleted: still carried by %(who)s. Remove it from their sheets first.") % {
        "name": name,
        "who": ", ".join(names),
    }


def tell_table(*, ruleset: str, chronicle_id: str | None) -> None:
    """Send the signal that a table has changed."""
    table_changed.send(sender=Weapon, ruleset=ruleset, chronicle_id=chronicle_id)


def _present(by: Membership) -> Membership:
    lock(by.chronicle_id)
    present = Membership.objects.active().filter(pk=by.pk, user__is_active=True).first()
    if present is None:
        raise PermissionDenied(_("You are no longer at this table."))
    return present


def _lock_as_writer(by: Membership, character: Character) -> tuple[Membership, Character]:
    by = _present(by)
    locked = get_object_or_404(Character.objects.select_for_update(), pk=character.pk, chronicle_id=by.chronicle_id)
    if not by.is_storyteller and (locked.owner_id != by.user_id or not may_play(by)):
        raise PermissionDenied(_("Only its player and the Storyteller can do that."))
    return by, locked


def _refuse_owner(chronicle_id: str, owner: User | None) -> None:
    if owner is None:
        return
    member = Membership.objects.active().filter(chronicle_id=chronicle_id, user=owner).first()
    if member is None or not may_play(member):
        raise Refused(_("Choose a player of this chronicle, or the Storyteller."))


def _refuse_stale(version: int, expected: int) -> None:
    if version != expected:
        raise EditConflict


def _fill(character: Character, sheet: SheetData) -> None:
    character.name, character.kind, character.concept = sheet.name, sheet.kind, sheet.concept
    character.traits, character.resources = dict(sheet.traits), dict(sheet.resources)
    character.merits, character.marks = list(sheet.merits), list(sheet.marks)
    character.injuries = [dict(injury) for injury in sheet.injuries]
    character.notes = sheet.notes
    if sheet.storyteller_notes is not None:
        character.storyteller_notes = sheet.storyteller_notes


def _write_gear(character: Character, sheet: SheetData) -> None:
    weapons = [{"weapon_id": one.item, "rounds": one.rounds, "fault": one.fault} for one in sheet.weapons]
    _write_rows(CarriedWeapon, character, sheet.weapons, weapons)
    armor = [{"armor_id": one.item, "destroyed": one.destroyed} for one in sheet.armor]
    _write_rows(WornArmor, character, sheet.armor, armor)


def _write_rows(model: Any, character: Character, given: Sequence[Carried], values: Sequence[dict[str, Any]]) -> None:
    """Update existing rows in place, because running fights refer to weapons by primary key."""
    before = {row.pk: row for row in model.objects.filter(character=character)}
    kept = {one.row for one in given if one.row in before}
    model.objects.filter(pk__in=before.keys() - kept).delete()
    for order, (one, value) in enumerate(zip(given, values, strict=True)):
        row = before.get(one.row) or model(character=character)
        for name, content in (value | {"name": one.name, "order": order}).items():
            setattr(row, name, content)
        row.save()


def _save(character: Character) -> None:
    character.version += 1
    character.save()
    _tell(character)


def _tell(character: Character) -> None:
    sheet_changed.send(sender=Character, character_id=character.pk, chronicle_id=character.chronicle_id)
