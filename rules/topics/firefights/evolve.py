"""What shooting does to where people stand and to what they hide behind."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.model.state import Encounter
from rules.topics import events
from rules.topics.changes import Folds, with_combatant, with_resolution


def _stance(state: Encounter, event: events.StanceChanged) -> Encounter:
    return with_combatant(state, event.who, stance=event.stance)


def _cover(state: Encounter, event: events.CoverSet) -> Encounter:
    return replace(state, covers={**state.covers, event.cover.name: event.cover})


def _cover_struck(state: Encounter, event: events.CoverStruck) -> Encounter:
    return replace(state, covers={**state.covers, event.cover.name: event.cover}) if event.lasting else state


def _covering_fire(state: Encounter, event: events.CoveringFireLaid) -> Encounter:
    return with_resolution(state, event.resolution)


FOLDS: Folds = {
    events.StanceChanged: _stance,
    events.CoverSet: _cover,
    events.CoverStruck: _cover_struck,
    events.CoveringFireLaid: _covering_fire,
}
