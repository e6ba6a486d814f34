"""Evolvers for health, resources, conditions and shapes."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.engine.messages import evolves, evolves_beside
from rules.model.state import Combatant, Encounter
from rules.topics import events
from rules.topics.changes import keeping, with_combatant, with_conditions, with_sheet
from rules.topics.health.impairments import (
    IN_THE_FIGHT,
    conditions_of,
    impairments,
    mended,
    with_impairments,
)
from rules.topics.health.resting import RESTED


@evolves(events.Healed)
def _healed(state: Encounter, event: events.Healed) -> Encounter:
    return keeping(state, event.who, RESTED, event.rest) if event.rest else state


@evolves(events.BoxesMarked)
def _boxes(state: Encounter, event: events.BoxesMarked) -> Encounter:
    combatant: Combatant = state.combatants[event.who]
    left = mended(impairments(combatant), combatant.sheet.marks, event.marks)
    mended_one = with_impairments(combatant, left)
    sheet = replace(mended_one.sheet, marks=event.marks)
    return with_conditions(state, event.who, event.conditions, sheet=sheet, own=mended_one.own)


@evolves(events.InjuriesMarked)
def _injuries(state: Encounter, event: events.InjuriesMarked) -> Encounter:
    sheet = replace(state.combatants[event.who].sheet, injuries=event.injuries, scars=event.scars)
    return with_conditions(state, event.who, event.conditions, sheet=sheet)


@evolves(events.ResourceChanged)
def _resource(state: Encounter, event: events.ResourceChanged) -> Encounter:
    combatant = state.combatants[event.who]
    sheet = replace(combatant.sheet, resources={**combatant.sheet.resources, event.resource: event.left})
    spent = max(0, combatant.spent.get(event.resource, 0) + event.spent)
    return with_combatant(state, event.who, sheet=sheet, spent={**combatant.spent, event.resource: spent})


@evolves(events.ShapeChanged)
def _shape(state: Encounter, event: events.ShapeChanged) -> Encounter:
    return with_sheet(state, event.who, shape=event.shape)


@evolves(events.ConditionsChanged)
def _conditions(state: Encounter, event: events.ConditionsChanged) -> Encounter:
    return with_conditions(state, event.who, event.conditions)


@evolves(events.LastingChanged)
def _lasting(state: Encounter, event: events.LastingChanged) -> Encounter:
    return with_sheet(state, event.who, lasting=event.lasting)


@evolves(events.InjuriesChanged)
def _impairments(state: Encounter, event: events.InjuriesChanged) -> Encounter:
    injured = with_impairments(state.combatants[event.who], event.injuries)
    return with_combatant(state, event.who, sheet=injured.sheet, own=injured.own)


@evolves_beside(events.SheetRevised)
def _sheet_revised(state: Encounter, event: events.SheetRevised) -> Encounter:
    combatant = state.combatants.get(event.who)
    if combatant is None:
        return state
    before = combatant.sheet if event.before is None else event.before
    left = mended(IN_THE_FIGHT.of(combatant), before.marks, event.sheet.marks)
    if event.before is None:
        # In logs from before sheets had impairments, only the conditions say that they are still there.
        lost = event.conditions - conditions_of(event.sheet.impairments)
        on_sheet = mended(combatant.sheet.impairments, before.marks, event.sheet.marks)
        left = (*left, *(each for each in on_sheet if each.condition in lost))
    return keeping(state, event.who, IN_THE_FIGHT, left)
