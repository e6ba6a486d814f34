"""JSON as it was written, the keys of each object in their order."""

from __future__ import annotations

import json
from typing import Any

from django.db import models


class WrittenField(models.JSONField):
    """A JSON field that keeps the order of keys.

    Who joined a fight first stands first: the order tells. The kind of JSON that Django uses on PostgreSQL sorts keys,
    so there this is PostgreSQL's other kind, which keeps the text. (It cannot be compared in queries: nobody asks.)
    """

    def db_type(self, connection: Any) -> str | None:
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:  # noqa: FBT001, FBT002
        if connection.vendor != "postgresql":
            return super().get_db_prep_value(value, connection, prepared)
        return None if value is None else json.dumps(value, cls=self.encoder)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        # The driver has read this kind already; no row holds a bare text.
        return super().from_db_value(value, expression, connection) if isinstance(value, str) else value
