"""Authorisation: who may see which fight, and as which audience. Every query starts from the user's membership."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.utils import timezone

from campaigns.access import check_playable, check_storyteller, membership_of
from campaigns.models import Membership, Role, SignIn, User
from campaigns.rulesets import why_missing
from campaigns.sign_ins import made_with
from combat.models import Encounter
from combat.secrecy.audiences import STORYTELLER, TABLE, player_audience

LONGEST_KEY = 40
"""Maximum length of a session key."""


def audience_of(membership: Membership) -> str:
    """Whose view this member gets: "storyteller", "player-<user id>", or "table" for those who only watch."""
    if membership.is_storyteller:
        return STORYTELLER
    return player_audience(membership.user_id) if membership.role == Role.PLAYER else TABLE


def reader_name(user_id: int) -> str:
    """The key for counting a user's sockets, on all pages."""
    return f"user {user_id}"


@dataclass(frozen=True, slots=True)
class Seen:
    """A fight and the member who looks at it."""

    encounter: Encounter
    membership: Membership

    @property
    def is_storyteller(self) -> bool:
        return self.membership.is_storyteller

    @property
    def audience(self) -> str:
        return audience_of(self.membership)

    @property
    def reader(self) -> str:
        """The key for counting this member's sockets."""
        return reader_name(self.membership.user_id)


def encounter_or_404(user: User | AnonymousUser, encounter_id: str, *, read_only_too: bool = False) -> Seen:
    """A fight this user may know about. For everybody but Storytellers, drafts don't exist.

    Raises `RulesetMissing` if the chronicle's ruleset can't be played, except with `read_only_too`.
    """
    encounter = Encounter.objects.without_state().filter(pk=encounter_id).first()
    membership = encounter and membership_of(user, encounter.chronicle_id)
    if not encounter or not membership or not (membership.is_storyteller or encounter.visible_to_players):
        raise Http404("No such encounter")
    encounter.chronicle = membership.chronicle
    if not read_only_too:
        check_playable(encounter.chronicle)
    return Seen(encounter, membership)


def fight_or_404(user: User | AnonymousUser, encounter_id: str, *, read_only_too: bool = False) -> Seen:
    """Like `encounter_or_404`, but without the rolls outside fights."""
    seen = encounter_or_404(user, encounter_id, read_only_too=read_only_too)
    if seen.encounter.outside_fights:
        raise Http404("No fight")
    return seen


def storyteller_or_403(user: User | AnonymousUser, encounter_id: str, *, read_only_too: bool = False) -> Seen:
    """Like `fight_or_404`, and raises `PermissionDenied` for members who aren't Storytellers."""
    seen = fight_or_404(user, encounter_id, read_only_too=True)
    check_storyteller(seen.membership)
    if not read_only_too:
        check_playable(seen.encounter.chronicle)
    return seen


def seen_by(users: Collection[int], encounter_id: str) -> dict[int, Seen]:
    """Like `encounter_or_404` for several users: by user id, without those who may not know about the fight.

    Empty if the ruleset can't be played, because that page isn't live.
    """
    encounter = Encounter.objects.without_state().select_related("chronicle").filter(pk=encounter_id).first()
    if encounter is None or why_missing(encounter.chronicle.ruleset):
        return {}
    members = Membership.objects.active().filter(chronicle_id=encounter.chronicle_id, user_id__in=set(users))
    return {
        member.user_id: Seen(encounter, member)
        for member in members.filter(user__is_active=True)
        if member.is_storyteller or encounter.visible_to_players
    }


# ------------------------------------------------------------------ sockets


def session_key(scope: Any) -> str:
    """The session key that a socket was opened with; "" for none."""
    key = str(scope.get("cookies", {}).get(settings.SESSION_COOKIE_NAME, ""))
    return key if key.isalnum() and len(key) <= LONGEST_KEY else ""


def signed_in(session_keys: Collection[str]) -> dict[str, int]:
    """User ids by session key, without sessions that ended or were opened with an old password.

    A socket remembers the user who opened it; this checks the database again, for any number of sockets at once.
    """
    keys, now = set(session_keys), timezone.now()
    alive = SignIn.objects.filter(session_key__in=keys, expire_date__gt=now, user__is_active=True)
    rows = alive.values_list("session_key", "session_data", "user_id", "user__password")
    return {key: user for key, data, user, password in rows if made_with(data, user, password)}
