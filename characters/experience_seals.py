"""Seals of the ledgers of experience, and their export: a file that can be verified without a database."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from campaigns import chains
from campaigns.chains import BadExport, Fault
from characters.models import Character, ExperienceEntry, Ledger

FORMAT = "vesper-experience-1"

SEALED = (
    *("seq", "id", "kind", "step", "amount", "price", "reason", "note", "line", "trait", "was", "to", "about"),
    *("proof", "by", "at"),
)
"""The fields of an entry that a seal covers."""


def content(entry: ExperienceEntry) -> dict[str, Any]:
    """The sealed content of an entry, as JSON values."""
    said = {name: getattr(entry, name) for name in SEALED if name not in ("about", "by")}
    keys = {"about": entry.about_id, "by": entry.by_id, "at": chains.moment(entry.at)}
    return said | keys | {"kind": str(entry.kind), "step": str(entry.step)}


def seal_of(entry: ExperienceEntry, before: str) -> str:
    """The seal of a new entry, after one with the seal `before` ("" for the first)."""
    return chains.seal(before or chains.first(entry.character_id), content(entry), SEALED)


def lines(chronicle_id: str) -> Iterator[str]:
    """A chronicle's ledgers as JSON lines: a header with the end of each, then one line per entry."""
    found = Ledger.objects.filter(character__chronicle=chronicle_id).order_by("character")
    ends = [{"character": each.character_id, "rows": each.seq, "seal": each.seal} for each in found]
    yield json.dumps({"format": FORMAT, "chronicle": chronicle_id, "ledgers": ends}) + "\n"
    for each in found:
        for row in _rows(each.character_id):
            yield json.dumps({"character": each.character_id} | row) + "\n"


def read_lines(text: Iterable[str]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header of an export, and its rows. Raises `BadExport`."""
    said = [chains.read_line(line, number) for number, line in enumerate(text, start=1) if line.strip()]
    if not said or not is_export(said[0]):
        raise BadExport("This is not an export of experience.")
    head, *rows = said
    for number, row in enumerate(rows, start=2):
        chains.check_row(row, number, (*SEALED, "character"))
    return head, rows


def is_export(head: dict[str, Any]) -> bool:
    """Whether this is the header of such an export."""
    ledgers = head.get("ledgers")
    return (
        head.get("format") == FORMAT and isinstance(ledgers, list) and all(isinstance(each, dict) for each in ledgers)
    )


def faults_of(head: dict[str, Any], rows: list[dict[str, Any]]) -> Iterator[Fault]:
    """The faults of an export: in each ledger the first break, or entries missing at its end."""
    known, by_character = set(), defaultdict[str, list[dict[str, Any]]](list)
    for row in rows:
        by_character[str(row["character"])].append(row)
    for ledger in head["ledgers"]:
        whose = str(ledger.get("character", ""))
        known.add(whose)
        yield from faults_in(whose, by_character[whose], ledger)
    for whose in dict.fromkeys(str(row["character"]) for row in rows if row["character"] not in known):
        yield Fault(1, f"the header names no ledger of {whose}")


def faults_here(chronicle_id: str = "") -> Iterator[Fault]:
    """The faults of the ledgers in the database: of one chronicle or of all."""
    mine = {"chronicle": chronicle_id} if chronicle_id else {}
    with_entries = Character.with_bin.filter(**mine).filter(experience__isnull=False).distinct()
    for whose in with_entries.order_by("pk").values_list("pk", flat=True):
        yield from faults_of_ledger(whose)
    empty = Ledger.objects.filter(character__experience__isnull=True, seq__gt=0)
    for ledger in empty.filter(**{f"character__{name}": value for name, value in mine.items()}):
        yield Fault(1, f"{ledger.character_id}: rows after row 0 are missing")


def faults_of_ledger(whose: str) -> Iterator[Fault]:
    """The faults of a character's ledger in the database."""
    end = Ledger.objects.filter(character=whose).first()
    yield from faults_in(whose, list(_rows(whose)), {"rows": end and end.seq, "seal": end and end.seal})


def _rows(character_id: str) -> Iterator[dict[str, Any]]:
    for entry in ExperienceEntry.objects.filter(character=character_id).order_by("seq").iterator():
        yield content(entry) | {"seal": entry.seal}


def faults_in(whose: str, rows: list[dict[str, Any]], end: Mapping[str, Any]) -> Iterator[Fault]:
    """The first break of a ledger, or entries missing before the end that it says it has."""
    found = list(chains.faults(whose, rows, SEALED)) or chains.ends(whose, rows, end.get("rows"), end.get("seal"))
    for fault in found:
        yield Fault(fault.seq, f"{whose}: {fault.what}")
