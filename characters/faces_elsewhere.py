"""Known faces on the chronicle's other pages: as targets of `[[links]]`, and as members of groups."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.urls import reverse

from campaigns.group_members import Member
from campaigns.models import Membership
from campaigns.titles import fold
from characters.known import known_to
from characters.models import TieKind
from characters.tie_pages import ties_of


def links_to_faces(membership: Membership, asked: Collection[str]) -> Mapping[str, str]:
    """The URLs of those faces that have one of these folded names, by the name under which this member knows them."""
    found: dict[str, str] = {}
    for who, one in known_to(membership).items():
        folded = fold(one.name)
        if folded in asked:
            found.setdefault(folded, reverse("characters:face", args=[membership.chronicle_id, who]))
    return found


def members_known_to(membership: Membership, page_id: str) -> tuple[Member, ...]:
    """The members of a group by the ties that this member knows: see `campaigns.group_members`."""
    lines = [line for line in ties_of(membership, page_id) if line.kind == TieKind.MEMBER]
    known = known_to(membership) if lines else {}
    members = [
        Member(
            name=line.first.name,
            url=line.first.url,
            portrait=reverse("characters:picture", args=[picture])
            if (picture := known[line.first.id].portrait)
            else "",
            text=line.to_first,
            over=line.over,
        )
        for line in lines
    ]
    return tuple(sorted(members, key=lambda each: (each.over, each.name.casefold(), each.url)))
