"""Evolvers for grapples."""

from __future__ import annotations

from rules.engine.messages import evolves
from rules.model.state import Encounter
from rules.topics import events
from rules.topics.changes import with_resolution
from rules.topics.grapples.grapple import GRAPPLES, HANDS


@evolves(events.GrappleRolled)
def _grapple_rolled(state: Encounter, event: events.GrappleRolled) -> Encounter:
    rolled = (event.by, event.at)
    left = tuple(hand for hand in HANDS.of(state) if hand.against not in rolled)
    return with_resolution(HANDS.put(state, left), event.resolution)


@evolves(events.GrappleChanged)
def _grapple(state: Encounter, event: events.GrappleChanged) -> Encounter:
    others = tuple(each for each in GRAPPLES.of(state) if set(each.members).isdisjoint(event.grapple.members))
    return GRAPPLES.put(state, (*others, event.grapple))


@evolves(events.GrappleEnded)
def _grapple_ended(state: Encounter, event: events.GrappleEnded) -> Encounter:
    pair = {event.one, event.other}
    # Help is for the current grapple, not for later ones with the same opponent (CD-GRP-12).
    state = HANDS.put(state, tuple(hand for hand in HANDS.of(state) if hand.against not in pair))
    return GRAPPLES.put(state, tuple(each for each in GRAPPLES.of(state) if set(each.members) != pair))


@evolves(events.HandLent)
def _hand(state: Encounter, event: events.HandLent) -> Encounter:
    return HANDS.put(state, (*HANDS.of(state), event.hand))
