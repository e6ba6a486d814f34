"""Hints for pages outside fights: any change to a chronicle's data may change its pages.

Uses model signals, because the admin and imports bypass the services. Each open page then checks whether its reader
sees a difference: see `combat.live.consumers.PageConsumer`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models.signals import post_delete, post_save

from campaigns.models import Chronicle, Invitation, Membership, Note, User
from characters.models import Armor, CarriedWeapon, Character, ExperienceEntry, Portrait, Weapon, WornArmor
from combat.live.hub import PAGES, hint, person, table_of
from combat.models import Encounter, FightNotes


def connect() -> None:
    """Connect the signals. Called once, when the app is ready."""
    for model in (
        Chronicle,
        Invitation,
        Membership,
        Note,
        Character,
        CarriedWeapon,
        WornArmor,
        Portrait,
        ExperienceEntry,
        Weapon,
        Armor,
        Encounter,
        FightNotes,
    ):
        for signal in (post_save, post_delete):
            signal.connect(_written, sender=model, dispatch_uid=f"page hints {model.__name__} {id(signal)}")
    post_save.connect(_user_written, sender=User, dispatch_uid="page hints User")


@dataclass(frozen=True, slots=True)
class _Hint:
    """A hint that waits for the commit, where equal ones are sent only once."""

    place: str

    def __call__(self) -> None:
        hint(self.place, PAGES)


def _tell(places: Iterable[str]) -> None:
    waiting = {
        call for _savepoints, call, *_more in transaction.get_connection().run_on_commit if isinstance(call, _Hint)
    }
    for told in {_Hint(place) for place in places} - waiting:
        transaction.on_commit(told, robust=True)


def _written(sender: Any, instance: Any, **_more: Any) -> None:
    if sender is Encounter and not instance.is_listed_anew():
        return
    chronicles = _chronicles_of(instance)
    _tell(table_of(chronicle) for chronicle in chronicles)
    if sender in (Encounter, Membership, Chronicle):
        # A user's list of chronicles depends on all of them, and on those that they will join.
        members = Membership.objects.filter(chronicle__in=chronicles)
        _tell(person(user) for user in members.values_list("user_id", flat=True))
    if sender is Membership:
        _tell([person(instance.user_id)])


def _chronicles_of(instance: Any) -> list[str]:
    if isinstance(instance, Chronicle):
        return [instance.pk]
    if isinstance(instance, FightNotes):
        return [instance.encounter.chronicle_id]
    if isinstance(instance, CarriedWeapon | WornArmor | Portrait | ExperienceEntry):
        owner = Character.objects.filter(pk=instance.character_id)
        return list(owner.values_list("chronicle_id", flat=True))
    if isinstance(instance, Weapon | Armor) and instance.chronicle_id is None:
        return list(Chronicle.objects.filter(ruleset=instance.ruleset).values_list("pk", flat=True))
    return [instance.chronicle_id]


def _user_written(instance: User, update_fields: Iterable[str] | None = None, **_more: Any) -> None:
    if update_fields is not None and not {"first_name", "last_name", "username"}.intersection(update_fields):
        return  # signed in, or changed the password
    chronicles = instance.memberships.values_list("chronicle_id", flat=True)
    _tell(table_of(chronicle) for chronicle in chronicles)
