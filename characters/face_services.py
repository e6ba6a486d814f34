"""Writes to faces: what those who met an NPC see, who has met it, and under which name.

Only Storytellers write. Rights are checked again under the chronicle's lock.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.shortcuts import get_object_or_404
from django.utils import timezone

from campaigns.errors import EditConflict
from campaigns.marks import mark
from campaigns.models import Membership, Session
from campaigns.services import lock_as_storyteller
from campaigns.sessions import playing
from characters import hooks
from characters.models import Character, DeclinedProposal, Face, Meeting

EVERYONE = ""
"""Stands for everyone at the table where meetings are named by the character that met."""

MET = "met:"
"""Begins the proof of a proposed meeting that was declined."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A meeting that a fight proposes. `known_as` is "" for its own name, `by` "" for everyone."""

    character: str
    name: str
    by: str
    by_name: str
    known_as: str
    where: str

    @property
    def key(self) -> str:
        """Names the proposal in a form."""
        return f"{self.character}:{self.by}"


def face_mark(character_id: str) -> str:
    """A concurrency token of an NPC's face and of who has met it."""
    face = Face.objects.filter(character=character_id).values_list("text", "with_portrait").first()
    return mark(repr((face, sorted(met_by(character_id).items()))))


def met_by(character_id: str) -> dict[str, str]:
    """By whom an NPC was met, by character's id, with the name under which it is known to them."""
    met = Meeting.objects.filter(Q(by=None) | Q(by__binned=None), character=character_id)
    return {by or EVERYONE: name for by, name in met.values_list("by", "known_as")}


@transaction.atomic
def save_face(
    *, by: Membership, character_id: str, text: str, with_portrait: bool, met: Mapping[str, str], seen: str
) -> None:
    """Save an NPC's face, and who has `met` it: by the character's id (`EVERYONE`), under which name.

    Raises `EditConflict` if they no longer match the token `seen`.
    """
    npc = _locked(by, character_id)
    if seen != face_mark(npc.pk):
        raise EditConflict
    face, _made = Face.objects.get_or_create(character=npc)
    face.text, face.with_portrait, face.version = text, with_portrait, face.version + 1
    face.save()
    before = met_by(npc.pk)
    for gone in before.keys() - met.keys():
        Meeting.objects.filter(character=npc, by=gone or None).delete()
    introducers = Character.objects.filter(chronicle_id=by.chronicle_id, owner__isnull=False)
    allowed = {EVERYONE, *introducers.filter(pk__in=met).values_list("pk", flat=True)}
    for who, name in met.items():
        if who in allowed and before.get(who) != name:
            _meet(npc, who, name, playing(by.chronicle_id))


@transaction.atomic
def tell_name(*, by: Membership, character_id: str, who: str) -> None:
    """Tell an NPC's own name to those who know it under another: one of the characters that met it, or `EVERYONE`."""
    npc = _locked(by, character_id)
    for meeting in Meeting.objects.filter(character=npc, by=who or None):
        meeting.known_as = ""
        meeting.save()


def proposed(by: Membership) -> tuple[Proposed, ...]:
    """The meetings that fights propose to a Storyteller, without those that happened or were declined."""
    found = hooks.sightings(by.chronicle)
    if not found:
        return ()
    rows = Character.objects.filter(chronicle_id=by.chronicle_id)
    people = {one.pk: one for one in rows.only("name", "owner_id")}
    met: set[Any] = set(Meeting.objects.filter(character__chronicle_id=by.chronicle_id).values_list("character", "by"))
    passed = DeclinedProposal.objects.filter(character__chronicle_id=by.chronicle_id, proof__startswith=MET)
    declined = set(passed.values_list("character", "proof"))
    lines: dict[tuple[str, str], Proposed] = {}
    for each in found:
        npc, other = people.get(each.character), people.get(each.by)
        if npc is None or other is None or not npc.is_npc or other.is_npc:
            continue
        known = (npc.pk, None) in met or (npc.pk, other.pk) in met
        if not known and (npc.pk, f"{MET}{other.pk}") not in declined:
            name = "" if each.name == npc.name else each.name
            lines.setdefault((npc.pk, other.pk), Proposed(npc.pk, npc.name, other.pk, other.name, name, each.where))
    return tuple(sorted(lines.values(), key=lambda line: (line.name.casefold(), line.by_name.casefold(), line.key)))


@transaction.atomic
def settle(*, by: Membership, chosen: Collection[str], accept: bool) -> int:
    """Accept or decline proposed meetings, by their keys; returns how many were still proposed."""
    lock_as_storyteller(by)
    session, lines = playing(by.chronicle_id), [line for line in proposed(by) if line.key in chosen]
    people = Character.objects.in_bulk([line.character for line in lines])
    for line in lines:
        if accept:
            _meet(people[line.character], line.by, line.known_as, session)
        else:
            DeclinedProposal.objects.get_or_create(character_id=line.character, proof=f"{MET}{line.by}")
    return len(lines)


def taken_back(character: Character) -> None:
    """Let everyone go on knowing a player's character that becomes the Storyteller's."""
    if not Meeting.objects.filter(character=character, by=None).exists():
        _meet(character, EVERYONE, "", playing(character.chronicle_id))


def _meet(npc: Character, who: str, name: str, session: Session | None) -> None:
    known_as = "" if name == npc.name else name
    values: dict[str, Any] = {"session": session, "at": timezone.now()}
    meeting, made = Meeting.objects.get_or_create(
        character=npc, by_id=who or None, defaults={"known_as": known_as, **values}
    )
    if not made:
        meeting.known_as = known_as
        meeting.save()


def _locked(by: Membership, character_id: str) -> Character:
    """An NPC of the Storyteller's chronicle, under its lock."""
    lock_as_storyteller(by)
    return get_object_or_404(Character, pk=character_id, chronicle_id=by.chronicle_id, owner=None)
