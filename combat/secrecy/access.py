"""Authorisation: who may see which fight, and as which audience. Every query starts from the user's membership."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import F, FilteredRelation, Q, QuerySet
from django.http import Http404
from django.utils import timezone

from campaigns.access import check_playable, check_storyteller
from campaigns.models import Chronicle, Membership, Role, SignIn, User
from campaigns.prepared import Many, Param, Prepared
from campaigns.rulesets import why_missing
from campaigns.sign_ins import made_with
from campaigns.viewing import viewing
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


def with_member() -> QuerySet[Encounter]:
    """A queryset to prepare: the `encounter` without its state, with its chronicle and the membership of `user`.

    :func:`member_of` returns the latter.
    """
    theirs = Q(chronicle__memberships__user=Param("user", User), chronicle__memberships__removed_at=None)
    member: Any = FilteredRelation("chronicle__memberships", condition=theirs)
    found: Any = Encounter.objects.without_state().filter(pk=Param("encounter", Encounter)).annotate(member=member)
    wanted: QuerySet[Encounter] = found.select_related("chronicle", "member")
    return wanted


def member_of(encounter: Encounter, user: User | AnonymousUser) -> Membership | None:
    """The user's membership of the chronicle, as `campaigns.access.membership_of`, of a fight read with it."""
    member: Membership | None = vars(encounter).get("member")
    view = viewing()
    if member is None or not user.is_active or (view and view.chronicle_id != encounter.chronicle_id):
        return None
    member.chronicle = encounter.chronicle
    return member


_found = Prepared(with_member)


def encounter_or_404(user: User | AnonymousUser, encounter_id: str, *, read_only_too: bool = False) -> Seen:
    """A fight this user may know about. For everybody but Storytellers, drafts don't exist.

    Raises `RulesetMissing` if the chronicle's ruleset can't be played, except with `read_only_too`.
    """
    encounter = _found.one(encounter=encounter_id, user=user.pk)
    membership = encounter and member_of(encounter, user)
    if not encounter or not membership or not (membership.is_storyteller or encounter.visible_to_players):
        raise Http404("No such encounter")
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


# ------------------------------------------------------------------ sockets


def session_key(scope: Any) -> str:
    """The session key that a socket was opened with; "" for none."""
    key = str(scope.get("cookies", {}).get(settings.SESSION_COOKIE_NAME, ""))
    return key if key.isalnum() and len(key) <= LONGEST_KEY else ""


def _sessions() -> QuerySet[SignIn]:
    """A queryset to prepare: of the sessions with these `keys`, those not expired `now`, of accounts not disabled."""
    keys, now = Many("keys", SignIn), Param("now", SignIn, "expire_date")
    return SignIn.objects.filter(session_key__in=keys, expire_date__gt=now, user__is_active=True)


@Prepared
def _alive() -> QuerySet[SignIn, tuple[str, str, int, str]]:
    """The sessions that are alive, with what proves whose they are."""
    return _sessions().values_list("session_key", "session_data", "user_id", "user__password")


@Prepared
def _members() -> QuerySet[SignIn]:
    """The same with each account's membership of a chronicle (`member`), if it has one."""
    theirs = Q(user__memberships__chronicle=Param("chronicle", Chronicle), user__memberships__removed_at=None)
    member: Any = FilteredRelation("user__memberships", condition=theirs)
    found: Any = _sessions().annotate(member=member, password=F("user__password"))
    wanted: QuerySet[SignIn] = found.select_related("member")
    return wanted


@Prepared
def _fight() -> QuerySet[Encounter]:
    """A fight with its chronicle."""
    found = Encounter.objects.without_state().select_related("chronicle")
    return found.filter(pk=Param("encounter", Encounter))


def signed_in(session_keys: Collection[str]) -> dict[str, int]:
    """User ids by session key, without sessions that ended or were opened with an old password.

    A socket remembers the user who opened it; this checks the database again, for any number of sockets at once.
    """
    rows = _alive.all(keys=sorted(set(session_keys)), now=timezone.now())
    return {key: user for key, data, user, password in rows if made_with(data, user, password)}


def seen_with(session_keys: Collection[str], encounter_id: str) -> dict[str, Seen | None]:
    """Like `encounter_or_404` for each of the keys in `signed_in`; None for users who may not know about the fight.

    None for all of them if the ruleset can't be played, because that page isn't live.
    """
    encounter = _fight.one(encounter=encounter_id)
    if encounter is None or why_missing(encounter.chronicle.ruleset):
        return dict.fromkeys(signed_in(session_keys))
    chronicle = encounter.chronicle_id
    rows: list[Any] = _members.all(keys=sorted(set(session_keys)), now=timezone.now(), chronicle=chronicle)
    alive = [each for each in rows if made_with(each.session_data, each.user_id, each.password)]
    return {each.session_key: _seen(encounter, vars(each).get("member")) for each in alive}


def _seen(encounter: Encounter, member: Membership | None) -> Seen | None:
    knows = member is not None and (member.is_storyteller or encounter.visible_to_players)
    return Seen(encounter, member) if knows and member else None
