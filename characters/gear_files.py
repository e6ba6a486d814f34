"""A chronicle's own weapons or armour as a CSV file.

A file has the columns of the shipped ones in any order; those it lacks stay as they are. A row with an existing name
changes that row, any other adds one. Reading is all or nothing, and names every problem with its line and column.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from campaigns.models import Chronicle
from characters import tables
from characters.imports import widget_of
from characters.models import Gear

MOST_BYTES = 200_000
MOST_ROWS = 500
BOM = "\ufeff"
"""Tells spreadsheets that a file is in UTF-8."""


class BadFile(Exception):
    """A file can't be imported; `problems` says why, in sentences."""

    def __init__(self, *problems: str) -> None:
        super().__init__(*problems)
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a file, with the number of the line where it begins."""

    number: int
    cells: dict[str, str]


def write(rows: Iterable[Gear], model: type[Gear]) -> str:
    """The rows as a file. Cells that a spreadsheet might run are escaped (`imports.Text`)."""
    columns = tables.columns(model)
    cells = {column: widget_of(model._meta.get_field(column)) for column in columns}
    made = StringIO()
    written = csv.writer(made, lineterminator="\r\n")
    written.writerow(columns)
    written.writerows([cells[column].render(getattr(row, column)) for column in columns] for row in rows)
    return BOM + made.getvalue()


def read(content: bytes, model: type[Gear], chronicle: Chronicle, there: Iterable[Gear]) -> list[Gear]:
    """The rows that a file adds or changes, valid and unsaved; ``there`` are the chronicle's present ones.

    Raises `BadFile`.
    """
    by_name = {row.name.casefold(): row for row in there}
    rows: dict[str, Gear] = {}
    problems: list[str] = []
    for line in lines_of(content, model):
        name = str(widget_of(model._meta.get_field("name")).clean(line.cells["name"])).casefold()
        row = by_name.get(name) or model(ruleset=chronicle.ruleset, chronicle=chronicle)
        found = [("name", _("This name is in the file twice."))] if name in rows else list(_problems(row, line))
        problems += [in_words(line.number, column, problem) for column, problem in found]
        rows[name] = row
    if problems:
        raise BadFile(*problems)
    return list(rows.values())


def lines_of(content: bytes, model: type[Gear], *, most_bytes: int = MOST_BYTES, most: int = MOST_ROWS) -> list[Line]:
    """The lines of a file. Raises `BadFile` for one that isn't such a table."""
    if len(content) > most_bytes:
        raise BadFile(
            _("This file is larger than %(most)s KB. Split it into smaller ones.") % {"most": most_bytes // 1000}
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadFile(_("This file isn’t in UTF-8. Save the table as “CSV UTF-8”.")) from None
    head = text.partition("\n")[0]
    separator = ";" if ";" in head and "," not in head else ","
    try:
        lines = list(_cells(csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True), model))
    except csv.Error as error:
        raise BadFile(
            _("This file can’t be read as CSV (%(error)s). Save it as CSV again.") % {"error": error}
        ) from None
    if len(lines) > most:
        numbers = {"rows": len(lines), "most": most}
        raise BadFile(_("The file has %(rows)s rows. Import at most %(most)s at once.") % numbers)
    return lines


def _cells(reader: Any, model: type[Gear]) -> Iterator[Line]:
    columns = [column.strip().lower() for column in next(reader, [])]
    _check_columns(columns, model)
    begins = reader.line_num + 1
    for row in reader:
        if any(cell.strip() for cell in row):
            if len(row) != len(columns):
                numbers = {"line": begins, "cells": len(row), "columns": len(columns)}
                raise BadFile(_("Line %(line)s has %(cells)s cells, but there are %(columns)s columns.") % numbers)
            yield Line(begins, dict(zip(columns, row, strict=True)))
        begins = reader.line_num + 1


def _check_columns(columns: list[str], model: type[Gear]) -> None:
    known = tables.columns(model)
    if "name" not in columns:
        raise BadFile(_("The file has no “name” column. Add one."))
    if strange := [column for column in columns if column not in known]:
        there = {"strange": strange[0][:40], "known": ", ".join(known)}
        raise BadFile(_("Unknown column: “%(strange)s”. This table has: %(known)s.") % there)
    if len(columns) != len(set(columns)):
        raise BadFile(_("The file has the same column twice. Remove one of them."))


def _problems(row: Gear, line: Line) -> Iterator[tuple[str, str]]:
    """Fill a row from a line. Yields each problem with its column."""
    bad = set()
    for column, problem in fill(row, line):
        bad.add(column)
        yield column, problem
    try:
        row.full_clean(exclude=bad, validate_constraints=False)
    except ValidationError as error:
        for column, messages in error.message_dict.items():
            if column not in bad:
                yield column, messages[-1]


def fill(row: Gear, line: Line) -> Iterator[tuple[str, str]]:
    """Fill a row from a line without validating it. Yields the columns whose cells can't be read, with why."""
    for column, cell in line.cells.items():
        try:
            setattr(row, column, widget_of(row._meta.get_field(column)).clean(cell))
        except ValueError as error:
            yield column, str(error)


def in_words(line: int, column: str, problem: str) -> str:
    """A problem with its place."""
    return _("Line %(line)s, %(column)s: %(problem)s") % {"line": line, "column": column, "problem": problem}
