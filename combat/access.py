"""Who may see which fight, and as which audience. Every question starts from the asker's own membership."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from campaigns.access import memberships_of
from campaigns.models import Membership, Role, User
from combat.models import Encounter

STORYTELLER = "storyteller"
TABLE = "table"


def audience_of(membership: Membership) -> str:
    """Whose view this member gets: "storyteller", "player-<user id>", or "table" for those who only watch."""
    if membership.is_storyteller:
        return STORYTELLER
    return player_audience(membership.user_id) if membership.role == Role.PLAYER else TABLE


def player_audience(user_id: int) -> str:
    """The audience of one player."""
    return f"player-{user_id}"


def player_of(audience: str) -> int | None:
    """The user whose audience this is, None for those of several."""
    _player, _dash, user_id = audience.partition("-")
    return int(user_id) if user_id else None


@dataclass(frozen=True, slots=True)
class Seen:
    """A fight, and whoever looks at it."""

    encounter: Encounter
    membership: Membership

    @property
    def is_storyteller(self) -> bool:
        return self.membership.is_storyteller

    @property
    def audience(self) -> str:
        return audience_of(self.membership)


def encounter_or_404(user: User | AnonymousUser, encounter_id: str) -> Seen:
    """A fight this user may know of. A draft, for all but its Storytellers, is as absent as one that never was."""
    memberships = memberships_of(user)
    encounter = (
        Encounter.objects.filter(pk=encounter_id, chronicle__in=memberships.values("chronicle"))
        .select_related("chronicle")
        .first()
    )
    membership = encounter and memberships.filter(chronicle_id=encounter.chronicle_id).first()
    if not encounter or not membership or not (membership.is_storyteller or encounter.visible_to_players):
        raise Http404("No such encounter")
    return Seen(encounter, membership)


def fight_or_404(user: User | AnonymousUser, encounter_id: str) -> Seen:
    """As `encounter_or_404`, for what only a fight has: the rolls outside fights are none."""
    seen = encounter_or_404(user, encounter_id)
    if seen.encounter.outside_fights:
        raise Http404("No fight")
    return seen


def storyteller_or_403(user: User | AnonymousUser, encounter_id: str) -> Seen:
    """As `fight_or_404`, and `PermissionDenied` for members who are no Storyteller there."""
    seen = fight_or_404(user, encounter_id)
    if not seen.is_storyteller:
        raise PermissionDenied(_("Only a Storyteller of this chronicle can do that."))
    return seen


def signed_in(scope: Any) -> User | None:
    """The user of a socket, if the session it was opened with lives and the password is still the one it was made with.

    A socket keeps the user it was opened by; this asks the database anew.
    """
    key = getattr(scope.get("session"), "session_key", None)
    if not key:
        return None
    session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    if SESSION_KEY not in session:
        return None
    user = User.objects.filter(pk=session[SESSION_KEY], is_active=True).first()
    if user is None:
        return None
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    known = str(session.get(HASH_SESSION_KEY, ""))
    return user if any(constant_time_compare(known, each) for each in hashes) else None
