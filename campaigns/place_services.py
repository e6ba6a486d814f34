"""What Storytellers do with an open place: invite the person whose it is, or give it to a member.

Each is one transaction under the chronicle's lock, where rights are checked again: see `campaigns.services`.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from campaigns import audit, open_places
from campaigns.errors import Refused
from campaigns.models import Chronicle, Invitation, Membership
from campaigns.services import lock_as_storyteller, tell_member
from campaigns.tokens import hash_token, new_token


@transaction.atomic
def invite_to(*, by: Membership, place: Membership, expires: datetime) -> tuple[Invitation, str]:
    """Create an invitation to take an open place; returns it with its token, which isn't stored.

    Raises `Refused` if the place was taken or removed meanwhile.
    """
    chronicle = lock_as_storyteller(by)
    place = _open(chronicle, place)
    token = new_token()
    invitation = Invitation.objects.create(
        chronicle=chronicle,
        token_hash=hash_token(token),
        role=place.role,
        label=place.user.display_name[: Invitation._meta.get_field("label").max_length],
        expires=expires,
        created_by=by.user,
        place=place,
    )
    audit.note("invitation-made", chronicle=chronicle.pk, invitation=invitation.pk, role=place.role)
    return invitation, token


@transaction.atomic
def give(*, by: Membership, place: Membership, member: Membership) -> None:
    """Give an open place, with everything that belongs to it, to a member. It can't be undone.

    Raises `Refused` if the place was taken or removed meanwhile, or the member left.
    """
    chronicle = lock_as_storyteller(by)
    place = _open(chronicle, place)
    rows = chronicle.memberships.active().taken().select_related("user")
    present = rows.filter(pk=member.pk).first()
    if present is None:
        raise Refused(_("%(name)s is no longer at this table.") % {"name": member.user.display_name})
    audit.note("place-given", chronicle=chronicle.pk, member=present.user_id, role=present.role)
    open_places.merge(place, present)
    tell_member(present)


def _open(chronicle: Chronicle, place: Membership) -> Membership:
    found = chronicle.memberships.active().select_related("user").filter(pk=place.pk).first()
    if found is None or not found.is_open:
        raise Refused(_("This place isn’t open any more."))
    return found
