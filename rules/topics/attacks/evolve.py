"""Evolvers for attacks and their mishaps."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.engine.messages import evolves
from rules.engine.slots import with_kept
from rules.model.state import Encounter
from rules.topics import events
from rules.topics.changes import with_resolution, without_exchange


@evolves(events.AttackResolved)
def _attack_resolved(state: Encounter, event: events.AttackResolved) -> Encounter:
    return with_resolution(without_exchange(state, event.exchange), event.resolution)


@evolves(events.MishapPending)
def _mishap_pending(state: Encounter, event: events.MishapPending) -> Encounter:
    return replace(state, mishaps=(*state.mishaps, event.mishap))


@evolves(events.MishapSettled)
def _mishap_settled(state: Encounter, event: events.MishapSettled) -> Encounter:
    return replace(state, mishaps=tuple(m for m in state.mishaps if m.resolution != event.resolution))


@evolves(events.AttackOverridden)
def _overridden(state: Encounter, event: events.AttackOverridden) -> Encounter:
    return replace(
        with_kept(state, event.own),
        combatants={**state.combatants, **event.people},
        initiative=event.initiative,
        order=event.order,
        mishaps=event.mishaps,
    )
