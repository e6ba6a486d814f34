"""Viewing a chronicle as one of its members: a Storyteller sees exactly what that member sees, and changes nothing.

`config.viewing` answers such requests: `request.user` is the member, and `viewing` says on whose behalf. Code that
writes while it reads, such as a mark of what was looked at, must leave that out while `viewing()` isn't None.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from django.urls import get_script_prefix

from campaigns.models import Membership, User
from campaigns.people import told_apart


@dataclass(frozen=True, slots=True)
class Viewing:
    """Whose view is shown (`member`), and to which Storyteller (`by`)."""

    member: Membership
    by: User

    @property
    def name(self) -> str:
        """The member's name, for the banner."""
        return str(self.member.user.display_name)

    @property
    def chronicle_id(self) -> str:
        """The only chronicle that exists in this view."""
        return self.member.chronicle_id


_viewing: ContextVar[Viewing | None] = ContextVar("viewing", default=None)


def viewing() -> Viewing | None:
    """As whom the chronicle is viewed in this request; None for readers who look for themselves."""
    return _viewing.get()


@contextmanager
def viewed_as(view: Viewing) -> Iterator[None]:
    """Answer a request as that member."""
    mark = _viewing.set(view)
    try:
        yield
    finally:
        _viewing.reset(mark)


def viewable(by: User, membership_id: int) -> Viewing | None:
    """The view of a player or observer in one of the user's own chronicles; None where the user isn't a Storyteller.

    An open place has none: it is not an active account.
    """
    member = Membership.objects.active().filter(pk=membership_id, user__is_active=True).select_related("user").first()
    if member is None or member.is_storyteller or not by.is_authenticated or not by.is_active:
        return None
    if not Membership.objects.storytellers().filter(chronicle_id=member.chronicle_id, user_id=by.pk).exists():
        return None
    told_apart(member.chronicle_id, [member.user])
    return Viewing(member, by)


def view_as_url(member: Membership) -> str:
    """The address of the chronicle as this member sees it."""
    return f"{get_script_prefix()}as/{member.pk}/"
