"""Evolvers for stances and cover in a firefight."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.messages import evolves, evolves_beside
from rules.model.state import Encounter
from rules.topics import events
from rules.topics.changes import keeping, with_resolution
from rules.topics.firefights.stance import COVERS, STANCE, Cover


@evolves(events.StanceChanged)
def _stance(state: Encounter, event: events.StanceChanged) -> Encounter:
    return keeping(state, event.who, STANCE, event.stance)


@evolves(events.CoverSet)
def _cover(state: Encounter, event: events.CoverSet) -> Encounter:
    return _standing(state, event.cover)


@evolves(events.CoverStruck)
def _cover_struck(state: Encounter, event: events.CoverStruck) -> Encounter:
    return _standing(state, event.cover) if event.lasting else state


def _standing(state: Encounter, cover: Cover) -> Encounter:
    return COVERS.put(state, {**COVERS.of(state), cover.name: cover})


@evolves(events.CoveringFireLaid)
def _covering_fire(state: Encounter, event: events.CoveringFireLaid) -> Encounter:
    return with_resolution(state, event.resolution)


@evolves_beside(events.TurnEnded)
def _turn_ended(state: Encounter, event: events.TurnEnded) -> Encounter:
    """Drop covering fire whose choice was due by the end of the turn."""
    for who, each in state.combatants.items():
        stance = STANCE.of(each)
        left = tuple(fire for fire in stance.fires if fire.until >= event.next)
        state = keeping(state, who, STANCE, replace(stance, fires=left)) if stance.fires else state
    return state
