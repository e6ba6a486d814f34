"""Open places: those of people in a chronicle that was brought in who have no account here, until they take them.

An open place is an account that nobody can sign in to (`User.place_in`), with a membership like any other. So what
a person owns, wrote, read or attended belongs to somebody, and passes to the account that takes the place.
"""

from __future__ import annotations

from typing import Any

from campaigns.models import (
    Attendance,
    Chronicle,
    Invitation,
    Membership,
    Page,
    Passage,
    Readership,
    Reveal,
    Role,
    User,
)
from campaigns.signals import place_taken
from campaigns.tokens import public_id

PREFIX = "open:"
"""The prefix of their user names. No form accepts a colon in one, so nobody signs up with such a name."""

MOVED: dict[Any, tuple[str, ...]] = {
    Page: ("author",),
    Passage: ("author",),
    Reveal: ("by",),
    Invitation: ("created_by",),
}
"""What passes to the account that takes a place, by model. Attendance is merged, and the apps above move their own."""


def account_for(chronicle: Chronicle, name: str) -> User:
    """An unsaved account for an open place."""
    user = User(username=f"{PREFIX}{public_id()}", first_name=name, is_active=False, place_in=chronicle)
    user.set_unusable_password()
    return user


def take(place: Membership, user: User) -> None:
    """Give an open place to somebody who isn't a member yet. The caller holds the chronicle's lock."""
    before, place.user = place.user, user
    place.save(update_fields=["user"])
    _move(before, place, place)


def merge(place: Membership, member: Membership) -> None:
    """Give what belongs to an open place to a member, and remove the place. The caller holds the chronicle's lock.

    Members keep their role, except that an observer who takes the place of somebody who plays becomes a player:
    observers have no characters.
    """
    if member.role == Role.OBSERVER and place.role != Role.OBSERVER:
        member.role = Role.PLAYER
        member.save(update_fields=["role"])
    merge_readers(Readership, "passage", place, member)
    for reveal in Reveal.objects.filter(to=place):
        reveal.to.add(member)
    _move(place.user, place, member)
    place.delete()


def move_all(moved: dict[Any, tuple[str, ...]], before: User, user: User) -> None:
    """Let columns that refer to one account refer to another, also in rows in the bin."""
    for model, columns in moved.items():
        for column in columns:
            model._base_manager.filter(**{column: before}).update(**{column: user})


def merge_readers(readership: Any, of: str, place: Membership, member: Membership) -> None:
    """Let a member read what an open place was chosen to read, since when either of them did."""
    known = {getattr(row, f"{of}_id"): row for row in readership.objects.filter(membership=member)}
    for row in readership.objects.filter(membership=place):
        own = known.get(getattr(row, f"{of}_id"))
        if own is None:
            row.membership = member
            row.save(update_fields=["membership"])
        elif row.since < own.since:
            own.since = row.since
            own.save(update_fields=["since"])


def _move(before: User, place: Membership, member: Membership) -> None:
    user = member.user
    move_all(MOVED, before, user)
    own = {row.session_id: row for row in Attendance.objects.filter(user=user, session__chronicle=member.chronicle_id)}
    for row in Attendance.objects.filter(user=before):
        if row.session_id in own:
            _complete(own[row.session_id], row)
            row.delete()
        else:
            row.user = user
            row.save(update_fields=["user"])
    place_taken.send(sender=Membership, before=before, place=place, member=member)


def _complete(own: Attendance, other: Attendance) -> None:
    """Add to somebody's own answer what only the other says."""
    if not own.answer:
        own.answer, own.word, own.answered = other.answer, other.word, other.answered
    if own.came is None or other.came:
        own.came = other.came
    own.save(update_fields=["answer", "word", "answered", "came"])
