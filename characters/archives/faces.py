"""The faces of an archive, and who has met whom under which name: `faces.json`."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from campaigns.archives import rows
from campaigns.archives.box import MANIFEST
from campaigns.archives.moving import Coming, Going
from campaigns.models import Session
from characters.archives.order import cast_of
from characters.models import Character, Face, Meeting

FILE = "faces.json"
FACE = ("text", "with_portrait", "version")
MEETING = ("known_as", "at")
MOST_MEETINGS = 50_000


def take_out(going: Going) -> None:
    places = {one.pk: place for place, one in enumerate(cast_of(going))}
    faces = sorted(Face.objects.filter(character__in=places), key=lambda row: places[row.character_id])
    # What somebody in the bin has met isn't known to anybody.
    met = Meeting.objects.filter(Q(by=None) | Q(by__in=places), character__in=places)
    meetings = sorted(met, key=lambda row: (row.at, places[row.character_id], places.get(row.by_id or "", -1)))
    going.counts["faces"], going.counts["meetings"] = len(faces), len(meetings)
    said = {
        "faces": [{"character": row.character_id, **rows.write(row, FACE)} for row in faces],
        "meetings": [
            {
                "character": row.character_id,
                "by": row.by_id or "",
                "session": row.session_id or "",
                **rows.write(row, MEETING),
            }
            for row in meetings
        ],
    }
    going.box.add_json(FILE, said)
    going.tell(1)


def bring_in(coming: Coming) -> None:
    said = rows.fields(coming.box.json(FILE), ("faces", "meetings"), FILE)
    faces, meetings = rows.objects(said, "faces", FILE), rows.objects(said, "meetings", FILE)
    coming.count("faces", len(faces), MANIFEST)
    coming.count("meetings", len(meetings), MANIFEST)
    if len(meetings) > MOST_MEETINGS:
        raise rows.invalid("meetings", FILE)
    shown = [_face(coming, each) for each in faces]
    if len({row.character_id for row in shown}) < len(shown):
        raise rows.invalid("faces", FILE)
    met = [_meeting(coming, each) for each in meetings]
    if len({(row.character_id, row.by_id) for row in met}) < len(met):
        raise rows.invalid("meetings", FILE)
    coming.add(shown)
    coming.add(met)
    coming.tell(1)


def _face(coming: Coming, said: dict[str, Any]) -> Face:
    row = rows.read(said, Face, FACE, file=FILE, also=("character",))
    row.character = _character(coming, said["character"])
    return row


def _meeting(coming: Coming, said: dict[str, Any]) -> Meeting:
    row = rows.read(said, Meeting, MEETING, file=FILE, also=("character", "by", "session"))
    row.character = _character(coming, said["character"])
    row.by = coming.row(Character, said["by"], FILE)
    row.session = coming.row(Session, said["session"], FILE)
    return row


def _character(coming: Coming, old: Any) -> Any:
    if old == "":
        raise rows.invalid("character", FILE)
    return coming.row(Character, old, FILE)
