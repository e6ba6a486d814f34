"""What comes next in each of a user's chronicles, and what waits for them there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from campaigns import access
from campaigns.models import Attendance, Membership, Progress, Session
from campaigns.rulesets import why_missing

NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Coming:
    """The session that is played or comes next, None if none is planned, and what waits for the reader.

    `unanswered`: they haven't said whether they'll be there. `requests` are those for experience.
    """

    starts: datetime | None = None
    place: str = ""
    is_planned: bool = False
    is_playing: bool = False
    unanswered: bool = False
    requests: int = 0


def coming_for(memberships: Collection[Membership]) -> Mapping[str, Coming]:
    """What comes next by chronicle id. The memberships are one user's."""
    following = _following([one.chronicle_id for one in memberships])
    mine = {one.user_id for one in memberships}
    given = Attendance.objects.filter(session__in=[each.pk for each in following.values()], user__in=mine)
    answered = set(given.exclude(answer="").values_list("session", flat=True))
    requests = access.requests_waiting_in([one.chronicle_id for one in memberships if one.is_storyteller])
    return {
        one.chronicle_id: _coming(
            one, following.get(one.chronicle_id), answered, 0 if _is_closed(one) else requests.get(one.chronicle_id, 0)
        )
        for one in memberships
    }


def _is_closed(membership: Membership) -> bool:
    return bool(why_missing(membership.chronicle.ruleset))


def _coming(membership: Membership, session: Session | None, answered: Collection[str], requests: int) -> Coming:
    if session is None:
        return Coming(requests=requests)
    planned = session.progress == Progress.PLANNED
    asked = planned and access.may_play(membership) and not _is_closed(membership)
    return Coming(
        starts=session.starts,
        place=session.place,
        is_planned=planned,
        is_playing=not planned,
        unanswered=asked and session.pk not in answered,
        requests=requests,
    )


def _following(chronicles: Collection[str]) -> dict[str, Session]:
    """By chronicle, the session that `sessions.upcoming` finds."""
    open_ones = Session.objects.filter(chronicle__in=chronicles, progress__in=(Progress.PLAYING, Progress.PLANNED))
    found: dict[str, Session] = {}
    for each in sorted(open_ones.defer("recap"), key=_place, reverse=True):
        found[each.chronicle_id] = each
    return found


def _place(session: Session) -> tuple[bool, datetime, int]:
    return session.progress != Progress.PLAYING, session.starts or NEVER, session.number
