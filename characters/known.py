"""Whom a member knows, since when and under which name, and which ties between them.

Players' characters are known to everybody at the table, NPCs to those who met them. Lists, search, links, the drawing
and the timeline take names from here alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Q

from campaigns.access import may_play
from campaigns.models import Membership, PageKind
from campaigns.readable import in_audience, pages_since
from characters.models import Character, Meeting, Tie, TieReadership


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody a member knows. `name` is the one they know. `portrait` is its id, "" if they may not see one.

    `since` is when they met an NPC; None for those whom they know from the start.
    """

    id: str
    name: str
    is_npc: bool
    is_mine: bool
    portrait: str = ""
    text: str = ""
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class _Met:
    """Under which name a member knows an NPC, "" for its own, and since when."""

    name: str = ""
    since: datetime | None = None


def known_to(membership: Membership, *, only: str = "") -> Mapping[str, Known]:
    """Whom this member knows, by character id: everybody for Storytellers, under their own names.

    They are in the order of the names that this member knows, which says nothing about the others. `only`
    limits them to one id.
    """
    rows = Character.objects.filter(chronicle_id=membership.chronicle_id)
    if only:
        rows = rows.filter(pk=only)
    met = {} if membership.is_storyteller else _met_by(membership)
    if not membership.is_storyteller:
        rows = rows.filter(Q(owner__isnull=False) | Q(pk__in=met))
    fields = ("pk", "name", "owner", "portrait__pk", "seen_as__text", "seen_as__with_portrait")
    found = [_known(_Row(*row), membership, met) for row in rows.order_by().values_list(*fields)]
    return {one.id: one for one in sorted(found, key=lambda one: (one.name.casefold(), one.name, one.id))}


class _Row(NamedTuple):
    """What is read of a character. Without a face, the last two are None."""

    id: str
    name: str
    owner: int | None
    portrait: str | None
    text: str | None
    with_portrait: bool | None


def _known(one: _Row, membership: Membership, met: Mapping[str, _Met]) -> Known:
    is_npc, how = one.owner is None, met.get(one.id, _Met())
    shown = not is_npc or membership.is_storyteller or one.with_portrait
    return Known(
        id=one.id,
        name=how.name or one.name,
        is_npc=is_npc,
        is_mine=one.owner == membership.user_id,
        portrait=(one.portrait or "") if shown else "",
        text=(one.text or "") if is_npc else "",
        since=how.since,
    )


def _met_by(membership: Membership) -> dict[str, _Met]:
    """The NPCs that a member has met.

    Who knows the real name through one of several characters knows it; otherwise the latest name counts. The first
    meeting says since when.
    """
    met: dict[str, _Met] = {}
    for meeting in meetings_of(membership).order_by("at", "pk"):
        before = met.get(meeting.character_id, _Met(meeting.known_as, meeting.at))
        met[meeting.character_id] = _Met(meeting.known_as if before.name else "", before.since)
    return met


def meetings_of(membership: Membership) -> Any:
    """The meetings that let this member know an NPC: their own characters', and those of everybody."""
    met = Q(by=None)
    if may_play(membership):
        met |= Q(by__owner=membership.user_id, by__binned=None)
    rows = Meeting.objects.filter(character__chronicle_id=membership.chronicle_id, character__binned=None)
    return rows.filter(character__owner=None).filter(met)


def ties_for(
    membership: Membership, known: Mapping[str, Known] | None = None, *, after: datetime | None = None
) -> list[Tie]:
    """The ties this member may know: those in whose audience they are, and both of whose ends they know.

    Each has `told` (see `campaigns.readable.in_audience`), which is no earlier than when this member knew both ends:
    until then the tie wasn't there for them. `known` saves asking again, and `after` reading those told of before.
    """
    people = known_to(membership) if known is None else known
    groups = pages_since(membership, PageKind.GROUP)
    ends = {**{who: one.since for who, one in people.items()}, **groups}
    rows = in_audience(
        Tie.objects.filter(chronicle_id=membership.chronicle_id), membership, TieReadership.objects.all()
    )
    if after is not None:
        new = [each for each, since in ends.items() if since and since > after]
        characters = Q(from_character__in=new) | Q(to_character__in=new)
        rows = rows.filter(Q(told__gt=after) | characters | Q(from_group__in=new) | Q(to_group__in=new))
    found = [tie for tie in rows.select_related("since", "ended") if all(each in ends for each in ends_of(tie))]
    for tie in found:
        tie.told = max([tie.told, *(since for each in ends_of(tie) if (since := ends[each]))])
    return found if after is None else [tie for tie in found if tie.told > after]


def ends_of(tie: Tie) -> tuple[str, str]:
    """The ids of a tie's two ends, each a character or a group."""
    return (tie.from_character_id or tie.from_group_id or "", tie.to_character_id or tie.to_group_id or "")
