"""Passages on open screens: hints to those who were shown one, and what is on the wall."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models.signals import post_delete, post_save

from campaigns import showing
from campaigns.models import Chronicle, Membership, Page, Passage, PassageAudience, Reveal
from campaigns.services import lock_as_storyteller
from campaigns.signals import passage_shown
from combat.live.hub import SHOWN, hint, person, table_of
from combat.models import Wall


def connect() -> None:
    """Connect the signals. Called once, when the app is ready."""
    passage_shown.connect(_shown, dispatch_uid="combat.live.showing")
    for signal in (post_save, post_delete):
        for model in (Page, Passage):
            signal.connect(_written, sender=model, dispatch_uid=f"on the wall {model.__name__} {id(signal)}")


@transaction.atomic
def show(*, by: Membership, passage_id: str, everyone: bool, to: Collection[int] = (), wall: bool = False) -> Reveal:
    """As `campaigns.showing.show`, and with `wall` on the wall screen, in place of what is there."""
    reveal = showing.show(by=by, passage_id=passage_id, everyone=everyone, to=to)
    if wall and everyone:
        _put(by.chronicle_id, reveal.passage)
    return reveal


@transaction.atomic
def take_off_wall(*, by: Membership) -> None:
    """Take the passage off the wall screen; a no-op if none is there."""
    _put(lock_as_storyteller(by).pk, None)


def on_wall(chronicle: Chronicle) -> Passage | None:
    """The passage on the wall screen. One that not everyone may read any longer is not shown there."""
    rows = Passage.objects.filter(
        wall__chronicle=chronicle,
        page__chronicle=chronicle,
        page__binned=None,
        audience=PassageAudience.EVERYONE,
    )
    return rows.select_related("page").first()


def _put(chronicle_id: str, passage: Passage | None) -> None:
    Wall.objects.filter(chronicle=chronicle_id).update(passage=passage)
    _tell([chronicle_id])


def _tell(chronicles: Iterable[str]) -> None:
    for each in chronicles:
        transaction.on_commit(partial(hint, table_of(each), SHOWN), robust=True)


def _shown(users: Collection[int], **_more: Any) -> None:
    for user in users:
        hint(person(user), SHOWN)


def _written(instance: Page | Passage, **_more: Any) -> None:
    """Show what was edited on the wall, or take it off if it isn't for everyone any longer."""
    page = instance.pk if isinstance(instance, Page) else instance.page_id
    _tell(list(Wall.objects.filter(passage__page=page).values_list("chronicle", flat=True)))
