"""What shooting does to where people stand and to what they hide behind."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.engine.messages import evolves
from rules.model.state import Encounter
from rules.topics import events
from rules.topics.changes import with_combatant, with_resolution


@evolves(events.StanceChanged)
def _stance(state: Encounter, event: events.StanceChanged) -> Encounter:
    return with_combatant(state, event.who, stance=event.stance)


@evolves(events.CoverSet)
def _cover(state: Encounter, event: events.CoverSet) -> Encounter:
    return replace(state, covers={**state.covers, event.cover.name: event.cover})


@evolves(events.CoverStruck)
def _cover_struck(state: Encounter, event: events.CoverStruck) -> Encounter:
    return replace(state, covers={**state.covers, event.cover.name: event.cover}) if event.lasting else state


@evolves(events.CoveringFireLaid)
def _covering_fire(state: Encounter, event: events.CoveringFireLaid) -> Encounter:
    return with_resolution(state, event.resolution)
