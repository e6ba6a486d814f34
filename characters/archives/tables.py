"""The weapons and armour of an archive: the chronicle's own rows, and the common rows that it uses.

Everything else names a row by a reference, "own:Hook" or "common:Sword". Common rows are in files of their own, with
all their values. On the way in one that is the same here is used; another becomes the chronicle's own, so that a weapon
stays what it was where the common tables differ.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from campaigns.archives.box import MANIFEST, BadArchive
from campaigns.archives.moving import Coming, Going
from campaigns.models import NAME_LENGTH
from campaigns.names import is_seen
from characters import gear_files, tables
from characters.library import usable
from characters.models import Armor, CarriedWeapon, Gear, Template, Weapon, WornArmor
from characters.models.gear import TAGS

OWN, COMMON = "own:", "common:"
FILES: dict[type[Gear], str] = {Weapon: "weapons", Armor: "armor"}
MOST_ROWS = 5_000
MOST_BYTES = 4_000_000

KEPT_THOUGH_UNKNOWN = frozenset({"tags", "attribute", "ability", "damage_from"})
"""Columns that may name what the chronicle had once and deleted since: its rows keep that, and no rule reads it."""


def take_out(going: Going) -> None:
    for model, name in FILES.items():
        used = _used(going, model)
        there = list(usable(model, going.chronicle))
        own = [row for row in there if row.is_own and (not going.only or row.pk in used)]
        common = [row for row in there if not row.is_own and (row.pk in used or row.name in _named(going, model))]
        for some, file in ((own, name), (common, f"common_{name}")):
            rows = sorted(some, key=lambda row: (row.name.casefold(), row.name))
            if rows:
                said = map(_without_banes, rows) if going.only else rows
                going.box.add(f"tables/{file}.csv", gear_files.write(said, model))
        going.counts[name] = len(own)
        going.tell(1)


def bring_in(coming: Coming) -> None:
    for model, name in FILES.items():
        own = list(rows_of(coming, model, f"tables/{name}.csv"))
        if coming.box.manifest.get("part") == "chronicle":
            coming.count(name, len(own), MANIFEST)
        found: dict[str, Any] = coming.found.setdefault(model, {})
        taken: set[str] = set()
        found |= {f"{OWN}{row.name}": named_freely(row, taken) for row in own}
        found |= {f"{COMMON}{ref}": row for ref, row in _common(coming, model, f"tables/common_{name}.csv", taken)}
        coming.add([row for row in found.values() if row.pk is None])
        coming.tell(1)


def refs(going: Going, model: type[Gear]) -> dict[int, str]:
    """The references of the rows that a chronicle can use, by primary key."""
    return {row.pk: f"{OWN if row.is_own else COMMON}{row.name}" for row in usable(model, going.chronicle)}


def row_of(coming: Coming, model: type[Gear], ref: Any, file: str) -> Any:
    """The row for a reference. Raises `BadArchive` for one that isn't in the archive's tables."""
    if ref == "":
        raise BadArchive(file, _("A weapon or armour isn’t in the archive’s tables."))
    return coming.row(model, ref, file)


def called(coming: Coming, model: type[Gear], name: str) -> str:
    """The name here of what a template calls so."""
    found = coming.found.get(model, {})
    row = None if f"{OWN}{name}" in found else found.get(f"{COMMON}{name}")
    return name if row is None else str(row.name)


class Items:
    """The primary keys of rows by reference, for histories: 0 for a row that isn't here. Only once rows are saved."""

    def __init__(self, coming: Coming) -> None:
        self._coming = coming
        self._common: dict[type[Gear], dict[str, int]] = {}

    def __call__(self, model: type[Gear], ref: str) -> int:
        row = self._coming.found.get(model, {}).get(ref)
        if row is not None:
            return int(row.pk or 0)
        if model not in self._common:
            rows = model._default_manager.filter(chronicle=None, ruleset=self._coming.chronicle.ruleset)
            self._common[model] = {f"{COMMON}{name}": pk for name, pk in rows.values_list("name", "pk")}
        return self._common[model].get(ref, 0)


