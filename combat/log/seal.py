"""Seals: a hash chain over the rows of a log. A row changed, removed or inserted later breaks the chain.

A row's seal is the SHA-256 of the previous seal and of the row's content. The content includes the row's random
token, so nobody can guess a hidden row from its seal.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

SEALED = ("seq", "token", "kind", "target", "actor_name", "command", "events", "cast", "created")
"""The fields of `LogRow` that a seal covers."""

SHOWN = 16
"""The number of digits of a seal that pages show: short enough to compare by eye, too long to brute-force."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A break in the chain: the number of the row, and what is wrong with it."""

    seq: int
    what: str


def first(encounter_id: str) -> str:
    """The seal before the first row."""
    return sha256(encounter_id.encode()).hexdigest()


def content(row: Any) -> dict[str, Any]:
    """The sealed content of a row (a `LogRow`, or a migration's version), as JSON values."""
    said = {name: getattr(row, name) for name in SEALED}
    return said | {"kind": str(row.kind), "created": moment(row.created)}


def moment(when: datetime) -> str:
    """A moment as text in UTC, independent of the time zone that a database returns."""
    return when.astimezone(UTC).isoformat(timespec="microseconds")


def seal(before: str, said: Mapping[str, Any]) -> str:
    """The seal of a row with this content, after one with the seal `before`."""
    text = json.dumps({name: said[name] for name in SEALED}, sort_keys=True, separators=(",", ":"))
    return sha256(f"{before}\n{text}".encode()).hexdigest()


def shown(seal: str) -> str:
    """A seal for display, shortened and in groups that can be read out."""
    return " ".join(seal[place : place + 4] for place in range(0, SHOWN, 4))


def faults(encounter_id: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[Fault]:
    """The faults of a log, first to last. `rows` are :func:`content` with their `seal`, in order."""
    before = first(encounter_id)
    for number, row in enumerate(rows, start=1):
        if row["seq"] != number:
            yield Fault(number, f"row {number} is missing; row {row['seq']} is in its place")
            return
        if seal(before, row) != row["seal"]:
            yield Fault(number, f"row {number} does not match its seal")
            return
        before = row["seal"]
