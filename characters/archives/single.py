"""A character as a file of its own: an archive with the part "characters", as its owner reads it.

It holds the sheet, the portrait, the chronicle's own rows that it carries, experience and history; neither the
Storyteller's notes nor anything that its owner doesn't know. What the chronicle added to sheets is named in the
manifest, for chronicles in which it is unknown.
"""

from __future__ import annotations

import re
import unicodedata
import zipfile
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns import chains
from campaigns.archives.box import Writer
from campaigns.archives.moving import Going
from campaigns.models import Membership
from campaigns.words import said
from characters import rulesets
from characters.archives import changes, characters, experience, tables
from characters.models import Character

PART = "characters"
SECTIONS = (tables, characters, experience, changes)


def file_of(one: Character) -> bytes:
    """A character's file. Raises `TooLarge`."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "character.zip"
        box = Writer(path)
        try:
            going = Going(one.chronicle, box, only=(one.pk,))
            for section in SECTIONS:
                section.take_out(going)
            box.add("README.md", _readme(one))
            box.close({**_manifest(one), "counts": going.counts})
        except BaseException:
            box.abandon()
            raise
        return path.read_bytes()


def files_of(member: Membership) -> bytes:
    """A zip with a file for each of a player's own characters in a chronicle: they are brought in one by one."""
    packed = BytesIO()
    own = Character.objects.filter(chronicle=member.chronicle_id, owner=member.user_id).select_related("chronicle")
    with zipfile.ZipFile(packed, "w") as box:
        for name, one in zip(_names(own), own, strict=True):
            box.writestr(name, file_of(one))
    return packed.getvalue()


def file_name(name: str) -> str:
    """A name as part of a file's name that every system takes."""
    latin = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", latin.lower()).strip("-")[:60] or "character"


def _names(some: Iterable[Character]) -> list[str]:
    found: list[str] = []
    for one in some:
        name, number = file_name(one.name), 2
        while f"{name}.zip" in found:
            name, number = f"{file_name(one.name)}-{number}", number + 1
        found.append(f"{name}.zip")
    return found


def _manifest(one: Character) -> dict[str, Any]:
    return {
        "part": PART,
        "ruleset": one.chronicle.ruleset,
        "name": one.name,
        "chronicle": one.chronicle.name,
        "made": chains.moment(timezone.now()),
        "own": own_names(one),
    }


def own_names(one: Character) -> dict[str, dict[str, str]]:
    """What the chronicle's own kind, Traits and sections on this sheet are called, and what its kind is like."""
    ruleset, kept = rulesets.ruleset_for(one.chronicle), one.chronicle.own_kinds.get(one.kind)
    traits = ruleset.layout.traits_for(one.kind, one.traits)
    details = ruleset.layout.details_for(one.kind, one.details)
    return {
        "kinds": {one.kind: said(ruleset.kind(one.kind).label)} if kept else {},
        "like": {one.kind: str(kept.get("like", ""))} if kept else {},
        "traits": {each.key: said(each.label) for each in traits if each.own},
        "details": {each.key: said(each.label) for each in details if each.own},
    }


def _readme(one: Character) -> str:
    lines = (
        f"# {one.name}",
        _("A character from Vesper, of the ruleset “%(ruleset)s”.")
        % {"ruleset": rulesets.name_of(one.chronicle.ruleset)},
        _("`characters/` holds the sheet, `portraits/` the picture, `tables/` the weapons and armour."),
        _("`experience.jsonl` and `changes.jsonl` hold experience and history, a line for each entry."),
        _("In another chronicle with this ruleset, “Bring in a character” reads this file."),
    )
    return "\n\n".join(lines) + "\n"
