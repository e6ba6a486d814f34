"""Evolvers for powers in effect."""

from __future__ import annotations

from rules.engine.messages import evolves
from rules.model.state import Encounter
from rules.topics import events
from rules.topics.changes import with_sheet


@evolves(events.PowersChanged)
def _powers(state: Encounter, event: events.PowersChanged) -> Encounter:
    return with_sheet(state, event.who, powers=event.powers)
