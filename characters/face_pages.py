"""View models of the cast and of faces, built for one member from whom they know alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse

from campaigns.access import may_play
from campaigns.models import Membership
from campaigns.people import told_apart
from campaigns.rulesets import why_missing
from characters import face_services
from characters.face_services import Proposed
from characters.known import Known, known_to
from characters.models import Character, Meeting
from characters.tie_pages import TieLine, Wanted, ties_of, ties_page


@dataclass(frozen=True, slots=True)
class FaceLine:
    """Somebody on the page of the cast. `portrait` is its id or ""; `player` and `concept` are players' characters'.

    `known` tells Storytellers whether anybody has met the NPC.
    """

    id: str
    name: str
    portrait: str
    url: str
    is_mine: bool
    player: str = ""
    concept: str = ""
    known: bool = True


@dataclass(frozen=True, slots=True)
class CastPage:
    """The cast as one member knows it. `proposals` are for Storytellers."""

    is_storyteller: bool
    may_change: bool
    players: tuple[FaceLine, ...]
    others: tuple[FaceLine, ...]
    proposals: tuple[Proposed, ...]


@dataclass(frozen=True, slots=True)
class MeetingLine:
    """Who has met an NPC, for Storytellers. `who` is a character's id, "" for everyone; `known_as` "" for its name."""

    who: str
    name: str
    known_as: str
    session: int


@dataclass(frozen=True, slots=True)
class FacePage:
    """Somebody as one member knows them. `sheet` is its URL for those who may read it; `meetings` are Storytellers'."""

    id: str
    name: str
    is_npc: bool
    text: str
    portrait: str
    player: str
    concept: str
    sheet: str
    may_change: bool
    may_tie: bool
    playable: bool
    ties: tuple[TieLine, ...]
    meetings: tuple[MeetingLine, ...]


@dataclass(frozen=True, slots=True)
class PrintedFace:
    """Somebody in the printed cast. `player` and `concept` are players' characters'."""

    name: str
    portrait: str
    text: str
    player: str = ""
    concept: str = ""


@dataclass(frozen=True, slots=True)
class PrintedCast:
    """The whole cast as one member knows it, with its ties, on one page for printing."""

    is_storyteller: bool
    players: tuple[PrintedFace, ...]
    others: tuple[PrintedFace, ...]
    ties: tuple[TieLine, ...]


def cast_page(membership: Membership) -> CastPage:
    """The page of the cast for this member."""
    known = known_to(membership)
    storyteller, may_change = membership.is_storyteller, not why_missing(membership.chronicle.ruleset)
    played = _played(membership, (who for who, one in known.items() if not one.is_npc))
    met = set[str]()
    if storyteller:
        met.update(
            Meeting.objects.filter(character__chronicle_id=membership.chronicle_id).values_list("character", flat=True)
        )
    lines = {
        who: _line(membership, one, played.get(who), met=not storyteller or who in met) for who, one in known.items()
    }
    return CastPage(
        is_storyteller=storyteller,
        may_change=storyteller and may_change,
        players=tuple(line for who, line in lines.items() if not known[who].is_npc),
        others=tuple(line for who, line in lines.items() if known[who].is_npc),
        proposals=face_services.proposed(membership) if storyteller and may_change else (),
    )


def printed_cast(membership: Membership) -> PrintedCast:
    """The cast with its ties for this member, to be printed."""
    known = known_to(membership)
    played = _played(membership, (who for who, one in known.items() if not one.is_npc))
    faces = {who: PrintedFace(one.name, one.portrait, one.text, *played.get(who, ())) for who, one in known.items()}
    return PrintedCast(
        is_storyteller=membership.is_storyteller,
        players=tuple(face for who, face in faces.items() if not known[who].is_npc),
        others=tuple(face for who, face in faces.items() if known[who].is_npc),
        ties=ties_page(membership, Wanted()).everything,
    )


def face_page(membership: Membership, known: Known) -> FacePage:
    """Somebody's page for this member, who knows them."""
    storyteller = membership.is_storyteller
    playable = not why_missing(membership.chronicle.ruleset)
    player, concept = _played(membership, [known.id]).get(known.id, ("", "")) if not known.is_npc else ("", "")
    readable = storyteller or known.is_mine
    return FacePage(
        id=known.id,
        name=known.name,
        is_npc=known.is_npc,
        text=known.text,
        portrait=known.portrait,
        player=player,
        concept=concept,
        sheet=reverse("characters:sheet", args=[known.id]) if readable else "",
        may_change=storyteller and playable and known.is_npc,
        may_tie=playable and (storyteller or (known.is_mine and may_play(membership))),
        playable=playable,
        ties=ties_of(membership, known.id),
        meetings=_meetings(known.id) if storyteller and known.is_npc else (),
    )


def _line(membership: Membership, one: Known, played: tuple[str, str] | None, *, met: bool) -> FaceLine:
    player, concept = played or ("", "")
    url = reverse("characters:face", args=[membership.chronicle_id, one.id])
    return FaceLine(one.id, one.name, one.portrait, url, one.is_mine, player, concept, known=met or not one.is_npc)


def _played(membership: Membership, characters: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The players and concepts of players' characters, by id."""
    rows = Character.objects.filter(chronicle_id=membership.chronicle_id, pk__in=list(characters))
    found = list(rows.select_related("owner").only("concept", "owner"))
    told_apart(membership.chronicle_id, (one.owner for one in found))
    return {one.pk: (one.owner.display_name if one.owner else "", one.concept) for one in found}


def _meetings(character_id: str) -> tuple[MeetingLine, ...]:
    rows = Meeting.objects.filter(character=character_id).select_related("by", "session").order_by("at", "pk")
    return tuple(
        MeetingLine(
            who=each.by_id or "",
            name=each.by.name if each.by else "",
            known_as=each.known_as,
            session=each.session.number if each.session else 0,
        )
        for each in rows
        if each.by is None or each.by.binned is None
    )
