"""Access control for characters. Every check starts from the asker's own membership."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import F
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from campaigns import access
from campaigns.models import Membership, Role, User
from campaigns.people import told_apart
from characters import hooks, sheets
from characters.known import Known, known_to
from characters.models import Character, Portrait


@dataclass(frozen=True, slots=True)
class Seen:
    """A character, with its portrait's id as `face`, seen by a member, and what that member may do with it."""

    character: Character
    membership: Membership

    @property
    def is_storyteller(self) -> bool:
        return self.membership.is_storyteller

    @property
    def is_owner(self) -> bool:
        return self.character.owner_id == self.membership.user_id

    @property
    def may_read(self) -> bool:
        """Whether they see the whole sheet, not only the card."""
        return self.is_storyteller or self.is_owner

    @property
    def may_write(self) -> bool:
        """Whether they may edit at least the notes. During a fight only Storytellers may edit the rest."""
        return self.is_storyteller or (self.is_owner and access.may_play(self.membership))


def character_or_404(user: User | AnonymousUser, character_id: str) -> Seen:
    """A character that this user may know of. Hidden ones raise `Http404`, as nonexistent ones do."""
    memberships = access.memberships_of(user)
    mine = Character.objects.filter(pk=character_id, chronicle__in=memberships.values("chronicle"))
    found = sheets.with_gear(mine.select_related("owner").annotate(face=F("portrait__pk"))).first()
    membership = found and memberships.filter(chronicle_id=found.chronicle_id).first()
    if not membership or (found.is_npc and not membership.is_storyteller):
        raise Http404("No such character")
    return Seen(found, membership)


def readable_or_403(user: User | AnonymousUser, character_id: str) -> Seen:
    """As `character_or_404`, with `PermissionDenied` for members who may not read the whole sheet."""
    seen = character_or_404(user, character_id)
    if not seen.may_read:
        raise PermissionDenied(_("Only its player and the Storyteller can do that."))
    access.check_playable(seen.character.chronicle)
    return seen


def picture_or_404(user: User | AnonymousUser, portrait_id: str) -> bytes:
    """A portrait's bytes, if the user may see it: an NPC's only with its face. `Http404` otherwise."""
    found = Portrait.objects.filter(pk=portrait_id).first()
    whose = Character.objects.filter(pk=found.character_id).first() if found else None
    if found is None or whose is None:
        raise Http404("No such portrait")
    _membership, seen = known_or_404(user, whose.chronicle_id, whose.pk)
    if seen.portrait != found.pk:
        raise Http404("No such portrait")
    return bytes(found.picture)


def known_or_404(user: User | AnonymousUser, chronicle_id: str, character_id: str) -> tuple[Membership, Known]:
    """Somebody whom this user knows in a chronicle, under the name they know; `Http404` for all others."""
    membership = access.member_or_404(user, chronicle_id)
    found = known_to(membership, only=character_id).get(character_id)
    if found is None:
        raise Http404("No such character")
    return membership, found


def npc_or_403(user: User | AnonymousUser, chronicle_id: str, character_id: str) -> tuple[Membership, Known]:
    """As `known_or_404`, for Storytellers who edit the face of an NPC; a player's character has none."""
    membership, found = known_or_404(user, chronicle_id, character_id)
    access.check_storyteller(membership)
    access.check_playable(membership.chronicle)
    if not found.is_npc:
        raise Http404("No such face")
    return membership, found


def picture(portrait_id: str) -> bytes:
    """A portrait's bytes. The caller has checked that its reader may see it; `Http404` if it was removed."""
    return bytes(get_object_or_404(Portrait, pk=portrait_id).picture)


def writable_or_403(user: User | AnonymousUser, character_id: str) -> Seen:
    """As `character_or_404`, with `PermissionDenied` for members who may not edit this sheet."""
    seen = character_or_404(user, character_id)
    if not seen.may_write:
        raise PermissionDenied(_("Only its player and the Storyteller can do that."))
    access.check_playable(seen.character.chronicle)
    return seen


def player_or_403(user: User | AnonymousUser, chronicle_id: str) -> Membership:
    """The membership of somebody who may have characters; `PermissionDenied` for observers."""
    membership = access.member_or_404(user, chronicle_id)
    if not access.may_play(membership):
        raise PermissionDenied(_("Observers have no characters. Ask your Storyteller to make you a player."))
    access.check_playable(membership.chronicle)
    return membership


def fight_that_locks(seen: Seen) -> str:
    """The name of the running fight that locks the sheet for this member; "" if none does."""
    return "" if seen.is_storyteller else hooks.fight_of(seen.character.pk)


def players_of(membership: Membership, *, also: User | None = None) -> list[User]:
    """The chronicle's players, for the choice of a character's player, and ``also`` its present one.

    Storytellers are left out: their characters belong to nobody.
    """
    members = membership.chronicle.memberships.active().filter(role=Role.PLAYER)
    found = [member.user for member in members.select_related("user").order_by("joined", "pk")]
    if also is not None and also not in found:
        found.append(also)
    told_apart(membership.chronicle_id, found)
    return found
