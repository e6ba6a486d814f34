"""Grapple events, and other hand-to-hand actions."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.engine.phrases import phrase
from rules.engine.violations import Flag
from rules.model.results import Outcome, Rolled
from rules.topics.grapples.grapple import Grapple, Hand


@event("attack", dice=True, resolves=True, own_roll=True)
@dataclass(frozen=True, slots=True)
class GrappleRolled(Event):
    """Two combatants rolled for a grapple. ``resisted`` is ``None`` if the other could not roll.

    ``hands`` and ``against`` are the successes that helpers added to each side; ``margin`` includes them.
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
    """A grapple began or changed."""

    grapple: Grapple


@event("attack", action="break_free")
@dataclass(frozen=True, slots=True)
class GrappleEnded(Event):
    """A grapple ended."""

    one: str
    other: str


@event("attack")
@dataclass(frozen=True, slots=True)
class MoveMade(Event):
    """A combatant made a ``move`` (its key) in a grapple; ``weapon`` is the one used or fought over."""

    by: str
    at: str
    move: str
    rule: str
    weapon: str = ""


@event("attack", dice=True, own_roll=True)
@dataclass(frozen=True, slots=True)
class RollMade(Event):
    """A roll that is part of an action (``what``, its key), and its rule."""

    by: str
    what: str
    rule: str
    roll: Rolled


@event("attack", dice=True, own_roll=True)
@dataclass(frozen=True, slots=True)
class HandLent(Event):
    """A combatant helps one grappler against the other."""

    hand: Hand
    rule: str
    roll: Rolled


@event("damage", says=phrase("drinks-blood-points-from"), people=("by", "at"))
@dataclass(frozen=True, slots=True)
class BloodDrunk(Event):
    """A combatant drank that many ``points`` of blood from another."""

    by: str
    at: str
    points: int
    rule: str


@event("attack")
@dataclass(frozen=True, slots=True)
class Touched(Event):
    """A combatant touched another, who did not resist."""

    by: str
    at: str
    rule: str
