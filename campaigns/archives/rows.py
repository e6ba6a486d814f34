"""Columns of models as JSON, and back with every check that the model has.

A section names the columns that it writes. Keys of other rows are the sections' own: here are only plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sized
from datetime import UTC, date, datetime
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from campaigns import chains
from campaigns.archives.box import BadArchive
from campaigns.names import printable

Row = TypeVar("Row", bound=models.Model)

FIRST_YEAR, LAST_YEAR = 2, 9998
"""In the first and last years, some time zones have no such moment."""


def write(row: models.Model, columns: Iterable[str]) -> dict[str, Any]:
    """These columns of a row, as JSON values."""
    return {name: plain(getattr(row, name)) for name in columns}


def plain(value: Any) -> Any:
    """A column's value as JSON."""
    if isinstance(value, datetime):
        return chains.moment(value)
    if isinstance(value, date):
        return value.isoformat()
    return str(value) if isinstance(value, models.Choices) else value


def read(said: Any, model: type[Row], columns: Collection[str], *, file: str, also: Collection[str] = ()) -> Row:
    """An unsaved row with these columns. `also` are keys that the caller reads.

    Raises `BadArchive` for a key that is missing or unknown, and for a value that the model doesn't allow.
    """
    values = fields(said, {*columns, *also}, file)
    row = model()
    for name in columns:
        setattr(row, name, _value(model._meta.get_field(name), values[name], file))
    return row


def fields(said: Any, names: Collection[str], file: str) -> Mapping[str, Any]:
    """An object with exactly these keys. Raises `BadArchive`."""
    if not isinstance(said, dict):
        raise BadArchive(file, _("A value isn’t an object."))
    for name in names:
        if name not in said:
            raise BadArchive(file, _("“%(field)s” is missing.") % {"field": name})
    for name in said:
        if name not in names:
            raise BadArchive(file, _("“%(field)s” is unknown.") % {"field": str(name)[:80]})
    return said


def typed(said: Mapping[str, Any], name: str, kind: type[Any], file: str) -> Any:
    """A key's value, which must be exactly of this type. Raises `BadArchive`."""
    value = said.get(name)
    if type(value) is not kind:
        raise invalid(name, file)
    return value


def objects(said: Mapping[str, Any], name: str, file: str) -> list[dict[str, Any]]:
    """A key's value, which must be a list of objects. Raises `BadArchive`."""
    found: list[dict[str, Any]] = typed(said, name, list, file)
    if any(not isinstance(each, dict) for each in found):
        raise invalid(name, file)
    return found


def at_most(found: Sized, most: int, name: str, file: str) -> None:
    """Check how many there are. Raises `BadArchive`."""
    if len(found) > most:
        raise BadArchive(file, _("“%(field)s” has more than %(most)s entries.") % {"field": name[:80], "most": most})


def invalid(name: str, file: str) -> BadArchive:
    """That a value isn't allowed."""
    return BadArchive(file, _("“%(field)s” isn’t valid.") % {"field": str(name)[:80]})


def _value(field: Any, said: Any, file: str) -> Any:
    if said is None and field.null:
        return None
    value = _parsed(field, said)
    if value is _WRONG:
        raise invalid(field.name, file)
    try:
        # A field that isn't editable skips its choices in `clean`.
        if field.choices and value not in field.empty_values and value not in dict(field.flatchoices):
            raise ValidationError("")
        if isinstance(value, str) and field.max_length and len(value) > field.max_length:
            raise ValidationError("")  # of a long text the model itself doesn't check it
        if not field.editable and value in field.empty_values and not isinstance(field, models.JSONField):
            return value
        return field.clean(value, None)
    except ValidationError:
        raise invalid(field.name, file) from None


_WRONG = object()


def _parsed(field: Any, said: Any) -> Any:
    """The value, `_WRONG` for one of the wrong type."""
    if isinstance(field, models.JSONField):
        return said
    if isinstance(field, models.BooleanField | models.IntegerField):
        return said if type(said) is (bool if isinstance(field, models.BooleanField) else int) else _WRONG
    if not isinstance(said, str) or "\0" in said:
        return _WRONG
    return _PARSERS.get(type(field), printable)(said)


def moment(said: str) -> datetime | None:
    """A moment with its time zone, in UTC; None for anything else, and for one that some time zone can't express."""
    try:
        written = datetime.fromisoformat(said)
        found = written.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return found if written.tzinfo and FIRST_YEAR <= found.year <= LAST_YEAR else None


def _moment(said: str) -> Any:
    return moment(said) or _WRONG


def _day(said: str) -> Any:
    try:
        return date.fromisoformat(said)
    except ValueError:
        return _WRONG


_PARSERS: dict[type[Any], Callable[[str], Any]] = {
    models.DateTimeField: _moment,
    models.DateField: _day,
    models.TextField: str,
}
"""By the exact type: to Django a moment is a date, too. Any other field is a line of text."""
