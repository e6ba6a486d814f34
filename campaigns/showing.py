"""Show: a Storyteller puts a passage on the screens of everyone, or of chosen players, who can read it from then on."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.errors import Refused
from campaigns.models import Membership, Passage, PassageAudience, Readership, Reveal, Role
from campaigns.page_services import Players, choosable
from campaigns.readable import passages_for
from campaigns.services import lock_as_storyteller
from campaigns.sessions import playing
from campaigns.signals import passage_shown

FRESH = timedelta(minutes=1)
"""How long a passage still opens on a screen that was off when it was shown."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """That a passage was just shown to somebody: for their open pages, which fetch it."""

    reveal: str
    chronicle: str
    passage: str


@transaction.atomic
def show(*, by: Membership, passage_id: str, everyone: bool, to: Collection[int] = ()) -> Reveal:
    """Show a passage to everyone, or to the players among the members `to`.

    Its audience widens to them and never narrows. Raises `Refused` with nobody chosen, and for a player's own passage
    that others can't read: only its author opens that.
    """
    chronicle = lock_as_storyteller(by)
    rows = Passage.objects.select_for_update(of=("self",)).select_related("page")
    passage = rows.filter(pk=passage_id, page__chronicle=chronicle, page__binned=None).first()
    if passage is None:
        raise Http404("No such passage")
    readers = [] if everyone else list(choosable(by).filter(pk__in=to))
    if not everyone and not readers:
        raise Refused(_("Choose at least one reader."))
    now = timezone.now()
    if passage.audience != PassageAudience.EVERYONE:
        if Players(chronicle.pk).own_passage(passage.page, passage):
            raise Refused(_("This is a player’s own. Only they can let others read it."))
        _widen(passage, readers, now)
    reveal = Reveal.objects.create(
        passage=passage, session=playing(chronicle.pk), by=by.user, everyone=everyone, at=now
    )
    reveal.to.set(readers)
    if everyone:
        present = chronicle.memberships.active().exclude(role=Role.STORYTELLER)
        users = list(present.values_list("user_id", flat=True))
    else:
        users = [each.user_id for each in readers]
    transaction.on_commit(lambda: passage_shown.send_robust(sender=Passage, users=users), robust=True)
    return reveal


def _widen(passage: Passage, readers: Collection[Membership], now: datetime) -> None:
    """Let `readers` read a passage that isn't open to everyone; with none of them, everyone."""
    if not readers:
        passage.audience, passage.opened = PassageAudience.EVERYONE, now
    else:
        known = passage.readership.all()
        if passage.audience != PassageAudience.CHOSEN:
            known.delete()  # left from an audience that it no longer has
        before = set(known.values_list("membership_id", flat=True))
        Readership.objects.bulk_create(
            Readership(passage=passage, membership=each, since=now) for each in readers if each.pk not in before
        )
        passage.audience = PassageAudience.CHOSEN
    passage.version += 1
    passage.save(update_fields=["audience", "opened", "version"])


def fresh_for(user_id: int, chronicles: Collection[str], now: datetime) -> Fresh | None:
    """What a user was shown last, if that was within `FRESH` and they may read it."""
    recent = Reveal.objects.filter(at__gt=now - FRESH, passage__page__chronicle__in=chronicles)
    # Almost always there is none, and nothing more has to be asked.
    tables = set(recent.values_list("passage__page__chronicle", flat=True))
    if not tables:
        return None
    members = Membership.objects.active().filter(user_id=user_id, user__is_active=True, chronicle__in=tables)
    found = [each for member in members.exclude(role=Role.STORYTELLER) for each in _shown_to(member, recent)]
    last = max(found, key=lambda each: (each.at, each.pk), default=None)
    return Fresh(last.pk, last.passage.page.chronicle_id, last.passage_id) if last else None


def _shown_to(member: Membership, recent: Any) -> list[Reveal]:
    theirs = recent.filter(Q(everyone=True) | Q(to=member), passage__in=passages_for(member).order_by().values("pk"))
    return list(theirs.select_related("passage__page").order_by("-at", "-pk")[:1])
