"""The export of a whole log: a file that can be verified by its seals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from campaigns import chains
from campaigns.chains import BadExport, Fault
from combat.log import seal
from combat.models import Encounter, LogRow

__all__ = ["FORMAT", "BadExport", "faults_of", "is_whole", "lines", "read_lines", "sealed_rows"]

FORMAT = "vesper-log-1"


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
    said = [chains.read_line(line, number) for number, line in enumerate(text, start=1) if line.strip()]
    if not said or said[0].get("format") != FORMAT:
        raise BadExport("This is not the log of a fight.")
    head, *rows = said
    for number, row in enumerate(rows, start=2):
        chains.check_row(row, number, seal.SEALED)
    return head, rows


def faults_of(head: dict[str, Any], rows: list[dict[str, Any]]) -> Iterator[Fault]:
    """The faults of an export: the first break of its chain, or rows missing at its end."""
    encounter = str(head.get("encounter", ""))
    yield from list(seal.faults(encounter, rows)) or chains.ends(encounter, rows, head.get("rows"), head.get("seal"))


def is_whole(encounter: Encounter) -> bool:
    """Whether the log in the database matches its seals."""
    rows = list(sealed_rows(encounter))
    head = {"encounter": encounter.pk, "rows": encounter.seq, "seal": encounter.seal or seal.first(encounter.pk)}
    return not any(faults_of(head, rows))
