"""The shipped weapons and armour, and loading them into the database."""

from __future__ import annotations

import csv
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Any

from django.db import models, transaction

from characters import rulesets, services
from characters.models import Armor, Gear, ShippedTable, Weapon

FOLDER = Path(__file__).parent
MODELS: dict[str, type[Gear]] = {"weapons": Weapon, "armor": Armor}
# The fields that aren't columns of the files.
NOT_COLUMNS = frozenset({"id", "ruleset", "chronicle"})
TRUE = "yes"


def load(*, refresh: bool = False) -> int:
    """Add missing shipped rows to the common tables; returns the number written.

    Each file is loaded once, so administrators' changes and deletions persist. A new version of a file is loaded again,
    but only adds missing names. With `refresh`, every file is loaded and overwrites its rows; rows with other names and
    custom rows stay.
    """
    found = files()
    digests = {name: sha256(content).hexdigest() for name, content in found.items()}
    seen = dict(ShippedTable.objects.values_list("name", "digest"))
    news = [name for name in found if refresh or seen.get(name) != digests[name]]
    if not news:
        return 0
    with transaction.atomic():
        written = sum(_load_file(name, found[name], refresh=refresh) for name in news)
        for name in news:
            ShippedTable.objects.update_or_create(name=name, defaults={"digest": digests[name]})
        return written


def files() -> dict[str, bytes]:
    """The shipped files by name: ours, and those in the `tables` folders of ruleset packages."""
    found = {path.name: path.read_bytes() for path in sorted(FOLDER.glob("*.csv"))}
    for key, package in rulesets.packages().items():
        for name in (f"{key}_{table}.csv" for table in MODELS):
            place = resources.files(package).joinpath("tables", name)
            if name not in found and place.is_file():
                found[name] = place.read_bytes()
    return found


def rows(name: str, content: bytes) -> list[Gear]:
    """A shipped file as unsaved common rows. Its name gives the ruleset and the table."""
    ruleset, table = name.removesuffix(".csv").rsplit("_", 1)
    model = MODELS[table]
    lines = csv.DictReader(content.decode("utf-8").splitlines())
    return [model(ruleset=ruleset, **{key: _value(model, key, cell) for key, cell in line.items()}) for line in lines]


def columns(model: type[Gear]) -> list[str]:
    """A table's columns in the order of the shipped files, without the ruleset."""
    fields = [field.name for field in model._meta.concrete_fields if field.name not in NOT_COLUMNS]
    return ["name", *(name for name in fields if name not in ("name", "note")), "note"]


def used_columns(row: Gear) -> list[str]:
    """The columns of a row's table that its ruleset uses, and those that the row fills anyway."""
    table = next(name for name, model in MODELS.items() if model is type(row))
    unused = rulesets.unused_columns(row.ruleset)
    return [name for name in columns(type(row)) if f"{table}.{name}" not in unused or is_filled(row, name)]


def is_filled(row: Gear, column: str) -> bool:
    """Whether a row says something in this column."""
    field = row._meta.get_field(column)
    empty = field.default if field.has_default() else None  # type: ignore[union-attr]  # columns aren't relations
    return getattr(row, column) not in (None, "", empty)


def _load_file(name: str, content: bytes, *, refresh: bool) -> int:
    shipped = rows(name, content)
    model = type(shipped[0])
    ruleset = shipped[0].ruleset
    there = {row.name.casefold(): row for row in model._default_manager.filter(ruleset=ruleset, chronicle=None)}
    missing = [row for row in shipped if row.name.casefold() not in there]
    model._default_manager.bulk_create(missing)
    changed = _take_over(shipped, there) if refresh else []
    if changed:  # nobody carries what was missing
        services.tell_table(ruleset=ruleset, chronicle_id=None)
    return len(missing) + len(changed)


def _take_over(shipped: list[Gear], there: dict[str, Gear]) -> list[Gear]:
    changed = []
    for row in shipped:
        kept = there.get(row.name.casefold())
        if kept is None:
            continue
        names = columns(type(row))
        if any(getattr(kept, name) != getattr(row, name) for name in names):
            row.pk = kept.pk
            row.save()
            changed.append(row)
    return changed


def _value(model: type[Gear], key: str, cell: str) -> Any:
    field = model._meta.get_field(key)
    if isinstance(field, models.BooleanField):
        return cell == TRUE
    if isinstance(field, models.IntegerField):
        return int(cell) if cell else (None if field.null else field.default)
    return cell
