"""The ties of an archive, with their readers: `ties.json`."""

from __future__ import annotations

from typing import Any

from campaigns.archives import rows
from campaigns.archives.box import MANIFEST
from campaigns.archives.moving import Coming, Going
from campaigns.models import Page, PageKind, Session
from characters.archives.order import cast_of
from characters.models import Character, Tie, TieKind, TieReadership

FILE = "ties.json"
COLUMNS = ("kind", "text", "text_back", "size", "state", "audience", "created", "written", "opened", "version")
BESIDE = ("id", "from", "to", "readers", "author", "since", "ended")
MOST_TIES = 20_000
MOST_READERS = 500


def take_out(going: Going) -> None:
    cast = {one.pk: place for place, one in enumerate(cast_of(going))}
    groups = dict(Page.objects.filter(chronicle=going.chronicle, kind=PageKind.GROUP).values_list("pk", "title"))
    there = Tie.objects.filter(chronicle=going.chronicle).prefetch_related("readership__membership")
    # One whose other end is in the bin is nobody's to read until that is back.
    found = [row for row in there if all(end in cast or end in groups for end in _ends(row))]

    def place(row: Tie) -> tuple[Any, ...]:
        ends = [(cast[end], "") if end in cast else (-1, groups[end]) for end in _ends(row)]
        return (row.created, row.written, ends, row.kind, row.text, row.text_back)

    found.sort(key=place)
    going.counts["ties"] = len(found)
    going.box.add_json(FILE, {"ties": [_written(going, row) for row in found]})
    going.tell(1)


def _ends(row: Tie) -> tuple[str, str]:
    return (row.from_character_id or row.from_group_id or "", row.to_character_id or row.to_group_id or "")


def _written(going: Going, row: Tie) -> dict[str, Any]:
    readers = sorted(row.readership.all(), key=lambda each: (each.since, each.membership.joined, each.pk))
    return {
        "id": row.pk,
        "from": _end(row.from_character_id, row.from_group_id),
        "to": _end(row.to_character_id, row.to_group_id),
        **rows.write(row, COLUMNS),
        "author": going.person(row.author_id),
        "since": row.since_id or "",
        "ended": row.ended_id or "",
        "readers": [
            {"person": going.person(each.membership.user_id), "since": rows.plain(each.since)} for each in readers
        ],
    }


def _end(character: str | None, group: str | None) -> dict[str, str]:
    return {"character": character} if character else {"group": group or ""}


def bring_in(coming: Coming) -> None:
    said = rows.fields(coming.box.json(FILE), ("ties",), FILE)
    found = rows.objects(said, "ties", FILE)
    coming.count("ties", len(found), MANIFEST)
    if len(found) > MOST_TIES:
        raise rows.invalid("ties", FILE)
    read = [_read(coming, each) for each in found]
    coming.add([row for row, _readers in read])
    coming.add([reader for _row, readers in read for reader in readers])
    coming.tell(1)


def _read(coming: Coming, said: dict[str, Any]) -> tuple[Tie, list[TieReadership]]:
    row = rows.read(said, Tie, COLUMNS, file=FILE, also=BESIDE)
    coming.named(row, said["id"], FILE)
    row.chronicle = coming.chronicle
    row.from_character, row.from_group = _found(coming, said, "from")
    row.to_character, row.to_group = _found(coming, said, "to")
    _check_ends(row)
    boon = row.kind == TieKind.BOON
    if bool(row.size) != boon or bool(row.state) != boon:
        raise rows.invalid("size", FILE)
    row.author = coming.user(said["author"], FILE)
    row.since, row.ended = (coming.row(Session, said[name], FILE) for name in ("since", "ended"))
    return row, _readers(coming, row, said)


def _found(coming: Coming, said: dict[str, Any], name: str) -> tuple[Any, Any]:
    """One end: a character or a group."""
    end = said[name]
    if not isinstance(end, dict) or len(end) != 1 or "" in end.values():
        raise rows.invalid(name, FILE)
    if "character" in end:
        return coming.row(Character, end["character"], FILE), None
    page = coming.row(Page, end.get("group"), FILE)
    if page.kind != PageKind.GROUP:
        raise rows.invalid(name, FILE)
    return None, page


def _check_ends(row: Tie) -> None:
    if _ends(row)[0] == _ends(row)[1]:
        raise rows.invalid("to", FILE)
    if row.kind == TieKind.MEMBER and (row.from_character is None or row.to_group is None):
        raise rows.invalid("kind", FILE)


def _readers(coming: Coming, row: Tie, said: dict[str, Any]) -> list[TieReadership]:
    found = rows.objects(said, "readers", FILE)
    if len(found) > MOST_READERS or len({str(each.get("person")) for each in found}) < len(found):
        raise rows.invalid("readers", FILE)
    readers = []
    for each in found:
        reader = rows.read(each, TieReadership, ("since",), file=FILE, also=("person",))
        reader.tie, reader.membership = row, coming.member(each["person"], FILE)
        readers.append(reader)
    return readers
