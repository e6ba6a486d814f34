"""What grapples do."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.engine.messages import evolves
from rules.model.state import Encounter
from rules.topics import events
from rules.topics.changes import with_resolution


@evolves(events.GrappleRolled)
def _grapple_rolled(state: Encounter, event: events.GrappleRolled) -> Encounter:
    rolled = (event.by, event.at)
    left = tuple(hand for hand in state.hands if hand.against not in rolled)
    return with_resolution(replace(state, hands=left), event.resolution)


@evolves(events.GrappleChanged)
def _grapple(state: Encounter, event: events.GrappleChanged) -> Encounter:
    others = tuple(each for each in state.grapples if set(each.members).isdisjoint(event.grapple.members))
    return replace(state, grapples=(*others, event.grapple))


@evolves(events.GrappleEnded)
def _grapple_ended(state: Encounter, event: events.GrappleEnded) -> Encounter:
    pair = {event.one, event.other}
    # Hands are lent to a grapple, and not to whoever grapples with one of them later (CD-GRP-12).
    hands = tuple(hand for hand in state.hands if hand.against not in pair)
    return replace(state, grapples=tuple(each for each in state.grapples if set(each.members) != pair), hands=hands)


@evolves(events.HandLent)
def _hand(state: Encounter, event: events.HandLent) -> Encounter:
    return replace(state, hands=(*state.hands, event.hand))
