"""Storage of what the dashboard keeps outside the fight's log: an account's shortcuts, a fight's notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from campaigns.access import check_still_storyteller
from campaigns.errors import EditConflict
from campaigns.models import Membership, User
from combat.desk import keys as desk_keys
from combat.models import DeskKeys, Encounter, FightNotes


@dataclass(frozen=True, slots=True)
class Keys:
    """The key of each action, "" for none. Shortcuts only work while they are `on`."""

    of: Mapping[str, str]
    on: bool = True


def keys_of(user: User) -> Keys:
    """An account's shortcuts, or the defaults."""
    kept = DeskKeys.objects.filter(user=user).first()
    return Keys(desk_keys.bindings(kept.own), kept.on) if kept else Keys(desk_keys.bindings({}))


def keep_keys(*, user: User, keys: Keys) -> None:
    """Save an account's shortcuts, for all its devices. The caller has checked that each key has one action."""
    DeskKeys.objects.update_or_create(user=user, defaults={"own": desk_keys.changed(keys.of), "on": keys.on})


def notes_of(encounter: Encounter) -> FightNotes:
    """A fight's notes; empty with version 0 if nobody has written any."""
    return FightNotes.objects.filter(encounter=encounter).first() or FightNotes(encounter=encounter)


@transaction.atomic
def keep_notes(*, by: Membership, encounter: Encounter, text: str, version: int) -> FightNotes:
    """Replace a fight's notes. Raises `EditConflict` if they were changed since `version`."""
    check_still_storyteller(by)
    FightNotes.objects.get_or_create(encounter=encounter)
    notes = FightNotes.objects.select_for_update().get(encounter=encounter)
    if notes.text == text:
        return notes
    if notes.version != version:
        raise EditConflict
    notes.text, notes.version = text, notes.version + 1
    notes.save(update_fields=["text", "version"])
    return notes
