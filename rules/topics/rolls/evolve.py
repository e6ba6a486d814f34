"""Evolvers for rolls outside attacks."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.engine.messages import evolves
from rules.model.results import Outcome
from rules.model.state import Encounter, ExtendedRoll
from rules.topics import events
from rules.topics.changes import with_resolution


@evolves(events.TraitsRolled)
def _rolled(state: Encounter, event: events.TraitsRolled) -> Encounter:
    if event.outcome is Outcome.DRAMATIC_FAILURE:
        # The Storyteller invents the consequences, so it awaits narration.
        return with_resolution(state, event.resolution)
    return replace(state, resolutions=state.resolutions + 1)


@evolves(events.ExtendedRolled)
def _extended(state: Encounter, event: events.ExtendedRolled) -> Encounter:
    # An ongoing roll keeps its place among the others.
    known = any(_same_roll(each, event.now) for each in state.extended)
    rolls = tuple(event.now if _same_roll(each, event.now) else each for each in state.extended)
    going = replace(state, extended=rolls if known else (*rolls, event.now))
    return going if event.outcome is None else _without_roll(going, event.now)


@evolves(events.RollGivenUp)
def _given_up(state: Encounter, event: events.RollGivenUp) -> Encounter:
    return _without_roll(state, event.roll)


def _without_roll(state: Encounter, roll: ExtendedRoll) -> Encounter:
    return replace(state, extended=tuple(each for each in state.extended if not _same_roll(each, roll)))


def _same_roll(one: ExtendedRoll, other: ExtendedRoll) -> bool:
    return one.asked.id == other.asked.id
