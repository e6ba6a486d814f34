"""Access control for chronicles. Every check starts from the asker's own membership.

Strangers get 404, so that they can't even learn which chronicles exist. Members get 403 for what isn't theirs,
because they already know that the table exists.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Count, F, Max, Q
from django.http import Http404
from django.utils.translation import gettext as _

from campaigns import rulesets
from campaigns.errors import InvitationDead
from campaigns.models import Chronicle, Invitation, Membership, Role, User
from campaigns.people import told_apart
from campaigns.tokens import hash_token
from campaigns.viewing import viewing


def memberships_of(user: User | AnonymousUser) -> Any:
    """The user's own memberships, with their chronicles; none for anonymous and disabled accounts."""
    if not user.is_authenticated or not user.is_active:
        return Membership.objects.none()
    mine = Membership.objects.active().filter(user_id=user.pk).select_related("chronicle")
    view = viewing()
    # A member's other chronicles don't exist for the Storyteller who views this one as them.
    return mine.filter(chronicle_id=view.chronicle_id) if view else mine


def membership_of(user: User | AnonymousUser, chronicle_id: str) -> Membership | None:
    """The user's membership of this chronicle, with the chronicle; None without one."""
    with contextlib.suppress(Membership.DoesNotExist):
        found: Membership = memberships_of(user).get(chronicle_id=chronicle_id)
        return found
    return None


def member_or_404(user: User | AnonymousUser, chronicle_id: str) -> Membership:
    """The user's membership of this chronicle, with the chronicle; `Http404` without one."""
    membership = membership_of(user, chronicle_id)
    if membership is None:
        raise Http404("No such chronicle")
    return membership


def check_playable(chronicle: Chronicle) -> None:
    """Raise `RulesetMissing` for a chronicle that is read-only because its ruleset can't be played."""
    rulesets.check_installed(chronicle.ruleset)


def storyteller_or_403(user: User | AnonymousUser, chronicle_id: str, *, read_only_too: bool = False) -> Membership:
    """As `member_or_404`, with `PermissionDenied` for members who aren't Storytellers there.

    Meant for changes, so it raises `RulesetMissing` for a read-only chronicle. `read_only_too` allows these: to read,
    to remove people and to delete.
    """
    found = check_storyteller(member_or_404(user, chronicle_id))
    if not read_only_too:
        check_playable(found.chronicle)
    return found


def check_storyteller(membership: Membership | None) -> Membership:
    """The same membership if it is a Storyteller's; `PermissionDenied` for any other and for None."""
    if membership is None or not membership.is_storyteller:
        raise PermissionDenied(_("Only a Storyteller of this chronicle can do that."))
    return membership


def check_still_storyteller(by: Membership) -> None:
    """Check again in the database that somebody is a Storyteller; `PermissionDenied` if they no longer are."""
    check_storyteller(Membership.objects.active().filter(pk=by.pk, user__is_active=True).first())


def is_last_storyteller(membership: Membership) -> bool:
    """Whether this member is the only one who can run the chronicle."""
    if not membership.is_storyteller or membership.is_open:
        return False
    others = Membership.objects.storytellers().filter(chronicle_id=membership.chronicle_id)
    return not others.exclude(pk=membership.pk).exists()


def characters_for(membership: Membership) -> list[Any]:
    """The characters this member may know: all for Storytellers, players' characters for everybody else.

    For Storytellers, `changed` is the time of the player's last change to the dots, None for none.
    """
    characters = _related(membership.chronicle, "characters")
    if membership.is_storyteller:
        characters = characters.annotate(changed=Max("changes__at", filter=Q(changes__by=F("owner"))))
    else:
        characters = characters.filter(owner__isnull=False)
    cast = list(characters.select_related("owner").annotate(face=F("portrait__pk")).order_by("name", "pk"))
    told_apart(membership.chronicle_id, (one.owner for one in cast))
    return cast


