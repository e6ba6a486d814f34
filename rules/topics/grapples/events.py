"""Grapples, and what is done hand to hand."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.engine.violations import Flag
from rules.model.results import Outcome, Rolled
from rules.topics.grapples.grapple import Grapple, Hand


@event("attack", dice=True, resolves=True, own_roll=True)
@dataclass(frozen=True, slots=True)
class GrappleRolled(Event):
    """Two rolled for a grapple. ``resisted`` is ``None`` where the other could not.

    ``hands`` and ``against`` are the successes that helping hands added to either side; ``margin`` counts them.
    """

    resolution: str
    by: str
    at: str
    rule: str
    outcome: Outcome
    roll: Rolled
    resisted: Rolled | None
    margin: int
    hands: int = 0
    against: int = 0
    flags: tuple[Flag, ...] = ()


@event("attack")
@dataclass(frozen=True, slots=True)
class GrappleChanged(Event):
    """A grapple began, or is another now."""

    grapple: Grapple


@event("attack", action="break_free")
@dataclass(frozen=True, slots=True)
class GrappleEnded(Event):
    """Two let go of each other."""

    one: str
    other: str


@event("attack")
@dataclass(frozen=True, slots=True)
class MoveMade(Event):
    """Somebody made a ``move`` (its key) in a grapple; ``weapon`` names what it was made with or against."""

    by: str
    at: str
    move: str
    rule: str
    weapon: str = ""


@event("attack", dice=True, own_roll=True)
@dataclass(frozen=True, slots=True)
class RollMade(Event):
    """A roll that is a part of something done (its key), by a rule."""

    by: str
    what: str
    rule: str
    roll: Rolled


@event("attack", dice=True, own_roll=True)
@dataclass(frozen=True, slots=True)
class HandLent(Event):
    """Somebody lends a hand to whoever grapples with another."""

    hand: Hand
    rule: str
    roll: Rolled


@event("attack")
@dataclass(frozen=True, slots=True)
class Touched(Event):
    """Somebody touched another, who did not resist."""

    by: str
    at: str
    rule: str
