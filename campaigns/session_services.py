"""Writes to a chronicle's sessions: announcing, answering, preparing, playing and ending them.

Each is one transaction under the chronicle's lock, where rights are checked again: see `campaigns.services`. What
doesn't fit the session any more (an answer to one that is over) raises `Refused`; what is done already is a no-op.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date, datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Max
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns import sessions
from campaigns.access import may_play
from campaigns.errors import EditConflict, Refused
from campaigns.models import Answer, Attendance, Chronicle, Membership, Page, Preparation, Progress, Session
from campaigns.services import lock, lock_as_storyteller
from campaigns.signals import session_announced, session_ended

MOST_ITEMS = 200
"""How many items a session's list may have."""


@transaction.atomic
def announce(*, by: Membership, title: str = "", starts: datetime | None = None, place: str = "") -> Session:
    """Announce a session. It gets the next number."""
    chronicle = lock_as_storyteller(by)
    number = (chronicle.sessions.aggregate(highest=Max("number"))["highest"] or 0) + 1
    made: Session = Session.objects.create(chronicle=chronicle, number=number, title=title, starts=starts, place=place)
    session_announced.send_robust(sender=Session, session=made)
    return made


@transaction.atomic
def edit(
    *,
    by: Membership,
    session: Session,
    version: int,
    title: str,
    starts: datetime | None,
    place: str,
    story_begins: date | None = None,
    story_ends: date | None = None,
) -> None:
    """Change what is announced. Raises `EditConflict` if `version` is no longer the session's."""
    found = _locked(by, session, version)
    found.title, found.starts, found.place = title, starts, place
    found.story_begins, found.story_ends = story_begins, story_ends
    _save(found, "title", "starts", "place", "story_begins", "story_ends")


@transaction.atomic
def cancel(*, by: Membership, session: Session) -> None:
    """Call off a planned session."""
    _move(_locked(by, session), Progress.CANCELLED, {Progress.PLANNED})


@transaction.atomic
def restore(*, by: Membership, session: Session) -> None:
    """Plan a cancelled session after all."""
    _move(_locked(by, session), Progress.PLANNED, {Progress.CANCELLED})


@transaction.atomic
def begin(*, by: Membership, session: Session, now: datetime) -> None:
    """Begin to play a session. Raises `Refused` while another one is played."""
    found = _locked(by, session)
    _refuse_two(found)
    found.begun = found.begun or now
    _move(found, Progress.PLAYING, {Progress.PLANNED}, "begun")


@transaction.atomic
def take_back(*, by: Membership, session: Session) -> None:
    """Plan a session again that was begun by mistake. Its fights stay with it."""
    found = _locked(by, session)
    found.begun = None
    _move(found, Progress.PLANNED, {Progress.PLAYING}, "begun")


@transaction.atomic
def reopen(*, by: Membership, session: Session) -> None:
    """Go on with a session that was ended by mistake. Its recap and the attendance are kept for the next ending."""
    found = _locked(by, session)
    _refuse_two(found)
    found.ended = None
    _move(found, Progress.PLAYING, {Progress.PLAYED}, "ended")


@transaction.atomic
def end(*, by: Membership, session: Session, version: int, recap: str, came: Mapping[int, bool], now: datetime) -> None:
    """End a session, or change what is written of one that is over: its recap and attendance.

    `came` says it of users by their id; those it doesn't name stay as they are. Raises `EditConflict` if `version` is
    no longer the session's, and `Refused` for a session that wasn't played.
    """
    found = _locked(by, session, version)
    if found.progress not in (Progress.PLAYING, Progress.PLAYED):
        raise Refused(_("This session wasn’t played."))
    if recap != found.recap:
        found.recap, found.told = recap, now if recap else None
    newly = found.progress == Progress.PLAYING
    found.progress, found.ended = Progress.PLAYED, found.ended or now
    _save(found, "recap", "told", "progress", "ended")
    of_table = set(found.chronicle.memberships.values_list("user_id", flat=True))
    of_table |= set(found.attendance.values_list("user_id", flat=True))
    for user in sorted(came.keys() & of_table):
        Attendance.objects.update_or_create(session=found, user_id=user, defaults={"came": came[user]})
    if newly:
        session_ended.send_robust(sender=Session, session=found)


