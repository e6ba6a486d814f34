"""Calendar addresses: a secret, revocable link per member, which calendars read without signing in.

A feed holds the sessions' time, title and place, and no more: see `campaigns.calendar_files`.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from campaigns import audit
from campaigns.models import CalendarFeed, Membership
from campaigns.services import lock
from campaigns.tokens import hash_token, new_token


def behind(token: str) -> CalendarFeed | None:
    """The feed at an address; None for any other, and for members who no longer may read it."""
    found = CalendarFeed.objects.filter(
        token_hash=hash_token(token), membership__removed_at=None, membership__user__is_active=True
    )
    return found.select_related("membership__chronicle", "membership__user").first()


@transaction.atomic
def open_feed(*, by: Membership) -> str:
    """Make a member's calendar address, which replaces the one before. Returns its token, which isn't stored.

    Raises `PermissionDenied` for somebody who is no longer a member.
    """
    lock(by.chronicle_id)
    if not Membership.objects.active().filter(pk=by.pk, user__is_active=True).exists():
        raise PermissionDenied(_("You aren’t a member of this chronicle any more."))
    token = new_token()
    CalendarFeed.objects.update_or_create(
        membership=by, defaults={"token_hash": hash_token(token), "language": get_language() or ""}
    )
    audit.note("calendar-opened", chronicle=by.chronicle_id)
    return token


@transaction.atomic
def close_feed(*, by: Membership) -> None:
    """Revoke a member's calendar address; a no-op without one."""
    lock(by.chronicle_id)
    CalendarFeed.objects.filter(membership=by).delete()
    audit.note("calendar-closed", chronicle=by.chronicle_id)
