"""The export of a whole log: a file that can be verified by its seals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from combat.log import seal
from combat.log.seal import Fault
from combat.models import Encounter, LogRow

FORMAT = "vesper-log-1"


class BadExport(ValueError):
    """An invalid export. Its text is a message for the user."""


def sealed_rows(encounter: Encounter) -> Iterator[dict[str, Any]]:
    """Every row of a log, oldest first, with its seal."""
    rows = LogRow.objects.filter(encounter_id=encounter.pk, seq__lte=encounter.seq).order_by("seq")
    for row in rows.iterator():
        yield seal.content(row) | {"seal": row.seal}


def lines(encounter: Encounter) -> Iterator[str]:
    """The log as JSON lines: a header, then one line per row."""
    head = {
        "format": FORMAT,
        "encounter": encounter.pk,
        "name": encounter.name,
        "ruleset": encounter.chronicle.ruleset,
        "rows": encounter.seq,
        "seal": encounter.seal or seal.first(encounter.pk),
    }
    yield json.dumps(head) + "\n"
    for row in sealed_rows(encounter):
        yield json.dumps(row) + "\n"


def read_lines(text: Iterable[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header of an export, and its rows. Raises `BadExport`."""
    said = [_object(line, number) for number, line in enumerate(text, start=1) if line.strip()]
    if not said or said[0].get("format") != FORMAT:
        raise BadExport("This is not the log of a fight.")
    head, *rows = said
    for number, row in enumerate(rows, start=2):
        if missing := [name for name in (*seal.SEALED, "seal") if name not in row]:
            raise BadExport(f"Line {number} has no “{missing[0]}”.")
        if type(row["seq"]) is not int or not isinstance(row["seal"], str):
            raise BadExport(f"Line {number} is not a row.")
    return head, rows


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        said = json.loads(line, object_pairs_hook=_once_each, parse_constant=_no_such_number)
        json.dumps(said, ensure_ascii=False).encode()  # refuses lone surrogates
    except (ValueError, RecursionError):
        raise BadExport(f"Line {number} is not JSON.") from None
    if not isinstance(said, dict):
        raise BadExport(f"Line {number} is not a row.")
    return said


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse duplicate keys: the seal would cover one value, while a reader may take the other."""
    said = dict(pairs)
    if len(said) < len(pairs):
        raise ValueError("a key is used twice")
    return said


def _no_such_number(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def faults_of(head: dict[str, Any], rows: list[dict[str, Any]]) -> Iterator[Fault]:
    """The faults of an export: the first break of its chain, or rows missing at its end."""
    broken = list(seal.faults(str(head.get("encounter", "")), rows))
    yield from broken
    last = rows[-1]["seal"] if rows else seal.first(str(head.get("encounter", "")))
    if not broken and (last != head.get("seal") or len(rows) != head.get("rows")):
        yield Fault(len(rows) + 1, f"rows after row {len(rows)} are missing")


def is_whole(encounter: Encounter) -> bool:
    """Whether the log in the database matches its seals."""
    rows = list(sealed_rows(encounter))
    head = {"encounter": encounter.pk, "rows": encounter.seq, "seal": encounter.seal or seal.first(encounter.pk)}
    return not any(faults_of(head, rows))
