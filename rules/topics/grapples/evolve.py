"""What grapples do."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.model.state import Encounter
from rules.topics import events
from rules.topics.changes import Folds, with_resolution


def _grapple_rolled(state: Encounter, event: events.GrappleRolled) -> Encounter:
    rolled = (event.by, event.at)
    left = tuple(hand for hand in state.hands if hand.against not in rolled)
    return with_resolution(replace(state, hands=left), event.resolution)


def _grapple(state: Encounter, event: events.GrappleChanged) -> Encounter:
    others = tuple(each for each in state.grapples if set(each.members).isdisjoint(event.grapple.members))
    return replace(state, grapples=(*others, event.grapple))


def _grapple_ended(state: Encounter, event: events.GrappleEnded) -> Encounter:
    pair = {event.one, event.other}
    # Hands are lent to a grapple, and not to whoever grapples with one of them later (CD-GRP-12).
    hands = tuple(hand for hand in state.hands if hand.against not in pair)
    return replace(state, grapples=tuple(each for each in state.grapples if set(each.members) != pair), hands=hands)


def _hand(state: Encounter, event: events.HandLent) -> Encounter:
    return replace(state, hands=(*state.hands, event.hand))


FOLDS: Folds = {
    events.GrappleRolled: _grapple_rolled,
    events.GrappleChanged: _grapple,
    events.GrappleEnded: _grapple_ended,
    events.HandLent: _hand,
}