def requests_waiting(chronicle: Chronicle) -> int:
    """How many requests for experience wait for a Storyteller, those of characters in the bin left out."""
    asked = _related(chronicle, "characters").filter(experience__step="asked", experience__answers=None)
    return int(asked.values("experience").count())


def requests_waiting_in(chronicles: Collection[str]) -> dict[str, int]:
    """The same by chronicle id, for Storytellers of several."""
    asked = Chronicle.objects.filter(
        pk__in=chronicles,
        characters__binned=None,
        characters__experience__step="asked",
        characters__experience__answers=None,
    )
    return dict(asked.order_by().values_list("pk").annotate(Count("characters__experience", distinct=True)))


def names_of_kind(chronicle: Chronicle, kind: str) -> list[str]:
    """The sorted names of the chronicle's characters of one kind of creature, those in the bin included."""
    characters = _related(chronicle, "characters")(manager="with_bin")
    return sorted(characters.filter(kind=kind).values_list("name", flat=True))


def dots_in(chronicle: Chronicle, key: str) -> list[tuple[str, int]]:
    """Names and dots of the characters with dots in a Trait, by name, those in the bin included."""
    characters = _related(chronicle, "characters")(manager="with_bin").values_list("name", "traits")
    return sorted((name, int(traits[key])) for name, traits in characters if traits.get(key))


def names_with(chronicle: Chronicle, key: str) -> list[str]:
    """The sorted names of the characters with dots in a Trait or words in a section, those in the bin included."""
    characters = _related(chronicle, "characters")(manager="with_bin").values_list("name", "traits", "details")
    return sorted(name for name, traits, details in characters if traits.get(key) or details.get(key))


def encounters_for(membership: Membership) -> list[Any]:
    """The encounters this member may know: drafts are for Storytellers only."""
    encounters = _related(membership.chronicle, "encounters").listed()
    return [one for one in encounters if membership.is_storyteller or one.visible_to_players]


def fights_going_on(chronicles: Collection[str]) -> dict[str, list[Any]]:
    """The running and paused fights by chronicle id. Every member of a chronicle may know them."""
    model: Any = Chronicle._meta.get_field("encounters").related_model
    found: dict[str, list[Any]] = {each: [] for each in chronicles}
    for fight in model.objects.listed().filter(chronicle__in=chronicles, status__in=("running", "paused")):
        found[fight.chronicle_id].append(fight)
    return found


def _related(chronicle: Chronicle, name: str) -> Any:
    # Higher layers relate their models to the chronicle; they are read through the relation, never imported.
    return getattr(chronicle, name)


def may_play(membership: Membership) -> bool:
    """Whether this member may have characters of their own."""
    return membership.role in (Role.STORYTELLER, Role.PLAYER)


def has_running_encounter(chronicle: Chronicle) -> bool:
    """Whether a fight of this chronicle is running."""
    return bool(_related(chronicle, "encounters").fights().filter(status="running").exists())


def living_invitation(*, token: str, now: datetime) -> Invitation:
    """The open invitation with this token; `InvitationDead` for any other token, without a reason."""
    invitation = (
        Invitation.objects.select_related("chronicle", "created_by", "place__user")
        .filter(token_hash=hash_token(token))
        .first()
    )
    if invitation is None or invitation.state(now) != "open":
        raise InvitationDead
    place = invitation.place
    if place is not None and (place.removed_at is not None or not place.is_open):
        raise InvitationDead
    return invitation


def membership_by_link(*, token: str, user: User | AnonymousUser) -> Membership | None:
    """The user's membership of the chronicle a token invites to. For members, expired links still work."""
    invitation = Invitation.objects.filter(token_hash=hash_token(token)).only("chronicle_id").first()
    return membership_of(user, invitation.chronicle_id) if invitation is not None else None


def is_banned(user: User | AnonymousUser, chronicle_id: str) -> bool:
    """Whether this user was removed from the chronicle and not restored."""
    if not user.is_authenticated:
        return False
    removed = Membership.objects.filter(chronicle_id=chronicle_id, user_id=user.pk, removed_at__isnull=False)
    return removed.exists()
