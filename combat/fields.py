"""JSON fields that preserve the order of keys."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.db import models


class Written(str):
    """JSON as text, to be stored as it is. What is read is never one."""

    __slots__ = ()


class Spelled(dict[str, Any]):
    """JSON together with its `text`, for values whose text is known when they are made. It must not be changed."""

    def __init__(self, value: Mapping[str, Any], text: str) -> None:
        super().__init__(value)
        self.text = Written(text)


class WrittenField(models.JSONField):
    """A JSON field that preserves the order of keys, which is meaningful: combatants are kept in the order they joined.

    On PostgreSQL this is a `json` column, because Django's `jsonb` sorts keys. (A `json` column can't be compared in
    queries, which nothing does.)
    """

    def db_type(self, connection: Any) -> str | None:
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:  # noqa: FBT001, FBT002
        value = value.text if isinstance(value, Spelled) else value
        if isinstance(value, Written):
            return str(value)
        if connection.vendor != "postgresql":
            return super().get_db_prep_value(value, connection, prepared)
        return None if value is None else json.dumps(value, cls=self.encoder)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        # The driver has already decoded `json`; no row holds a bare string.
        return super().from_db_value(value, expression, connection) if isinstance(value, str) else value


MOST_PARSED = 100


class SharedField(WrittenField):
    """A written field whose text is parsed once for all who read the same. Its values must not be changed in place."""

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "combat.fields.WrittenField", args, kwargs  # for migrations it is one: the column is the same

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return _parsed(value) if isinstance(value, str) else value


@lru_cache(MOST_PARSED)
def _parsed(text: str) -> Any:
    return json.loads(text)
