"""The reasons given for what happened outside fights, as their readers are told them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from campaigns.models import Membership
from combat.history import records
from combat.history.log import told_of
from combat.history.reveal import as_seen_by
from combat.history.tell.sentences import text_of
from combat.models import Encounter
from combat.panes.build import reader_of
from combat.secrecy.access import audience_of


def reasons(reader: Membership, entries: Collection[str]) -> Mapping[str, str]:
    """The reasons of these entries of the chronicle's log, by token: those that the entry tells this reader."""
    logs = Encounter.objects.filter(chronicle=reader.chronicle_id, outside_fights=True).select_related("chronicle")
    log = logs.first() if entries else None
    if log is None:
        return {}
    audience = audience_of(reader)
    fight = as_seen_by(records.read(log), audience)
    told_to, found = reader_of(fight, audience), {}
    for row in fight.rows:
        why = str(row.command.get("why") or "")
        if row.token not in entries or not why:
            continue
        told = told_of(row, told_to, fight.ruleset)
        why = told.sight.clean(why)
        if any(why in text_of(line) for line in told.lines):
            found[row.token] = why
    return found
