"""`sessions.json`: the sessions, with the answers to them and who attended."""

from __future__ import annotations

from typing import Any

from campaigns.archives import rows
from campaigns.archives.moving import Coming, Going
from campaigns.models import Attendance, Progress, Session

FILE = "sessions.json"

COLUMNS = (
    *("number", "title", "starts", "place", "progress", "begun", "ended"),
    *("story_begins", "story_ends", "recap", "told", "created"),
)
OF_ATTENDANCE = ("answer", "word", "answered", "came")

MOST_SESSIONS = 2_000
HIGHEST = 100_000
"""The highest number of a session."""


def take_out(going: Going) -> None:
    """Write the file."""
    found = list(Session.objects.filter(chronicle=going.chronicle).order_by("number").prefetch_related("attendance"))
    going.box.add_json(FILE, {"sessions": [_written(each, going) for each in found]})
    going.counts["sessions"] = len(found)
    going.tell(len(found))


def bring_in(coming: Coming) -> None:
    """Read the file. Raises `BadArchive`."""
    said = rows.fields(coming.box.json(FILE), ("sessions",), FILE)
    given = rows.objects(said, "sessions", FILE)
    rows.at_most(given, MOST_SESSIONS, "sessions", FILE)
    attendance: list[Attendance] = []
    sessions = [_read(each, coming, attendance) for each in given]
    if len({each.number for each in sessions}) < len(sessions):
        raise rows.invalid("number", FILE)
    if sum(each.progress == Progress.PLAYING for each in sessions) > 1:
        raise rows.invalid("progress", FILE)
    coming.count("sessions", len(sessions), FILE)
    coming.add(sessions)
    coming.add(attendance)
    coming.tell(len(sessions))


def _written(session: Session, going: Going) -> dict[str, Any]:
    answers = [
        {"person": going.person(each.user_id), **rows.write(each, OF_ATTENDANCE)} for each in session.attendance.all()
    ]
    return {"id": session.pk, **rows.write(session, COLUMNS), "attendance": answers}


def _read(said: dict[str, Any], coming: Coming, attendance: list[Attendance]) -> Session:
    session = rows.read(said, Session, COLUMNS, file=FILE, also=("id", "attendance"))
    coming.named(session, said["id"], FILE)
    session.chronicle = coming.chronicle
    if not 1 <= session.number <= HIGHEST:
        raise rows.invalid("number", FILE)
    if session.progress not in Progress.values:
        raise rows.invalid("progress", FILE)
    people = set()
    for each in rows.objects(said, "attendance", FILE):
        row = rows.read(each, Attendance, OF_ATTENDANCE, file=FILE, also=("person",))
        row.session = session
        user = coming.user(each["person"], FILE)
        if user is None or each["person"] in people:
            raise rows.invalid("person", FILE)
        people.add(each["person"])
        row.user = user
        attendance.append(row)
    return session