@transaction.atomic
def answer(*, by: Membership, session: Session, answer: Answer, word: str = "", now: datetime) -> None:
    """Say whether a player or Storyteller will be there. The latest answer counts; `Refused` if none is asked for."""
    chronicle = lock(by.chronicle_id)
    member = Membership.objects.active().filter(pk=by.pk, user__is_active=True).first()
    if member is None or not may_play(member):
        raise PermissionDenied(_("Only players and Storytellers answer."))
    found = _found(chronicle, session)
    if found.progress != Progress.PLANNED:
        raise Refused(_("Nobody is asked about this session any more."))
    given, _made = Attendance.objects.get_or_create(session=found, user_id=member.user_id)
    if (given.answer, given.word) != (answer, word):
        given.answer, given.word, given.answered = answer, word, now
        given.save(update_fields=["answer", "word", "answered"])


@transaction.atomic
def prepare(
    *, by: Membership, session: Session, text: str, page: Page | None = None, fight: str = ""
) -> Preparation | None:
    """Add an item to the end of a session's list. None if it is there already: the same press twice."""
    chronicle = lock_as_storyteller(by)
    found = _found(chronicle, session)
    if found.progress not in (Progress.PLANNED, Progress.PLAYING):
        raise Refused(_("This session is over. Prepare the next one."))
    listed = sessions.prepared_for(found)
    if len(listed) >= MOST_ITEMS:
        raise Refused(_("The list is full. Delete an item first."))
    about = (text, page.pk if page else None, fight)
    if any((each.text, each.page_id, each.fight) == about and not each.used for each in listed):
        return None
    place = (chronicle.preparations.aggregate(highest=Max("place"))["highest"] or 0) + 1
    made: Preparation = Preparation.objects.create(
        chronicle=chronicle, session=found, text=text, page=page, fight=fight, place=place
    )
    return made


@transaction.atomic
def tick(*, by: Membership, session: Session, item: str, now: datetime | None) -> None:
    """Mark an item of a session's list as used there; as unused again if `now` is None."""
    found, listed = _list(by, session)
    one = _item(listed, item)
    if bool(one.used) != bool(now):
        one.used, one.used_in = now, found if now else None
        one.save(update_fields=["used", "used_in"])


@transaction.atomic
def move(*, by: Membership, session: Session, item: str, before: str = "", after: str = "") -> bool:
    """Move an item directly `before` or `after` its neighbour. False if they aren't neighbours any more.

    Nothing moves if they are in that order already, so a repeated press is harmless.
    """
    _session, listed = _list(by, session)
    found = {each.pk: each for each in listed}
    order, wanted = list(found), [item, before] if before else [after, item]
    if not any(order[at : at + 2] in (wanted, wanted[::-1]) for at in range(len(order))):
        return False
    at = min(order.index(each) for each in wanted)
    order[at : at + 2] = wanted
    for place, pk in enumerate(order, 1):
        if found[pk].place != place:
            found[pk].place = place
            found[pk].save(update_fields=["place"])
    return True


@transaction.atomic
def remove(*, by: Membership, session: Session, item: str) -> None:
    """Delete an item from a session's list; a no-op if it is gone."""
    _session, listed = _list(by, session)
    for one in listed:
        if one.pk == item:
            one.delete()


def _locked(by: Membership, session: Session, version: int | None = None) -> Session:
    found = _found(lock_as_storyteller(by), session)
    if version is not None and found.version != version:
        raise EditConflict
    return found


def _found(chronicle: Chronicle, session: Session) -> Session:
    # The chronicle's lock is enough: every write to its sessions takes it.
    found: Session = get_object_or_404(Session.objects.select_related("chronicle"), pk=session.pk, chronicle=chronicle)
    return found


def _list(by: Membership, session: Session) -> tuple[Session, list[Preparation]]:
    found = _found(lock_as_storyteller(by), session)
    return found, sessions.prepared_for(found)


def _item(listed: Collection[Preparation], item: str) -> Preparation:
    for one in listed:
        if one.pk == item:
            return one
    raise Refused(_("This item isn’t on the list any more."))


def _move(session: Session, to: Progress, of: Collection[Progress], *fields: str) -> None:
    if session.progress == to:
        return
    if session.progress not in of:
        raise Refused(_("The session has moved on in the meantime."))
    session.progress = to
    _save(session, "progress", *fields)


def _save(session: Session, *fields: str) -> None:
    session.version += 1
    session.changed = timezone.now()
    session.save(update_fields=[*fields, "changed", "version"])


def _refuse_two(session: Session) -> None:
    other: Any = sessions.playing(session.chronicle_id)
    if other is not None and other.pk != session.pk:
        raise Refused(_("Session %(number)s is still being played. End it first.") % {"number": other.number})
