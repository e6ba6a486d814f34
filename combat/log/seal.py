"""Each row of a log sealed with the one before: what was changed, dropped or slipped in afterwards breaks the chain.

A row's seal is the SHA-256 of the seal before it and of all that the row says. It holds the row's random token, so
that nobody guesses from a seal what a row says that they may not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

SEALED = ("seq", "token", "kind", "target", "actor_name", "command", "events", "cast", "created")
"""What a seal is over, by the names of `LogRow`'s fields."""

SHOWN = 16
"""As much of a seal as a log shows: enough to compare by eye, too much to be met by trying."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a log is not what was written: the number of the row, and what is wrong with it."""

    seq: int
    what: str


def first(encounter_id: str) -> str:
    """What the first row's seal builds on."""
    return sha256(encounter_id.encode()).hexdigest()


def content(row: Any) -> dict[str, Any]:
    """All that a row (a `LogRow`, or one of a migration's) says, as JSON has it."""
    said = {name: getattr(row, name) for name in SEALED}
    return said | {"kind": str(row.kind), "created": moment(row.created)}


def moment(when: datetime) -> str:
    """A moment as text: the same one whatever zone a database gives it back in."""
    return when.astimezone(UTC).isoformat(timespec="microseconds")


def seal(before: str, said: Mapping[str, Any]) -> str:
    """The seal of a row that says this, after one with the seal `before`."""
    text = json.dumps({name: said[name] for name in SEALED}, sort_keys=True, separators=(",", ":"))
    return sha256(f"{before}\n{text}".encode()).hexdigest()


def shown(seal: str) -> str:
    """A seal as a page shows it: in groups that can be read out."""
    return " ".join(seal[place : place + 4] for place in range(0, SHOWN, 4))


def faults(encounter_id: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[Fault]:
    """What is wrong with a log, first to last. `rows` are :func:`content` with their `seal`, in order."""
    before = first(encounter_id)
    for number, row in enumerate(rows, start=1):
        if row["seq"] != number:
            yield Fault(number, f"row {number} is not there, row {row['seq']} stands in its place")
            return
        if seal(before, row) != row["seal"]:
            yield Fault(number, f"row {number} is not what was sealed")
            return
        before = row["seal"]
