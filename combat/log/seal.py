"""Seals: the hash chain over the rows of a log (`campaigns.chains`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campaigns import chains
from campaigns.chains import Fault, first, moment, shown

__all__ = ["SEALED", "Fault", "content", "faults", "first", "moment", "seal", "shown"]

SEALED = ("seq", "token", "kind", "target", "actor_name", "command", "events", "cast", "created")
"""The fields of `LogRow` that a seal covers."""


def content(row: Any) -> dict[str, Any]:
    """The sealed content of a row (a `LogRow`, or a migration's version), as JSON values."""
    said = {name: getattr(row, name) for name in SEALED}
    return said | {"kind": str(row.kind), "created": moment(row.created)}


def seal(before: str, said: Mapping[str, Any]) -> str:
    """The seal of a row with this content, after one with the seal `before`."""
    return chains.seal(before, said, SEALED)


def faults(encounter_id: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[Fault]:
    """The faults of a log, first to last. `rows` are :func:`content` with their `seal`, in order."""
    return chains.faults(encounter_id, rows, SEALED)
