"""What belongs to the Storyteller's desk and to no fight's log: an account's keys, a fight's notes."""

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
    """The key of each action, "" for none; none does anything while they are not `on`."""

    of: Mapping[str, str]
    on: bool = True


def keys_of(user: User) -> Keys:
    """The keys as an account has them."""
    kept = DeskKeys.objects.filter(user=user).first()
    return Keys(desk_keys.bindings(kept.own), kept.on) if kept else Keys(desk_keys.bindings({}))


def keep_keys(*, user: User, keys: Keys) -> None:
    """Keep an account's keys, for all its devices. The caller has seen to it that each does one thing."""
    DeskKeys.objects.update_or_create(user=user, defaults={"own": desk_keys.changed(keys.of), "on": keys.on})


def notes_of(encounter: Encounter) -> FightNotes:
    """A fight's notes; empty ones of version 0 where nobody has written any."""
    return FightNotes.objects.filter(encounter=encounter).first() or FightNotes(encounter=encounter)


@transaction.atomic
def keep_notes(*, by: Membership, encounter: Encounter, text: str, version: int) -> FightNotes:
    """Write a fight's notes anew. Raises `EditConflict` where somebody wrote others since `version`."""
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
