"""A whole log as a file that says of itself whether it is whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from combat.log import seal
from combat.log.seal import Fault
from combat.models import Encounter, LogRow

FORMAT = "vesper-log-1"


class BadExport(ValueError):
    """A file that is no log. Its text is a sentence for whoever gave it."""


def sealed_rows(encounter: Encounter) -> Iterator[dict[str, Any]]:
    """Every row of a log, oldest first, with its seal."""
    rows = LogRow.objects.filter(encounter_id=encounter.pk, seq__lte=encounter.seq).order_by("seq")
    for row in rows.iterator():
        yield seal.content(row) | {"seal": row.seal}


def lines(encounter: Encounter) -> Iterator[str]:
    """A log as a file: a line on what it is, then a row a line, each JSON."""
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
    """What an export says it is, and its rows. Raises `BadExport`."""
    said = [_object(line, number) for number, line in enumerate(text, start=1) if line.strip()]
    if not said or said[0].get("format") != FORMAT:
        raise BadExport("This is no log of a fight.")
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
        json.dumps(said, ensure_ascii=False).encode()  # half a character is no text
    except (ValueError, RecursionError):
        raise BadExport(f"Line {number} is not JSON.") from None
    if not isinstance(said, dict):
        raise BadExport(f"Line {number} is not a row.")
    return said


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two values under one key a seal would hold one, and somebody who reads the file may take the other."""
    said = dict(pairs)
    if len(said) < len(pairs):
        raise ValueError("A key stands there twice")
    return said


def _no_such_number(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON's")


def faults_of(head: dict[str, Any], rows: list[dict[str, Any]]) -> Iterator[Fault]:
    """What is wrong with an export: the first break of its chain, rows that are not there at its end."""
    broken = list(seal.faults(str(head.get("encounter", "")), rows))
    yield from broken
    last = rows[-1]["seal"] if rows else seal.first(str(head.get("encounter", "")))
    if not broken and (last != head.get("seal") or len(rows) != head.get("rows")):
        yield Fault(len(rows) + 1, f"the log goes on behind row {len(rows)}, and the rest is not there")


def is_whole(encounter: Encounter) -> bool:
    """Whether the log in the database is what was written."""
    rows = list(sealed_rows(encounter))
    head = {"encounter": encounter.pk, "rows": encounter.seq, "seal": encounter.seal or seal.first(encounter.pk)}
    return not any(faults_of(head, rows))
