"""Texts as searches compare them."""

from __future__ import annotations

import unicodedata
from typing import Any

from django.db import models
from django.db.models.lookups import Contains


def folded(text: str) -> str:
    """A text without case, in one normal form: “STRASSE” finds “Straße”, however its letters were typed."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


class FoldedField(models.TextField[str, str]):
    """The folded text of another field of the row, written with it: databases fold no umlauts, or not all alike.

    `save` with `update_fields` writes it only if it is named: see :func:`with_folded`.
    """

    def __init__(self, *arguments: Any, of: str = "", **more: Any) -> None:
        self.of = of
        super().__init__(*arguments, **{"editable": False, "default": "", "blank": True, **more})

    def deconstruct(self) -> Any:
        name, path, arguments, more = super().deconstruct()
        return name, path, arguments, {**more, "of": self.of}

    def pre_save(self, model_instance: Any, add: bool) -> str:  # noqa: FBT001  # Django's signature
        value = folded(getattr(model_instance, self.of))
        setattr(model_instance, self.attname, value)
        return value


def with_folded(fields: Any, text: str, column: str) -> Any:
    """The `update_fields` of a row, with the folded column of a text that is among them."""
    return {*fields, column} if fields is not None and text in fields else fields


@models.TextField.register_lookup
class Has(Contains):
    """`contains`, by the fastest function of each database (docs/decisions/0024-search-reads-folded-columns.md)."""

    lookup_name = "has"

    def get_rhs_op(self, connection: Any, rhs: str) -> str:
        return str(connection.operators[Contains.lookup_name] % rhs)

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        sql, values = self.process_lhs(compiler, connection)
        return f"STRPOS({sql}, %s) > 0", [*values, self.rhs]
