"""Writes to ties. Storytellers write all of them, players those that they wrote for characters of their own.

Rights are checked again under the chronicle's lock.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.access import may_play
from campaigns.errors import EditConflict, Refused
from campaigns.models import Membership, PageKind, PassageAudience, Progress, Session
from campaigns.page_services import audiences_for, choosable
from campaigns.readable import pages_for
from campaigns.sessions import playing
from campaigns.tokens import id_for
from characters.known import ends_of, known_to, ties_for
from characters.models import BoonState, Tie, TieKind, TieReadership
from characters.writers import present


@dataclass(frozen=True, slots=True)
class TieData:
    """A tie from the form. The ends are ids of characters or groups, `readers` ids of memberships, and `since` and
    `ended` ids of sessions, "" for none."""

    kind: str
    first: str
    second: str
    text: str = ""
    text_back: str = ""
    size: str = ""
    state: str = ""
    audience: str = PassageAudience.STORYTELLERS
    readers: Collection[int] = ()
    since: str = ""
    ended: str = ""


def may_write(membership: Membership, tie: Tie, mine: Collection[str]) -> bool:
    """Whether a member who knows a tie may change it; `mine` are the characters they play."""
    if membership.is_storyteller:
        return True
    return may_play(membership) and tie.author_id == membership.user_id and any(each in mine for each in ends_of(tie))


@transaction.atomic
def write_tie(*, by: Membership, data: TieData, key: str = "") -> Tie:
    """Add a tie. An idempotency key that was used before returns the tie made with it.

    Raises `PermissionDenied` for somebody who has no character at either end, and `Refused` for what can't be tied.
    """
    by = present(by)
    tie = Tie(chronicle_id=by.chronicle_id, author=by.user)
    if key:
        tie.pk = id_for("tie", by.pk, key)
        if made := Tie.objects.filter(pk=tie.pk).first():
            return made
    _write(by, tie, data)
    return tie


@transaction.atomic
def change_tie(*, by: Membership, tie_id: str, data: TieData, version: int) -> None:
    """Change a tie. Raises `EditConflict` if `version` is outdated, and what `write_tie` does."""
    by, tie = _locked(by, tie_id)
    if tie.version != version:
        raise EditConflict
    tie.version += 1
    _write(by, tie, data)


@transaction.atomic
def settle(*, by: Membership, tie_id: str, state: str) -> None:
    """Pay or forgive a boon in the session that is played, or was played last; "owed" takes that back."""
    by, tie = _locked(by, tie_id)
    if tie.kind != TieKind.BOON or state not in BoonState.values:
        raise Refused(_("Only a boon can be paid or forgiven."))
    if tie.state == state:
        return
    tie.state, tie.ended = state, None if state == BoonState.OWED else _now(by.chronicle_id)
    tie.written, tie.version = timezone.now(), tie.version + 1
    tie.save()


@transaction.atomic
def delete_tie(*, by: Membership, tie_id: str) -> None:
    """Delete a tie for good."""
    _by, tie = _locked(by, tie_id)
    tie.delete()


def tie_or_404(membership: Membership, tie_id: str) -> Tie:
    """A tie that this member may change. `Http404` for one they don't know, `PermissionDenied` for another's."""
    known = known_to(membership)
    tie = next((each for each in ties_for(membership, known) if each.pk == tie_id), None)
    if tie is None:
        raise Http404("No such tie")
    if not may_write(membership, tie, {who for who, one in known.items() if one.is_mine}):
        raise PermissionDenied(_("Only its author and the Storyteller can do that."))
    return tie


def _locked(by: Membership, tie_id: str) -> tuple[Membership, Tie]:
    by = present(by)
    tie_or_404(by, tie_id)
    # Read again under its own lock, and without what was read for this member alone.
    return by, Tie.objects.select_for_update().get(pk=tie_id)


def _write(by: Membership, tie: Tie, data: TieData) -> None:
    now, words = timezone.now(), _words(tie)
    before = "" if tie._state.adding else tie.audience
    _take_ends(by, tie, data)
    boon = data.kind == TieKind.BOON
    tie.kind, tie.text, tie.text_back = data.kind, data.text, data.text_back
    tie.size, tie.state = (data.size, data.state or BoonState.OWED) if boon else ("", "")
    tie.since, tie.ended = _session(by, data.since), _session(by, data.ended)
    _refuse_audience(by, data.audience, before)
    tie.audience = data.audience
    if tie.audience == PassageAudience.EVERYONE:
        tie.opened = now if before != PassageAudience.EVERYONE or tie.opened is None else tie.opened
    if tie._state.adding or words != _words(tie):
        tie.written = now
    tie.save()
    _choose(by, tie, data)


def _words(tie: Tie) -> tuple[object, ...]:
    """What its readers are told."""
    return (tie.kind, *ends_of(tie), tie.text, tie.text_back, tie.size, tie.state, tie.since_id, tie.ended_id)


def _take_ends(by: Membership, tie: Tie, data: TieData) -> None:
    """Set both ends. A tie's present ends stay allowed, as do a player's to whom they know."""
    known = known_to(by)
    groups = set(pages_for(by).filter(kind=PageKind.GROUP).values_list("pk", flat=True))
    if any(each not in known and each not in groups for each in (data.first, data.second)):
        raise Refused(_("Choose somebody you know, or a group."))
    if data.first == data.second:
        raise Refused(_("Choose two different ends."))
    if not by.is_storyteller and not any(each in known and known[each].is_mine for each in (data.first, data.second)):
        raise PermissionDenied(_("You can only tie characters of your own."))
    if data.kind == TieKind.MEMBER and (data.first not in known or data.second not in groups):
        raise Refused(_("A character is a member of a group: choose the character first, then the group."))
    tie.from_character_id, tie.from_group_id = _end(data.first, known)
    tie.to_character_id, tie.to_group_id = _end(data.second, known)


def _end(who: str, known: Collection[str]) -> tuple[str | None, str | None]:
    return (who, None) if who in known else (None, who)


def _refuse_audience(by: Membership, audience: str, before: str) -> None:
    # A player's tie that a Storyteller edits keeps its audience, though Storytellers choose among others.
    if audience not in audiences_for(by) and audience != before:
        raise Refused(_("Choose who may read it."))


def _choose(by: Membership, tie: Tie, data: TieData) -> None:
    """Write who is chosen. Rows are kept when the audience widens, for their `since`."""
    if tie.audience != PassageAudience.CHOSEN:
        return
    allowed = set(choosable(by).values_list("pk", flat=True))
    chosen = allowed.intersection(data.readers)
    there = set(TieReadership.objects.filter(tie=tie).values_list("membership", flat=True))
    TieReadership.objects.filter(tie=tie, membership__in=allowed - chosen).delete()
    for each in sorted(chosen - there):
        TieReadership.objects.create(tie=tie, membership_id=each, since=timezone.now())


def _session(by: Membership, session_id: str) -> Session | None:
    return Session.objects.filter(chronicle_id=by.chronicle_id, pk=session_id).first() if session_id else None


def _now(chronicle_id: str) -> Session | None:
    played = Session.objects.filter(chronicle_id=chronicle_id, progress=Progress.PLAYED)
    return playing(chronicle_id) or played.order_by("-number").first()
