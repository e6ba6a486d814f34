"""What attacks and their mishaps do."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.engine.messages import evolves
from rules.model.state import Encounter, LinedUp
from rules.topics import events
from rules.topics.changes import with_combatant, with_resolution, without_exchange


@evolves(events.AttackResolved)
def _attack_resolved(state: Encounter, event: events.AttackResolved) -> Encounter:
    return with_resolution(without_exchange(state, event.exchange), event.resolution)


@evolves(events.MishapPending)
def _mishap_pending(state: Encounter, event: events.MishapPending) -> Encounter:
    return replace(state, mishaps=(*state.mishaps, event.mishap))


@evolves(events.MishapSettled)
def _mishap_settled(state: Encounter, event: events.MishapSettled) -> Encounter:
    return replace(state, mishaps=tuple(m for m in state.mishaps if m.resolution != event.resolution))


@evolves(events.EvasionHeld)
def _evasion(state: Encounter, event: events.EvasionHeld) -> Encounter:
    return with_combatant(state, event.who, evading=event.left)


@evolves(events.Aimed)
def _aimed(state: Encounter, event: events.Aimed) -> Encounter:
    return with_combatant(state, event.by, lined_up=LinedUp(event.target, event.rounds) if event.rounds else None)


@evolves(events.AttackOverridden)
def _overridden(state: Encounter, event: events.AttackOverridden) -> Encounter:
    return replace(
        state,
        combatants={**state.combatants, **event.people},
        initiative=event.initiative,
        order=event.order,
        grapples=event.grapples,
        mishaps=event.mishaps,
        covers=event.covers,
    )
