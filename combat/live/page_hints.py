"""Hints for pages outside fights: any change to a chronicle's data may change its pages.

Uses model signals, because the admin and imports bypass the services. Each open page then checks whether its reader
sees a difference: see `combat.live.consumers.PageConsumer`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Model
from django.db.models.signals import post_delete, post_save

from campaigns.models import (
    Attendance,
    Chronicle,
    Delivery,
    Invitation,
    Membership,
    Page,
    Passage,
    Picture,
    Preparation,
    Readership,
    Reveal,
    Session,
    User,
    Webhook,
)
from characters.models import (
    Armor,
    CarriedWeapon,
    Character,
    ExperienceEntry,
    Face,
    Meeting,
    Portrait,
    Tie,
    TieReadership,
    Weapon,
    WornArmor,
)
from combat.live.hub import PAGES, hint, person, table_of
from combat.models import Encounter, FightNotes

WATCHED: Mapping[type[Model], str] = {
    Chronicle: "pk",
    Invitation: "chronicle",
    Membership: "chronicle",
    Session: "chronicle",
    Attendance: "session__chronicle",
    Preparation: "chronicle",
    Page: "chronicle",
    Passage: "page__chronicle",
    Readership: "passage__page__chronicle",
    Picture: "passage__page__chronicle",
    Reveal: "passage__page__chronicle",
    Webhook: "chronicle",
    Delivery: "webhook__chronicle",
    Character: "chronicle",
    CarriedWeapon: "character__chronicle",
    WornArmor: "character__chronicle",
    Portrait: "character__chronicle",
    ExperienceEntry: "character__chronicle",
    Face: "character__chronicle",
    Meeting: "character__chronicle",
    Tie: "chronicle",
    TieReadership: "tie__chronicle",
    Weapon: "chronicle",
    Armor: "chronicle",
    Encounter: "chronicle",
    FightNotes: "encounter__chronicle",
}
"""The models on which pages depend, and where each row's chronicle is found from it."""


def connect() -> None:
    """Connect the signals. Called once, when the app is ready."""
    for model in WATCHED:
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
    if isinstance(instance, Weapon | Armor) and instance.chronicle_id is None:
        return list(Chronicle.objects.filter(ruleset=instance.ruleset).values_list("pk", flat=True))
    first, _dots, rest = WATCHED[type(instance)].partition("__")
    key = getattr(instance, instance._meta.get_field(first).attname) if first != "pk" else instance.pk
    if not rest:
        return [key]
    # Not through the instance: what it hangs on may be deleted, or in the bin.
    above = instance._meta.get_field(first).related_model._base_manager
    return list(above.filter(pk=key).values_list(rest, flat=True))


def _user_written(instance: User, update_fields: Iterable[str] | None = None, **_more: Any) -> None:
    if update_fields is not None and not {"first_name", "last_name", "username"}.intersection(update_fields):
        return  # signed in, or changed the password
    chronicles = instance.memberships.values_list("chronicle_id", flat=True)
    _tell(table_of(chronicle) for chronicle in chronicles)
