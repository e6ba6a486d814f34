"""The screen on the wall: a link that needs no sign-in, shows what the whole table may see, and can be revoked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from campaigns import audit
from campaigns.models import Chronicle, Membership
from campaigns.services import lock_as_storyteller
from campaigns.tokens import hash_token, new_token
from combat.live.hub import RIGHTS, hint, table_of
from combat.models import Encounter, Status, Wall
from combat.secrecy.audiences import TABLE

LIVES = timedelta(days=365)
"""A link on somebody's television outlives a chronicle's pauses, and is not forgotten for ever."""


@dataclass(frozen=True, slots=True)
class WallSeen:
    """What hangs behind a link: the chronicle and the fight it shows now, None before the first."""

    chronicle: Chronicle
    encounter: Encounter | None

    audience = TABLE

    @property
    def reader(self) -> str:
        """All screens behind one link together: sockets are counted by it."""
        return f"wall of {self.chronicle.pk}"


def behind(token: str) -> WallSeen | None:
    """What a link shows; None for one that is not, or no more."""
    digest, now = hash_token(token), timezone.now()
    newest = _newest().filter(chronicle__wall__token_hash=digest, chronicle__wall__expires__gt=now).first()
    if newest is not None:
        return WallSeen(newest.chronicle, newest)
    wall = Wall.objects.filter(token_hash=digest, expires__gt=now).select_related("chronicle").first()
    return None if wall is None else WallSeen(wall.chronicle, None)


def _newest() -> QuerySet[Encounter]:
    """Fights that are no drafts: first those that go on, then the last that did."""
    fights = Encounter.objects.without_state().fights().exclude(status=Status.DRAFT).select_related("chronicle")
    return fights.order_by(F("ended").desc(nulls_first=True), F("begun").desc(nulls_last=True), "pk")


@transaction.atomic
def open_wall(*, by: Membership) -> str:
    """A new link, which ends the one before, and by itself after `LIVES`.

    The token comes back this once and is kept nowhere.
    """
    chronicle = lock_as_storyteller(by)
    token = new_token()
    Wall.objects.update_or_create(
        chronicle=chronicle, defaults={"token_hash": hash_token(token), "expires": timezone.now() + LIVES}
    )
    audit.note("wall-opened", chronicle=chronicle.pk)
    _tell(chronicle)
    return token


@transaction.atomic
def close_wall(*, by: Membership) -> None:
    """End the link; the screens that show it go dark."""
    chronicle = lock_as_storyteller(by)
    Wall.objects.filter(chronicle=chronicle).delete()
    audit.note("wall-closed", chronicle=chronicle.pk)
    _tell(chronicle)


def _tell(chronicle: Chronicle) -> None:
    transaction.on_commit(lambda: hint(table_of(chronicle.pk), RIGHTS), robust=True)
