"""What becomes of health, resources, conditions and shapes."""

from __future__ import annotations

from rules import events
from rules.copies import replace
from rules.encounter import Combatant, Encounter
from rules.fold.changes import Folds, with_combatant, with_sheet
from rules.injuries import mended

ENDING = frozenset({"dying", "bleeding"})
"""Conditions in which time itself kills."""


def dying_since(before: int, conditions: frozenset[str], turn: int) -> int:
    """The turn in which somebody in these conditions began to die: ``before`` where that was known, 0 for nobody."""
    return before or turn if ENDING & conditions else 0


def _boxes(state: Encounter, event: events.BoxesMarked) -> Encounter:
    combatant: Combatant = state.combatants[event.who]
    sheet = replace(combatant.sheet, marks=event.marks)
    since = dying_since(combatant.dying_since, event.conditions, state.turn)
    injuries = mended(combatant.injuries, combatant.sheet.marks, event.marks)
    changes = {"sheet": sheet, "conditions": event.conditions, "dying_since": since, "injuries": injuries}
    return with_combatant(state, event.who, **changes)


def _injuries(state: Encounter, event: events.InjuriesMarked) -> Encounter:
    sheet = replace(state.combatants[event.who].sheet, injuries=event.injuries, scars=event.scars)
    return with_combatant(state, event.who, sheet=sheet, conditions=event.conditions)


def _resource(state: Encounter, event: events.ResourceChanged) -> Encounter:
    combatant = state.combatants[event.who]
    sheet = replace(combatant.sheet, resources={**combatant.sheet.resources, event.resource: event.left})
    spent = max(0, combatant.spent.get(event.resource, 0) + event.spent)
    return with_combatant(state, event.who, sheet=sheet, spent={**combatant.spent, event.resource: spent})


def _shape(state: Encounter, event: events.ShapeChanged) -> Encounter:
    return with_sheet(state, event.who, shape=event.shape)


def _conditions(state: Encounter, event: events.ConditionsChanged) -> Encounter:
    since = dying_since(state.combatants[event.who].dying_since, event.conditions, state.turn)
    return with_combatant(state, event.who, conditions=event.conditions, dying_since=since)


def _impairments(state: Encounter, event: events.InjuriesChanged) -> Encounter:
    return with_combatant(state, event.who, injuries=event.injuries)


FOLDS: Folds = {
    events.BoxesMarked: _boxes,
    events.ShapeChanged: _shape,
    events.InjuriesMarked: _injuries,
    events.ResourceChanged: _resource,
    events.ConditionsChanged: _conditions,
    events.InjuriesChanged: _impairments,
}
