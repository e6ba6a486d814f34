"""What is in an archive, told independently of ids, seals and the time it was made."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from campaigns.archives.box import Reader, Writer
from campaigns.models import Chronicle, User
from story.archives import whole
from tests.unzipped import ID, SEAL


def content(path: Path) -> dict[str, str]:
    """The files by name, in the order in which they were written, each id replaced by its number."""
    numbers: dict[str, str] = {}

    def told(text: str) -> str:
        return ID.sub(lambda found: numbers.setdefault(found[0], f"id{len(numbers)}"), SEAL.sub("seal", text))

    with Reader(path) as box:
        found = {}
        for name in box.manifest["files"]:
            data = box.read(name)
            try:
                text = data.decode()
            except UnicodeDecodeError:
                text = sha256(data).hexdigest()[:16]
            found[told(name)] = told(_unmoved(name, text))
        return found | {"counts": json.dumps(box.manifest["counts"], sort_keys=True)}


def _unmoved(name: str, text: str) -> str:
    """The text without what says that it was imported: the earlier seals in the first line of a log."""
    if not name.endswith("log.jsonl"):
        return text
    head, _line, rows = text.partition("\n")
    said = json.loads(head)
    said.pop("earlier_seals", None)
    return f"{json.dumps(said)}\n{rows}"


def packed_again(
    path: Path, changed: dict[str, bytes], to: Path, more: dict[str, bytes] | None = None, **manifest: Any
) -> Path:
    """The same archive with some files changed or added, and a manifest that fits: a forger can do that."""
    with Reader(path) as box:
        made = Writer(to)
        for name in box.manifest["files"]:
            made.add(name, changed.get(name, box.read(name)))
        for name, data in (more or {}).items():
            made.add(name, data)
        said = {key: value for key, value in box.manifest.items() if key not in ("files", "format")}
        made.close(said | manifest)
    return to


def taken_out(chronicle: Chronicle, path: Path) -> Path:
    whole.take_out(chronicle, path, lambda _more: None)
    return path


def brought_in(path: Path, by: User, *tied: User) -> Chronicle:
    """Import an archive. Those tied take the places of the people with their names."""
    with Reader(path) as box:
        keys = {name: key for key, name in whole.people(box)}
        places = {keys[each.display_name]: each for each in (by, *tied) if each.display_name in keys}
        coming = whole.bring_in(box, by, places, lambda _more: None)
        return whole.save(coming)


def first_difference(there: dict[str, str], here: dict[str, str]) -> str:
    """Where two contents first differ, "" if they don't."""
    for (name, text), (other, found) in zip(there.items(), here.items(), strict=False):
        for place, (one, two) in enumerate(zip(text, found, strict=False)):
            if one != two:
                around = slice(max(0, place - 80), place + 80)
                return f"{name}, {other}: {text[around]!r}, {found[around]!r}"
        if (name, len(text)) != (other, len(found)):
            return f"{name}, {other}: {len(text)}, {len(found)}"
    return "" if there == here else "one has more files"
