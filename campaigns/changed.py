"""Rows that are saved without the columns that haven't changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from campaigns.prepared import PreparedSaves


class SavesChanges(PreparedSaves):
    """A model whose instances know which of their columns differ from the database: :meth:`save_changed` saves those.

    Values are compared with those read, so they must be replaced and not changed in place, JSON too. What is true of
    the database is only known while the row is locked.
    """

    _as_read: dict[str, Any]

    class Meta:
        abstract = True

    def save(self, *args: Any, **more: Any) -> None:
        super().save(*args, **more)
        self._as_read = {}

    @classmethod
    def from_db(cls, db: Any, field_names: Any, values: Any, **more: Any) -> Self:
        made = super().from_db(db, field_names, values, **more)
        made._as_read = made._columns()
        return made

    def refresh_from_db(
        self, using: Any = None, fields: Iterable[str] | None = None, from_queryset: Any = None
    ) -> None:
        super().refresh_from_db(using, fields, from_queryset)
        kept = () if fields is None else getattr(self, "_as_read", {}).items()
        self._as_read = {name: value for name, value in kept if name not in (fields or ())}

    def save_changed(self) -> None:
        """Save the columns that differ from when the row was read or last saved here. Without any, do nothing."""
        was, now = getattr(self, "_as_read", {}), self._columns()
        changed = [name for name, value in now.items() if name not in was or was[name] != value]
        if changed:
            super().save(update_fields=changed)
            self._as_read = now

    def _columns(self) -> dict[str, Any]:
        """The columns that are loaded, without the key."""
        loaded, columns = self.__dict__, self._meta.concrete_fields
        return {
            each.attname: loaded[each.attname] for each in columns if each.attname in loaded and not each.primary_key
        }
