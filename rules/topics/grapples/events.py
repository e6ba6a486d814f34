"""Grapples, and what is done hand to hand."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.violations import Flag
from rules.model.results import Outcome, Rolled
from rules.model.state import Grapple, Hand


@dataclass(frozen=True, slots=True)
class GrappleRolled:
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


@dataclass(frozen=True, slots=True)
class GrappleChanged:
    """A grapple began, or is another now."""

    grapple: Grapple


@dataclass(frozen=True, slots=True)
class GrappleEnded:
    """Two let go of each other."""

    one: str
    other: str


@dataclass(frozen=True, slots=True)
class MoveMade:
    """Somebody made a ``move`` (its key) in a grapple; ``weapon`` names what it was made with or against."""

    by: str
    at: str
    move: str
    rule: str
    weapon: str = ""


@dataclass(frozen=True, slots=True)
class RollMade:
    """A roll that is a part of something done (its key), by a rule."""

    by: str
    what: str
    rule: str
    roll: Rolled


@dataclass(frozen=True, slots=True)
class HandLent:
    """Somebody lends a hand to whoever grapples with another."""

    hand: Hand
    rule: str
    roll: Rolled


@dataclass(frozen=True, slots=True)
class Touched:
    """Somebody touched another, who did not resist."""

    by: str
    at: str
    rule: str


BrawlEvent = GrappleRolled | GrappleChanged | GrappleEnded | MoveMade | RollMade | HandLent | Touched
