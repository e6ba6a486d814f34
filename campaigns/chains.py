"""Hash chains over append-only rows: a row changed, removed or inserted later breaks the chain.

A row's seal is the SHA-256 of the previous seal and of the row's content. The content includes a random token, so
nobody can guess a hidden row from its seal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")
"""Surrogates that are written as escapes."""

SHOWN = 16
"""The number of digits of a seal that pages show: short enough to compare by eye, too long to brute-force."""


class BadExport(ValueError):
    """An invalid export. Its text is a message for the user."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A break in the chain: the number of the row, and what is wrong with it."""

    seq: int
    what: str


def first(owner_id: str) -> str:
    """The seal before the first row of what has this id."""
    return sha256(owner_id.encode()).hexdigest()


def moment(when: datetime) -> str:
    """A moment as text in UTC, independent of the time zone that a database returns."""
    return when.astimezone(UTC).isoformat(timespec="microseconds")


def seal(before: str, said: Mapping[str, Any], sealed: Collection[str]) -> str:
    """The seal of a row with this content, after one with the seal `before`. `sealed` are the fields that count."""
    text = json.dumps({name: said[name] for name in sealed}, sort_keys=True, separators=(",", ":"))
    return sha256(f"{before}\n{text}".encode()).hexdigest()


def shown(seal: str) -> str:
    """A seal for display, shortened and in groups that can be read out."""
    return " ".join(seal[place : place + 4] for place in range(0, SHOWN, 4))


def faults(owner_id: str, rows: Iterable[Mapping[str, Any]], sealed: Collection[str]) -> Iterator[Fault]:
    """The faults of a chain, first to last. `rows` are contents with their `seal`, in order."""
    before = first(owner_id)
    for number, row in enumerate(rows, start=1):
        if row["seq"] != number:
            yield Fault(number, f"row {number} is missing; row {row['seq']} is in its place")
            return
        if seal(before, row, sealed) != row["seal"]:
            yield Fault(number, f"row {number} does not match its seal")
            return
        before = row["seal"]


def ends(owner_id: str, rows: list[dict[str, Any]], count: object, last: object) -> Iterator[Fault]:
    """Rows missing at the end of an unbroken chain that says how many it has, and the seal of the last."""
    if len(rows) != count or (rows[-1]["seal"] if rows else first(owner_id)) != last:
        yield missing_after(len(rows))


def missing_after(number: int) -> Fault:
    """The fault of a chain that ends too early."""
    return Fault(number + 1, f"rows after row {number} are missing")


def read_line(line: str, number: int) -> dict[str, Any]:
    """One line of an export. Raises `BadExport`."""
    try:
        said = strict_json(line)
    except ValueError:
        raise BadExport(f"Line {number} is not JSON.") from None
    if not isinstance(said, dict):
        raise BadExport(f"Line {number} is not a row.")
    return said


def strict_json(text: str) -> Any:
    """JSON that everybody reads alike: no key twice, no NaN, no lone surrogates. Raises `ValueError`."""
    try:
        said = json.loads(text, object_pairs_hook=_once_each, parse_constant=_no_such_number)
        text.encode()  # refuses lone surrogates
        if _ESCAPED.search(text):
            json.dumps(said, ensure_ascii=False).encode()  # whole pairs are fine
    except RecursionError:
        raise ValueError("too deep") from None
    return said


def check_row(row: Mapping[str, Any], number: int, sealed: Collection[str]) -> None:
    """Raise `BadExport` for a line without the fields of a sealed row."""
    if missing := [name for name in (*sealed, "seal") if name not in row]:
        raise BadExport(f"Line {number} has no “{missing[0]}”.")
    if type(row["seq"]) is not int or not isinstance(row["seal"], str):
        raise BadExport(f"Line {number} is not a row.")


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse duplicate keys: the seal would cover one value, while a reader may take the other."""
    said = dict(pairs)
    if len(said) < len(pairs):
        raise ValueError("a key is used twice")
    return said


def _no_such_number(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")
