"""Whom a member knows, under which name, and which ties between them.

Players' characters are known to everybody at the table, NPCs to those who met them. Lists, search, links, the drawing
and the timeline take names from here alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q

from campaigns.access import may_play
from campaigns.models import Membership, PageKind
from campaigns.readable import in_audience, pages_for
from characters.models import Character, Meeting, Tie, TieReadership


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody a member knows. `name` is the one they know. `portrait` is its id, "" if they may not see one."""

    id: str
    name: str
    is_npc: bool
    is_mine: bool
    portrait: str = ""
    text: str = ""


def known_to(membership: Membership) -> Mapping[str, Known]:
    """Whom this member knows, by character id: everybody for Storytellers, under their own names."""
    rows = Character.objects.filter(chronicle_id=membership.chronicle_id).annotate(picture=F("portrait__pk"))
    people = rows.select_related("seen_as").only("pk", "name", "owner_id", "seen_as__text", "seen_as__with_portrait")
    names = {} if membership.is_storyteller else _names(membership)
    if not membership.is_storyteller:
        people = people.filter(Q(owner__isnull=False) | Q(pk__in=names))
    return {one.pk: _known(one, names.get(one.pk, ""), membership) for one in people.order_by("name", "pk")}


def _known(one: Any, name: str, membership: Membership) -> Known:
    face = getattr(one, "seen_as", None)
    shown = not one.is_npc or membership.is_storyteller or (face is not None and face.with_portrait)
    return Known(
        id=one.pk,
        name=name or one.name,
        is_npc=one.is_npc,
        is_mine=one.owner_id == membership.user_id,
        portrait=(one.picture or "") if shown else "",
        text=face.text if face is not None and one.is_npc else "",
    )


def _names(membership: Membership) -> dict[str, str]:
    """The names of those NPCs that a member has met, "" for their own name.

    Who knows the real name through one of several characters knows it; otherwise the latest name counts.
    """
    names: dict[str, str] = {}
    for meeting in meetings_of(membership).order_by("at", "pk"):
        if names.get(meeting.character_id) != "":
            names[meeting.character_id] = meeting.known_as
    return names


def meetings_of(membership: Membership) -> Any:
    """The meetings that let this member know an NPC: their own characters', and those of everybody."""
    met = Q(by=None)
    if may_play(membership):
        met |= Q(by__owner=membership.user_id, by__binned=None)
    rows = Meeting.objects.filter(character__chronicle_id=membership.chronicle_id, character__binned=None)
    return rows.filter(character__owner=None).filter(met)


def ties_for(membership: Membership, known: Mapping[str, Known] | None = None) -> list[Tie]:
    """The ties this member may know: those in whose audience they are, and both of whose ends they know.

    Each has `told` (see `campaigns.readable.in_audience`). `known` saves asking again.
    """
    people = known_to(membership) if known is None else known
    groups = set(pages_for(membership).filter(kind=PageKind.GROUP).values_list("pk", flat=True))
    rows = in_audience(
        Tie.objects.filter(chronicle_id=membership.chronicle_id), membership, TieReadership.objects.all()
    )
    return [tie for tie in rows.select_related("since", "ended") if _ends_known(tie, people, groups)]


def _ends_known(tie: Tie, people: Mapping[str, Known], groups: set[str]) -> bool:
    characters = [each for each in (tie.from_character_id, tie.to_character_id) if each]
    pages = [each for each in (tie.from_group_id, tie.to_group_id) if each]
    return all(each in people for each in characters) and all(each in groups for each in pages)
