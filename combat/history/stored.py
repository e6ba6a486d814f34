"""The raw log, for a chronicle whose ruleset is not installed: without it no sentence can be made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from campaigns.words import said
from combat.history.actors import shown_name
from combat.models import Encounter, LogRow
from rules.engine.messages import label_of

MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class StoredRow:
    """A row of a log: its number, when it was written, who acted, and the command's label."""

    number: int
    written: datetime
    who: str
    what: str


def stored_rows(encounter: Encounter) -> tuple[StoredRow, ...]:
    """The newest rows of a log, newest first, with secrets: for the Storyteller only."""
    rows = LogRow.objects.filter(encounter_id=encounter.pk, seq__lte=encounter.seq).order_by("-seq")[:MOST_SHOWN]
    return tuple(
        StoredRow(row.seq, row.created, shown_name(row.actor_name), said(label_of(_command(row)))) for row in rows
    )


def _command(row: LogRow) -> str:
    return str(row.command.get("is") or row.kind)
