"""Evolvers for the Storyteller's words and circumstances."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.engine.messages import evolves
from rules.model.state import Encounter
from rules.topics import events
from rules.topics.changes import with_combatant


@evolves(events.Described)
def _described(state: Encounter, event: events.Described) -> Encounter:
    for who in event.to:
        before = state.combatants[who]
        repeats = before.repeats + 1 if event.text == before.told else 0
        state = with_combatant(state, who, told=event.text, repeats=repeats)
    return state


@evolves(events.CircumstancesSet)
def _circumstances(state: Encounter, event: events.CircumstancesSet) -> Encounter:
    if not event.who:
        return replace(state, circumstances=event.circumstances)
    return with_combatant(state, event.who, circumstances=event.circumstances)


@evolves(events.Narrated)
def _narrated(state: Encounter, event: events.Narrated) -> Encounter:
    return replace(state, unnarrated=tuple(r for r in state.unnarrated if r != event.resolution))
