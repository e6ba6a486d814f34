"""Who may write to a character, asked again under the chronicle's lock."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from campaigns.access import may_play
from campaigns.models import Membership
from campaigns.services import lock
from characters.models import Character


def present(by: Membership) -> Membership:
    """The acting member, under the chronicle's lock. Raises `PermissionDenied` for somebody who is gone."""
    lock(by.chronicle_id)
    found = Membership.objects.active().filter(pk=by.pk, user__is_active=True).first()
    if found is None:
        raise PermissionDenied(_("You are no longer at this table."))
    return found


def lock_as_writer(by: Membership, character: Character) -> tuple[Membership, Character]:
    """The acting member, and the character locked for them. Raises `PermissionDenied`, and `Http404` if it is gone."""
    by = present(by)
    locked = get_object_or_404(Character.objects.select_for_update(), pk=character.pk, chronicle_id=by.chronicle_id)
    if not by.is_storyteller and (locked.owner_id != by.user_id or not may_play(by)):
        raise PermissionDenied(_("Only its player and the Storyteller can do that."))
    return by, locked
