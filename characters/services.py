"""All writes of this app. Forms validate the input; services check who may write, and when.

Rights are checked again inside the transaction, so that somebody who is being removed at this moment can't make one
more change. What is gone by then raises `Http404`, as for any later caller.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from campaigns.access import may_play
from campaigns.bins import put_in
from campaigns.errors import EditConflict, Refused
from campaigns.marks import mark
from campaigns.models import Chronicle, Membership, User
from campaigns.tokens import id_for
from characters import changes, face_services, hooks, impairments, rulesets
from characters.listings import kept_entries, merit_keys
from characters.models import Armor, CarriedWeapon, Character, Gear, Portrait, Weapon, WornArmor
from characters.models.changes import Cause
from characters.models.gear import NAME_TAKEN
from characters.sheets import sheet_of
from characters.signals import handed_over, sheet_changed, table_changed
from characters.writers import lock_as_writer as _lock_as_writer
from characters.writers import present as _present
from rules.model.entries import Listing
from rules.model.gear import Damage
from rules.topics.health.impairments import mended


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
    """A sheet's data from the form. `storyteller_notes` is `None` for authors who may not edit them.

    `healed` are the places of the lasting impairments that are over; others heal with the damage they wait for.
    `outlasting` are the columns of scars, impairments and lasting conditions that only a file gives to a new sheet.
    """

    name: str
    kind: str
    concept: str = ""
    traits: Mapping[str, int] = field(default_factory=dict)
    resources: Mapping[str, int] = field(default_factory=dict)
    merits: Sequence[str] = ()
    details: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, Sequence[Sequence[Any]]] = field(default_factory=dict)
    specialties: Mapping[str, Sequence[str]] = field(default_factory=dict)
    marks: Sequence[str] = ()
    injuries: Sequence[Mapping[str, Any]] = ()
    outlasting: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    healed: Collection[int] = ()
    notes: str = ""
    storyteller_notes: str | None = None
    weapons: Sequence[Carried] = ()
    armor: Sequence[Carried] = ()


@transaction.atomic
def create_character(
    *,
    by: Membership,
    owner: User | None,
    sheet: SheetData,
    key: str = "",
    origin: str = "",
    cause: Cause = Cause.BEGUN,
    reason: str = "",
) -> Character:
    """Create a character. Players create their own; Storytellers choose any owner, None for themselves.

    An idempotency key that was used before returns the character made with it. `origin` is the name of the one that
    the sheet was copied from, `cause` and `reason` tell its origin: the owner reads them. Raises
    `PermissionDenied` for anybody else, and `Refused` for an owner who may not have characters here, or if the
    character made with this key is in the bin.
    """
    by = _present(by)
    if not by.is_storyteller and (owner is None or owner.pk != by.user_id or not may_play(by)):
        raise PermissionDenied(_("You can only create characters for yourself."))
    _refuse_owner(by.chronicle_id, owner)
    character = Character(chronicle_id=by.chronicle_id, owner=owner)
    if key:
        character.pk = _id_with(by, key)
        if made := made_with(by, key):
            return _made_before(made)
    _fill(character, sheet)
    character.save(force_insert=True)
    _write_gear(character, sheet)
    changes.begin(character, by.user, origin, cause=cause, reason=reason)
    _tell(character)
    return character


def made_with(by: Membership, key: str) -> Character | None:
    """The character that this member made with an idempotency key, in the bin too."""
    return Character.with_bin.filter(pk=_id_with(by, key)).first() if key else None


def _id_with(by: Membership, key: str) -> str:
    return id_for("character", by.pk, key)


def _made_before(made: Character) -> Character:
    if made.binned:
        raise Refused(
            _("%(name)s was made from this form before and is in the bin. Open the form again.") % {"name": made.name}
        )
    return made


def update_sheet(*, by: Membership, character: Character, sheet: SheetData, version: int) -> Character:
    """Save an edited sheet, keep what changed, and update the character's fights in the same transaction.

    Raises `EditConflict` if `version` is outdated. Raises `Refused` for a player during a running fight, when they may
    only edit the notes, or if a fight can't accept the sheet.
    """
    with hooks.fights_locked(character.chronicle_id, character.pk):
        by, character = _lock_as_writer(by, character)
        if not by.is_storyteller and (fight := hooks.fight_of(character.pk)):
            raise Refused(locked_sentence(fight))
        _refuse_stale(character.version, version)
        before, sheet_before = changes.watched(character), sheet_of(character)
        _fill(character, sheet)
        _write_gear(character, sheet)
        changes.keep(character, before, by.user)
        _save(character, before=sheet_before, by=by.user)
        return character


def locked_sentence(fight: str) -> str:
    """Tells a player why the sheet is locked."""
    said = _(
        "“%(fight)s” is running. Until it ends, only the Storyteller can change this sheet. What you typed is still "
        "here: save it then. You can still edit your notes on their own page."
    )
    return said % {"fight": fight}


def raise_trait(*, by: Membership, character: Character, trait: str, to: int, price: str) -> None:
    """Give a Trait its new dots after a purchase at a `price`. The caller has locked the character with its fights."""
    before = changes.watched(character)
    character.traits = {**character.traits, trait: to}
    changes.keep(character, before, by.user, cause=Cause.PURCHASE, reason=price)
    _save(character)


def raise_entry(*, by: Membership, character: Character, listing: Listing, name: str, to: int, price: str) -> None:
    """Give an entry of a list its new dots after a purchase, or add it. The caller has locked the character as above.

    The name of an entry that rules read becomes a Merit.
    """
    before, kept = changes.watched(character), kept_entries(character, listing.key)
    raised = [[each, to if each.casefold() == name.casefold() else dots] for each, dots in kept]
    if all(each.casefold() != name.casefold() for each, _dots in kept):
        raised.append([name, to])
    character.lists = {**character.lists, listing.key: raised}
    if listing.read:
        keys = merit_keys([name], rulesets.ruleset_for(character.chronicle))
        character.merits = list(dict.fromkeys([*character.merits, *keys]))
    changes.keep(character, before, by.user, cause=Cause.PURCHASE, reason=price)
    _save(character)


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
    """Set a character's portrait, as made by `pictures.redraw`, or remove it (`None`).

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
    before, character.owner = character.owner_id, owner
    if character.owner_id != before:
        changes.keep_hand_over(character, before, by.user)
        if owner is None:
            face_services.taken_back(character)
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