def is_ref(ref: Any) -> bool:
    """Whether this can be a reference; "" is one to a row that was deleted."""
    return ref == "" or (
        isinstance(ref, str) and ref.startswith((OWN, COMMON)) and len(ref) <= NAME_LENGTH + len(COMMON)
    )


def _used(going: Going, model: type[Gear]) -> set[int]:
    """The rows that characters carry or wear, by primary key."""
    carried, column = (CarriedWeapon, "weapon") if model is Weapon else (WornArmor, "armor")
    rows: Any = carried._default_manager.filter(character__chronicle=going.chronicle, character__binned=None)
    if going.only:
        rows = rows.filter(character__in=going.only)
    return set(rows.values_list(column, flat=True))


def _without_banes(row: Gear) -> Gear:
    """A row as its bearer may take it: without the banes of the chronicle's own kinds among its tags."""
    row = copy(row)
    if isinstance(row, Weapon):
        row.tags = " ".join(tag for tag in row.tags.split() if tag in TAGS)
    return row


def _named(going: Going, model: type[Gear]) -> set[str]:
    """The names that templates use."""
    if going.only:
        return set()
    column = "weapons" if model is Weapon else "armor"
    rows = Template.objects.filter(chronicle=going.chronicle).values_list(column, flat=True)
    return {name for names in rows for name in names}


def rows_of(coming: Coming, model: type[Gear], file: str) -> Iterator[Gear]:
    """The rows of a file as rows of the chronicle, each valid."""
    if not coming.box.has(file):
        return
    names = set()
    try:
        lines = gear_files.lines_of(coming.box.read(file), model, most_bytes=MOST_BYTES, most=MOST_ROWS)
    except gear_files.BadFile as problem:
        raise BadArchive(file, problem.problems[0]) from None
    for line in lines:
        row = model(ruleset=coming.chronicle.ruleset, chronicle=coming.chronicle)
        problems = [*gear_files.fill(row, line)] or [*_problems(row)]
        if row.name in names:
            problems.append(("name", _("This name is in the file twice.")))
        if problems:
            raise BadArchive(file, gear_files.in_words(line.number, *problems[0]))
        names.add(row.name)
        yield row


def _problems(row: Gear) -> Iterator[tuple[str, str]]:
    """What is wrong with a row, but for what the chronicle may have deleted."""
    try:
        row.clean_fields(exclude={"chronicle"})
    except ValidationError as error:
        yield from ((column, messages[-1]) for column, messages in error.message_dict.items())
        return
    if not is_seen(row.name):
        yield "name", _("Enter a name.")
    yield from (
        (column, problem) for column, problem in row.problems() if problem and column not in KEPT_THOUGH_UNKNOWN
    )


def _common(coming: Coming, model: type[Gear], file: str, taken: set[str]) -> Iterator[tuple[str, Gear]]:
    """The common rows by name: those of this server where they are the same, else as rows of the chronicle."""
    read = list(rows_of(coming, model, file))
    here = model._default_manager.filter(chronicle=None, ruleset=coming.chronicle.ruleset)
    there = {row.name: row for row in here.filter(name__in=[row.name for row in read])}
    for row in read:
        said, same = row.name, there.get(row.name)
        if same is not None and values(same) == values(row):
            yield said, same
        else:
            yield said, named_freely(row, taken)


def values(row: Gear) -> list[Any]:
    """The values of a row's columns."""
    return [getattr(row, column) for column in tables.columns(type(row))]


def named_freely(row: Gear, taken: set[str]) -> Gear:
    """The row under a name that no other row of the chronicle has, in upper or lower case."""
    name, number = row.name, 2
    while row.name.casefold() in taken:
        ending = f" ({number})"
        row.name, number = f"{name[: NAME_LENGTH - len(ending)]}{ending}", number + 1
    taken.add(row.name.casefold())
    return row
