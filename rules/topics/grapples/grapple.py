"""Grapples and helping hands: the values and their slots."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from rules.engine.slots import Slot
from rules.model.state import Encounter

OF_OPPONENT = "grapple:strength"
"""Key of the pool part that is the opponent's Strength, which not everyone may see."""


@dataclass(frozen=True, slots=True)
class Grapple:
    """A grapple between two combatants, begun by ``one``.

    ``turn`` is the turn of the last roll; its ``winner`` may still make ``picks`` moves, and won by ``margin``
    successes (not counting helping hands). ``holders`` hold the other in place; ``controller`` controls a ``weapon``
    (its reference) of ``owner``; ``covered`` uses the other's body as a shield; ``locked`` is restrained by the other's
    grip alone. ``ropes`` holds the references of what they wind around each other, by user. ``took`` are those whose
    action this turn went into the last roll.
    """

    one: str
    other: str
    turn: int = 0
    winner: str = ""
    picks: int = 0
    margin: int = 0
    holders: frozenset[str] = frozenset()
    controller: str = ""
    owner: str = ""
    weapon: str = ""
    covered: str = ""
    locked: str = ""
    ropes: Mapping[str, str] = field(default_factory=dict)
    took: frozenset[str] = frozenset()

    @property
    def members(self) -> tuple[str, str]:
        """Both combatants."""
        return self.one, self.other

    def opponent(self, who: str) -> str:
        """The other combatant."""
        return self.other if who == self.one else self.one


@dataclass(frozen=True, slots=True)
class Hand:
    """Help against ``against``: ``successes`` for the next roll of their opponent in the grapple."""

    by: str
    against: str
    successes: int


def _of_these(grapples: tuple[Grapple, ...], people: Collection[str]) -> tuple[Grapple, ...]:
    return tuple(each for each in grapples if each.one in people and each.other in people)


def _lent_among(hands: tuple[Hand, ...], people: Collection[str]) -> tuple[Hand, ...]:
    return tuple(hand for hand in hands if hand.by in people and hand.against in people)


GRAPPLES = Slot[Encounter, tuple[Grapple, ...]](Encounter, "grapples", tuple[Grapple, ...], (), _of_these)
"""The current grapples; nobody is in two."""

HANDS = Slot[Encounter, tuple[Hand, ...]](Encounter, "hands", tuple[Hand, ...], (), _lent_among)
"""Help for the next roll of a grapple."""