@dataclass(frozen=True, slots=True)
class Imported:
    """How many rows a file added and changed."""

    added: int
    changed: int


@transaction.atomic
def import_gear(*, by: Membership, model: type[Gear], read: Callable[[Sequence[Gear]], list[Gear]]) -> Imported:
    """Add and change a chronicle's own weapons or armour, all or none of them.

    `read` gets the present rows, locked, and returns the rows to save; what it raises stops the import. Raises
    `PermissionDenied` for anybody but a Storyteller, and `Refused` if somebody else changes the table meanwhile.
    """
    by = _present(by)
    if not by.is_storyteller:
        raise PermissionDenied(_("Only a Storyteller can change the weapons and armour."))
    there = list(model._default_manager.select_for_update().filter(chronicle=by.chronicle).order_by("pk"))
    before = {row.pk: gear_mark(row) for row in there}
    rows = read(there)
    news = [row for row in rows if row.pk is None]
    changed = [row for row in rows if row.pk is not None and gear_mark(row) != before[row.pk]]
    try:
        with transaction.atomic():
            for row in (*news, *changed):
                row.save()
    except IntegrityError:
        # Somebody added one of these names by the form at the same moment.
        raise Refused(_("Somebody else changed the table just now. Import the file again.")) from None
    if news or changed:
        tell_table(ruleset=by.chronicle.ruleset, chronicle_id=by.chronicle_id)
    return Imported(len(news), len(changed))


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


def _refuse_owner(chronicle_id: str, owner: User | None) -> None:
    if owner is None:
        return
    member = Membership.objects.active().filter(chronicle_id=chronicle_id, user=owner).first()
    if member is None or not may_play(member):
        raise Refused(_("Choose a player of this chronicle, or the Storyteller."))


def _refuse_stale(version: int, expected: int) -> None:
    if version != expected:
        raise EditConflict


def unsaved(chronicle: Chronicle, sheet: SheetData) -> Character:
    """A character with this sheet, without gear, that is not in the database: what a form begins with."""
    character = Character(chronicle=chronicle)
    _fill(character, sheet)
    return character


def _fill(character: Character, sheet: SheetData) -> None:
    character.name, character.kind, character.concept = sheet.name, sheet.kind, sheet.concept
    character.traits, character.resources = dict(sheet.traits), dict(sheet.resources)
    for column, each in sheet.outlasting.items():
        setattr(character, column, [dict(one) for one in each])
    _heal_impairments(character, sheet)
    character.merits, character.marks = list(sheet.merits), list(sheet.marks)
    character.details = dict(sheet.details)
    character.specialties = {key: list(names) for key, names in sheet.specialties.items()}
    character.lists = {key: [list(entry) for entry in entries] for key, entries in sheet.lists.items()}
    character.injuries = [dict(injury) for injury in sheet.injuries]
    character.notes = sheet.notes
    if sheet.storyteller_notes is not None:
        character.storyteller_notes = sheet.storyteller_notes


def _heal_impairments(character: Character, sheet: SheetData) -> None:
    kept = [each for place, each in enumerate(impairments.read(character)) if place not in sheet.healed]
    was, now = (tuple(Damage(mark) for mark in marks) for marks in (character.marks, sheet.marks))
    character.impairments = impairments.written(mended(kept, was, now))


def _write_gear(character: Character, sheet: SheetData) -> None:
    weapons = [{"weapon_id": one.item, "rounds": one.rounds, "fault": one.fault} for one in sheet.weapons]
    _write_rows(CarriedWeapon, character, sheet.weapons, weapons)
    armor = [{"armor_id": one.item, "destroyed": one.destroyed} for one in sheet.armor]
    _write_rows(WornArmor, character, sheet.armor, armor)


def _write_rows(model: Any, character: Character, given: Sequence[Carried], values: Sequence[dict[str, Any]]) -> None:
    """Update existing rows in place, because running fights and histories refer to them by their keys."""
    before = {row.pk: row for row in model.objects.filter(character=character)}
    kept = {one.row for one in given if one.row in before}
    model.objects.filter(pk__in=before.keys() - kept).delete()
    for order, (one, value) in enumerate(zip(given, values, strict=True)):
        row = before.get(one.row) or model(character=character)
        for name, content in (value | {"name": one.name, "order": order}).items():
            setattr(row, name, content)
        row.save()


def _save(character: Character, **more: Any) -> None:
    character.version += 1
    character.save()
    _tell(character, **more)


def _tell(character: Character, **more: Any) -> None:
    sheet_changed.send(sender=Character, character_id=character.pk, chronicle_id=character.chronicle_id, **more)
