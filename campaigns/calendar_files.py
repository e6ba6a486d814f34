"""Sessions as iCalendar files (RFC 5545): a whole chronicle's for a feed, or a single one's.

An allow-list: time, title and place. No answers, recaps, preparation, or ids of anything. Equal sessions give equal
bytes, whenever and however often they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid5

from django.utils import translation
from icalendar import Calendar, Event, vDuration, vText

from campaigns.models import CalendarFeed, Chronicle, Progress, Session
from campaigns.names import printable
from campaigns.sessions import heading

EVENING = timedelta(hours=4)
"""How long a session lasts that hasn't ended."""

LONGEST = timedelta(hours=16)
"""A session that was ended later than this was forgotten, or written down another day."""

REFRESH = timedelta(hours=1)
"""How often calendars should read a feed again."""

NAMES = UUID("a6f0c1de-52a7-5b8e-9d0f-3b6f6f2f9c41")
"""The namespace of sessions' UIDs: from a UID nobody learns the session's id."""


def feed_file(feed: CalendarFeed) -> bytes:
    """All sessions of a member's chronicle that have a time, in the member's language."""
    chronicle = feed.membership.chronicle
    with translation.override(feed.membership.user.language or feed.language or None):
        made = _calendar(chronicle, _sessions_of(chronicle))
        # The older of the two names of each are what most calendars read. Their type is given, or the library would
        # write them without escapes.
        for each in ("name", "x-wr-calname"):
            made.add(each, vText(_line(chronicle.name)))
        made.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
        made.add("x-published-ttl", vDuration(REFRESH))
    return _bytes(made)


def session_file(session: Session) -> bytes | None:
    """One session, in the active language; None while it has no time."""
    return _bytes(_calendar(session.chronicle, [session])) if begins(session) else None


def begins(session: Session) -> datetime | None:
    """When a session begins: as announced, or else when it was begun; None if neither is known."""
    return session.starts or session.begun


def _bytes(calendar: Calendar) -> bytes:
    found: bytes = calendar.to_ical()
    return found


def _sessions_of(chronicle: Chronicle) -> Iterable[Session]:
    # In an order of their own, so that the bytes stay the same. Without the recap, which is long.
    return Session.objects.filter(chronicle=chronicle).defer("recap").order_by("number")


def _calendar(chronicle: Chronicle, sessions: Iterable[Session]) -> Calendar:
    made = Calendar()
    made.add("prodid", "-//Vesper//Vesper//EN")
    made.add("version", "2.0")
    for each in sessions:
        if start := begins(each):
            made.add_component(_event(chronicle, each, start.astimezone(UTC)))
    return made


def _event(chronicle: Chronicle, session: Session, start: datetime) -> Event:
    event, changed = Event(), (session.changed or session.created).astimezone(UTC)
    called = f"{heading(session.number, _line(session.title))} · {_line(chronicle.name)}"
    off = session.progress == Progress.CANCELLED
    event.add("uid", str(uuid5(NAMES, session.pk)))
    event.add("sequence", session.version)
    event.add("dtstamp", changed)
    event.add("created", session.created.astimezone(UTC))
    event.add("last-modified", changed)
    event.add("dtstart", start)
    if end := _end(session, start):
        event.add("dtend", end)
    # In words too: some calendars show what is cancelled like everything else.
    event.add("summary", f"{session.get_progress_display()}: {called}" if off else called)
    if session.place:
        event.add("location", _line(session.place))
    event.add("status", "CANCELLED" if off else "CONFIRMED")
    event.add("transp", "TRANSPARENT" if off else "OPAQUE")
    return event


def _end(session: Session, start: datetime) -> datetime | None:
    if session.ended and start < session.ended <= start + LONGEST:
        return session.ended.astimezone(UTC)
    try:
        return start + EVENING
    except OverflowError:  # announced for the last evening of the last year
        return None


def _line(text: str) -> str:
    """Forms clean names; some were saved before they did."""
    return " ".join(printable(text).split())
