"""Import and export of weapons and armour as CSV.

A file has the columns of the shipped ones in any order, and optionally a column `ruleset`. A row with an existing name
updates that row, any other adds one. Imports are all or nothing.
"""

from __future__ import annotations

import re
from typing import Any, cast

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from import_export import fields, resources, widgets
from import_export.formats.base_formats import CSV
from tablib import Dataset

from campaigns.marks import mark
from characters import tables
from characters.models import Armor, Gear, Weapon
from characters.services import gear_mark

MOST_BYTES = 1_000_000
MOST_ROWS = 2_000
# CSV injection: spreadsheets run cells that begin with these.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\0")


class Unreadable(Exception):
    """The whole file can't be imported; the message says why."""


class Text(widgets.CharWidget):
    """Text. Cells that a spreadsheet might run are escaped with a quote, which reading removes."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> str:
        text = str(value or "").strip()
        return text[1:] if text.startswith("'") and _may_run(text) else text

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> str:
        text = str(value or "")
        return f"'{text}" if _may_run(text) else text


def _may_run(text: str) -> bool:
    # A text that begins with the escaping quote itself gets another one, so that reading returns it unchanged.
    return text.lstrip("'").startswith(FORMULA)


class Figure(widgets.Widget):
    """A whole number. An empty cell gives `empty`."""

    def __init__(self, empty: int | None) -> None:
        super().__init__()
        self.empty = empty

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> int | None:
        text = str("" if value is None else value).strip()
        if not text:
            return self.empty
        if not re.fullmatch(r"-?[0-9]{1,6}", text):
            raise ValueError(_("“%s” isn’t a whole number.") % text[:40])
        return int(text)

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> str:
        return "" if value is None else str(value)


class Switch(widgets.Widget):
    """A boolean, written as "yes" or an empty cell; "no" is read too."""

    def clean(self, value: Any, row: Any = None, **kwargs: Any) -> bool:
        text = str(value or "").strip().lower()
        if text not in ("yes", "no", ""):
            raise ValueError(_("“%s” isn’t “yes” or “no”.") % text[:40])
        return text == tables.TRUE

    def render(self, value: Any, obj: Any = None, **kwargs: Any) -> str:
        return tables.TRUE if value else ""


def widget_of(field: Any) -> widgets.Widget:
    """What reads and writes a column's cells."""
    if isinstance(field, models.BooleanField):
        return Switch()
    if isinstance(field, models.IntegerField):
        return Figure(None if field.null else field.default)
    return Text()


class PlainDiff(resources.Diff):
    """The diff of an import, without inline styles, which our content security policy forbids."""

    def as_html(self) -> list[SafeString]:
        return [mark_safe(re.sub(r'<(ins|del) style="[^"]*">', r"<\1>", str(cell))) for cell in super().as_html()]  # noqa: S308


class GearResource(resources.ModelResource):  # type: ignore[type-arg]  # generic only in its types
    """Imports and exports a table. `ruleset` applies to files without that column.

    Its results carry `seen`, a concurrency token of the existing rows that the file names.
    """

    seen = ""

    def __init__(self, ruleset: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.ruleset = ruleset

    @classmethod
    def get_diff_class(cls) -> type[resources.Diff]:
        return PlainDiff

    @classmethod
    def field_from_django_field(cls, field_name: str, django_field: Any, readonly: bool) -> fields.Field:  # noqa: FBT001
        return fields.Field(
            attribute=field_name, column_name=field_name, widget=widget_of(django_field), readonly=readonly
        )

    @property
    def table(self) -> type[Gear]:
        """The model. The library's types confuse it with an instance."""
        return cast("type[Gear]", self._meta.model)

    def get_queryset(self) -> models.QuerySet[Gear]:
        # Custom rows are private to their chronicle.
        return self.table._default_manager.filter(chronicle=None)

    def before_import(self, dataset: Dataset, **kwargs: Any) -> None:
        try:
            self._check(dataset)
        except Unreadable:
            # Don't report errors for each row too.
            del dataset[0 : len(dataset)]
            raise
        self.there = {(row.ruleset, row.name): row for row in self.get_queryset()}
        by_name = {(ruleset, name.lower()): gear_mark(row) for (ruleset, name), row in self.there.items()}
        keys = [self._key(row) for row in dataset.dict]
        self.seen = mark(repr([by_name.get((ruleset, name.lower())) for ruleset, name in keys]))

    def after_import(self, dataset: Dataset, result: Any, **kwargs: Any) -> None:
        result.seen = self.seen

    def get_instance(self, instance_loader: Any, row: Any) -> Gear | None:
        # Popped from one query's result, so that a duplicate name in the file is rejected.
        return self.there.pop(self._key(row), None)

    def _key(self, row: Any) -> tuple[str, str]:
        ruleset, name = (self.fields[column].clean(row) for column in ("ruleset", "name"))
        return ruleset, name

    def _check(self, dataset: Dataset) -> None:
        headers = [str(header or "").strip() for header in dataset.headers or ()]
        if len(headers) == 1 and ";" in headers[0]:
            raise Unreadable(_("This file’s columns are separated by “;”. Save it with commas."))
        known = ["ruleset", *tables.columns(self.table)]
        if strange := [header for header in headers if header not in known]:
            there = {"strange": strange[0][:40], "known": ", ".join(known)}
            raise Unreadable(_("Unknown column: “%(strange)s”. This table has: %(known)s.") % there)
        if len(headers) != len(set(headers)):
            raise Unreadable(_("The file has the same column twice. Remove one of them."))
        if "name" not in headers:
            raise Unreadable(_("The file has no “name” column. Add one."))
        if len(dataset) > MOST_ROWS:
            raise Unreadable(
                _("The file has %(rows)s rows. Import at most %(most)s at once.")
                % {"rows": len(dataset), "most": MOST_ROWS}
            )
        dataset.headers = headers
        if "ruleset" not in headers:
            if not self.ruleset:
                raise Unreadable(_("The file has no “ruleset” column. Choose a ruleset above."))
            dataset.append_col([self.ruleset] * len(dataset), header="ruleset")

    def import_instance(self, instance: Gear, row: Any, **kwargs: Any) -> None:
        if None in row:
            raise ValidationError(_("The row has more cells than the file has columns."))
        super().import_instance(instance, row, **kwargs)


def _options(model: type[Gear]) -> type:
    return type(
        "Meta",
        (),
        {
            "model": model,
            "fields": ("ruleset", *tables.columns(model)),
            "import_id_fields": ("ruleset", "name"),
            "clean_model_instances": True,
            "skip_unchanged": True,
            "report_skipped": True,
            "use_transactions": True,
        },
    )


class WeaponResource(GearResource):
    Meta = _options(Weapon)


class ArmorResource(GearResource):
    Meta = _options(Armor)


class GearCSV(CSV):
    """CSV with the line endings of the shipped files."""

    def export_data(self, dataset: Dataset, **kwargs: Any) -> str:
        return str(super().export_data(dataset, lineterminator="\n", **kwargs))
