"""The wall screen: a revocable link that needs no sign-in and shows what the whole table may see."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from campaigns import audit
from campaigns.models import Chronicle, Membership
from campaigns.prepared import Param, Prepared
from campaigns.services import lock_as_storyteller
from campaigns.tokens import hash_token, new_token
from combat.live.hub import RIGHTS, hint, table_of
from combat.models import Encounter, Status, Wall
from combat.secrecy.audiences import TABLE

LIVES = timedelta(days=365)
"""Long enough for a chronicle's pauses, but a forgotten link doesn't stay open for ever."""


@dataclass(frozen=True, slots=True)
class WallSeen:
    """What a link shows: the chronicle and its current fight, None before the first."""

    chronicle: Chronicle
    encounter: Encounter | None

    audience = TABLE

    @property
    def reader(self) -> str:
        """The key for counting sockets: all screens with the same link."""
        return f"wall of {self.chronicle.pk}"


def behind(token: str) -> WallSeen | None:
    """What a link shows; None if it doesn't exist or has ended."""
    digest, now = hash_token(token), timezone.now()
    newest = _newest.one(digest=digest, now=now)
    if newest is not None:
        return WallSeen(newest.chronicle, newest)
    wall = Wall.objects.filter(token_hash=digest, expires__gt=now).select_related("chronicle").first()
    return None if wall is None else WallSeen(wall.chronicle, None)


@Prepared
def _newest() -> QuerySet[Encounter]:
    """The fight behind a link, except drafts: an unfinished one, else the most recently ended."""
    link = {
        "chronicle__wall__token_hash": Param("digest", Wall, "token_hash"),
        "chronicle__wall__expires__gt": Param("now", Wall, "expires"),
    }
    fights = Encounter.objects.without_state().fights().exclude(status=Status.DRAFT).select_related("chronicle")
    order = (F("ended").desc(nulls_first=True), F("begun").desc(nulls_last=True), "pk")
    first: QuerySet[Encounter] = fights.filter(**link).order_by(*order)[:1]
    return first


@transaction.atomic
def open_wall(*, by: Membership) -> str:
    """Create a link that replaces the one before and expires after `LIVES`. Returns its token.

    Only a hash of the token is stored.
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
    """Revoke the link; the screens that show it go dark."""
    chronicle = lock_as_storyteller(by)
    Wall.objects.filter(chronicle=chronicle).delete()
    audit.note("wall-closed", chronicle=chronicle.pk)
    _tell(chronicle)


def _tell(chronicle: Chronicle) -> None:
    transaction.on_commit(lambda: hint(table_of(chronicle.pk), RIGHTS), robust=True)
