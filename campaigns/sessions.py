"""A chronicle's sessions: which one is played or comes next, and what is prepared for it."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Q
from django.http import Http404
from django.utils.translation import gettext as _

from campaigns.access import member_or_404
from campaigns.models import Membership, Preparation, Progress, Session, User

OVER = (Progress.PLAYED, Progress.CANCELLED)
OPEN = (Progress.PLANNED, Progress.PLAYING)


def heading(number: int, title: str) -> str:
    """How a session is called: by its number, and its title if it has one."""
    words = {"number": number, "title": title}
    return _("Session %(number)s: %(title)s") % words if title else _("Session %(number)s") % words


def playing(chronicle_id: str) -> Session | None:
    """The session that is being played; None if none is."""
    return Session.objects.filter(chronicle_id=chronicle_id, progress=Progress.PLAYING).first()


def upcoming(chronicle_id: str) -> Session | None:
    """The session that is played now, or else the next one planned; those without a date come last."""
    planned = Session.objects.filter(chronicle_id=chronicle_id, progress=Progress.PLANNED)
    return playing(chronicle_id) or planned.order_by(F("starts").asc(nulls_last=True), "number").first()


def prepared_for(session: Session) -> list[Preparation]:
    """The Storytellers' list for a session: its own items, those ticked in it, and what earlier sessions left over.

    What is left over is on the list of the session that comes next, and on no other. Of a session that is over, only
    what was used in it stays.
    """
    listed = Q(used_in=session)
    if session.progress in OPEN:
        listed |= Q(used=None, session=session)
        following = upcoming(session.chronicle_id)
        if following is not None and following.pk == session.pk:
            listed |= Q(used=None) & (Q(session=None) | Q(session__progress__in=OVER))
    items = Preparation.objects.filter(chronicle_id=session.chronicle_id).filter(listed)
    return list(items.select_related("session"))


def use_fight(fight: str, session: Session | None, now: datetime) -> None:
    """Tick what was prepared for a fight that begins, in the session that is being played, if one is."""
    Preparation.objects.filter(fight=fight, used=None).update(used=now, used_in=session)


def session_or_404(user: User | AnonymousUser, session_id: str) -> tuple[Session, Membership]:
    """A session and the user's membership of its chronicle; `Http404` for those who are no members."""
    found = Session.objects.filter(pk=session_id).first()
    if found is None:
        raise Http404("No such session")
    membership = member_or_404(user, found.chronicle_id)
    found.chronicle = membership.chronicle
    return found, membership
