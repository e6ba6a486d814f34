"""The export of a whole log: a file that can be verified by its seals."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from campaigns import chains
from campaigns.chains import BadExport, Fault
from combat.log import seal
from combat.models import Encounter, LogRow

__all__ = [
    "FORMAT",
    "BadExport",
    "check_earlier",
    "fault_in",
    "faults_of",
    "is_whole",
    "lines",
    "read_lines",
    "sealed_rows",
]

FORMAT = "vesper-log-1"

EARLIER = {"encounter": str, "rows": int, "seal": str, "at": str, "why": str}
"""The fields of an earlier seal."""

SEAL = re.compile("[0-9a-f]{64}")


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
    if encounter.earlier_seals:
        # Only then, so that other exports are as ever.
        head["earlier_seals"] = encounter.earlier_seals
    yield json.dumps(head) + "\n"
    for row in sealed_rows(encounter):
        yield json.dumps(row) + "\n"


def read_lines(text: Iterable[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header of an export, and its rows. Raises `BadExport`."""
    return checked([chains.read_line(line, number) for number, line in enumerate(text, start=1) if line.strip()])


def checked(said: list[dict[str, Any]]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The same of lines that are decoded already."""
    if not said or said[0].get("format") != FORMAT:
        raise BadExport("This is not the log of a fight.")
    head, *rows = said
    check_earlier(head.get("earlier_seals", []))
    for number, row in enumerate(rows, start=2):
        chains.check_row(row, number, seal.SEALED)
    return head, rows


def check_earlier(seals: Any) -> None:
    """Raise `BadExport` unless these are seals as `combat.log.reseal` remembers them."""
    for each in seals if isinstance(seals, list) else [None]:
        if not isinstance(each, dict) or {name: type(each[name]) for name in each} != EARLIER:
            raise BadExport("The earlier seals of this log can't be read.")
        try:
            aware = datetime.fromisoformat(each["at"]).tzinfo is not None
        except ValueError:
            aware = False
        if not aware or not SEAL.fullmatch(each["seal"]):
            raise BadExport("The earlier seals of this log can't be read.")


def faults_of(head: dict[str, Any], rows: list[dict[str, Any]]) -> Iterator[Fault]:
    """The faults of an export: the first break of its chain, or rows missing at its end."""
    encounter = str(head.get("encounter", ""))
    yield from list(seal.faults(encounter, rows)) or chains.ends(encounter, rows, head.get("rows"), head.get("seal"))


def is_whole(encounter: Encounter) -> bool:
    """Whether the log in the database matches its seals."""
    return fault_in(encounter) is None


def fault_in(encounter: Encounter) -> Fault | None:
    """The first fault of the log in the database, None if there is none. Keeps one row in memory at a time."""
    first = seal.first(encounter.pk)
    number, last = 0, first

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal number, last
        for row in sealed_rows(encounter):
            yield row
            number, last = row["seq"], row["seal"]

    fault = next(seal.faults(encounter.pk, rows()), None)
    if fault is None and (number, last) != (encounter.seq, encounter.seal or first):
        return chains.missing_after(number)
    return fault
