"""Evolvers for attacks that were announced and not yet rolled."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.messages import evolves
from rules.model.state import Encounter
from rules.topics import events
from rules.topics.changes import with_combatant, without_exchange

_Answer = events.AttackApproved | events.AttackChanged | events.AttackSentBack | events.AttackAnswered


@evolves(events.AttackProposed)
def _proposed(state: Encounter, event: events.AttackProposed) -> Encounter:
    # An attacker has one attack waiting: a new one replaces one that was sent back.
    others = tuple(each for each in state.exchanges if each.attack.by != event.exchange.attack.by)
    return replace(state, exchanges=(*others, event.exchange))


@evolves(events.AttackApproved, events.AttackChanged, events.AttackSentBack, events.AttackAnswered)
def _went_on(state: Encounter, event: _Answer) -> Encounter:
    now = tuple(event.exchange if each.id == event.exchange.id else each for each in state.exchanges)
    return replace(state, exchanges=now)


@evolves(events.DefaultDefenceSet)
def _default_set(state: Encounter, event: events.DefaultDefenceSet) -> Encounter:
    for who in event.who:
        state = with_combatant(state, who, default_defence=event.defence)
    return state


@evolves(events.AttackWithdrawn)
def _withdrawn(state: Encounter, event: events.AttackWithdrawn) -> Encounter:
    return without_exchange(state, event.exchange)
