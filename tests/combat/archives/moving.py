"""Takes a chronicle's fights out into an archive, and brings them into another chronicle."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from campaigns.archives.box import Reader, Writer
from campaigns.archives.moving import Coming, Going
from campaigns.models import Chronicle, Membership, Session
from characters.models import CarriedWeapon, Character, WornArmor
from combat.archives import encounters
from combat.log import seal
from combat.models import Encounter

Files = dict[str, Any]
"""The files of an archive by name: an object for a .json, a list of objects for a .jsonl."""


def taken_out(chronicle: Chronicle, path: Path) -> tuple[Files, dict[str, int]]:
    """The files of a chronicle's fights, and their counts."""
    going = Going(chronicle, Writer(path))
    encounters.take_out(going)
    going.box.close({"counts": going.counts})
    box = Reader(path)
    try:
        return {name: _content(box, name) for name in box.manifest["files"]}, going.counts
    finally:
        box.close()


def _content(box: Reader, name: str) -> Any:
    return box.lines(name) if name.endswith(".jsonl") else box.json(name)


def packed(files: Mapping[str, Any], counts: Any, path: Path) -> Reader:
    """An archive of these files. Bytes are put in as they are."""
    box = Writer(path)
    for name, content in files.items():
        if isinstance(content, bytes):
            box.add(name, content)
        elif name.endswith(".jsonl"):
            box.add_lines(name, content)
        else:
            box.add_json(name, content)
    box.close({"counts": counts})
    return Reader(path)


def counted(files: Mapping[str, Any]) -> dict[str, int]:
    """The true counts."""
    logs = [content for name, content in files.items() if name.endswith(".jsonl")]
    return {"encounters": len(logs), "rows": sum(len(each) - 1 for each in logs)}


def sealed(log: list[dict[str, Any]]) -> None:
    """Seal a log again after it was changed, as somebody would who makes an archive by hand."""
    head, *rows = log
    last = seal.first(head["encounter"])
    for number, row in enumerate(rows, start=1):
        row["seq"] = number
        row["seal"] = last = seal.seal(last, row)
    head["rows"], head["seal"] = len(rows), last


def copy_of(chronicle: Chronicle) -> Chronicle:
    """Another chronicle with the same rules and members, but without fights and characters."""
    columns = [each.attname for each in Chronicle._meta.fields if not each.primary_key]
    fields = {name: deepcopy(getattr(chronicle, name)) for name in columns}
    made = Chronicle.objects.bulk_create([Chronicle(**fields)])[0]
    for member in chronicle.memberships.all():
        Membership.objects.create(chronicle=made, user=member.user, role=member.role, removed_at=member.removed_at)
    return made


def bring_in(box: Reader, chronicle: Chronicle, by: Any, tell: Callable[[int], None] = lambda _more: None) -> Chronicle:
    """Bring fights into a new chronicle that is like the one they are from, with copies of its characters."""
    made = copy_of(chronicle)
    coming = Coming(box, by, made, tell)
    characters = list(Character.objects.filter(chronicle=chronicle))
    for each in characters:
        row = Character(**{one.attname: getattr(each, one.attname) for one in Character._meta.fields})
        row.chronicle = made
        coming.named(row, each.pk, "")
        row.fought = coming.new.inside(row.fought)
        coming.add([row])
        for carried in each.weapons.all():
            coming.add([_carried(coming, carried, row)])
        for worn in each.armor.all():
            coming.add([_carried(coming, worn, row)])
    for session in Session.objects.filter(chronicle=chronicle):
        row = Session(**{one.attname: getattr(session, one.attname) for one in Session._meta.fields})
        row.chronicle = made
        coming.named(row, session.pk, "")
        coming.add([row])
    encounters.bring_in(coming)
    coming.save()
    made.coming = coming
    return made


def _carried(coming: Coming, row: CarriedWeapon | WornArmor, of: Character) -> Any:
    fields = {one.attname: getattr(row, one.attname) for one in type(row)._meta.fields if not one.primary_key}
    made = type(row)(**fields)
    made.character = of
    if hasattr(made, "key"):
        made.key = coming.new.text(made.key)
    return made


def pairs(chronicle: Chronicle, other: Chronicle) -> Iterator[tuple[Encounter, Encounter]]:
    """The fights of a chronicle, each with the one it became."""
    new = other.coming.new  # type: ignore[attr-defined]
    for encounter in Encounter.objects.filter(chronicle=chronicle).select_related("chronicle").order_by("created"):
        yield encounter, Encounter.objects.select_related("chronicle").get(pk=new(encounter.pk))


def anonymous(text: str, ids: Iterable[str]) -> str:
    """A text in which each of these ids is its number."""
    for number, each in enumerate(ids):
        text = text.replace(each, f"<{number}>")
    return text


def as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, default=str)
