"""Who grapples with whom, and who lends a hand: what is kept of both."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from rules.engine.slots import Slot
from rules.model.state import Encounter

OF_OPPONENT = "grapple:strength"
"""The key of the part of a pool that the other one's Strength is: not for everybody to know."""


@dataclass(frozen=True, slots=True)
class Grapple:
    """Two who grapple with each other; ``one`` began it.

    Their last roll was in ``turn``: ``winner`` may still make ``picks`` moves, and was ahead by ``margin`` successes
    (those of helping hands left out). ``holders`` hold the other in place; ``controller`` controls a ``weapon`` (its
    reference) of ``owner``; ``covered`` is the one of whom the other's body is the shield; ``locked`` is restrained by
    nothing but the other's grip. ``ropes`` are the references of what they wind around each other, by who does.
    ``took`` are those whose action of the turn went into the last roll.
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
        """Both of them."""
        return self.one, self.other

    def opponent(self, who: str) -> str:
        """The other one."""
        return self.other if who == self.one else self.one


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand that somebody lends against ``against``: ``successes`` for the next roll of whoever grapples with them."""

    by: str
    against: str
    successes: int


def _of_these(grapples: tuple[Grapple, ...], people: Collection[str]) -> tuple[Grapple, ...]:
    return tuple(each for each in grapples if each.one in people and each.other in people)


def _lent_among(hands: tuple[Hand, ...], people: Collection[str]) -> tuple[Hand, ...]:
    return tuple(hand for hand in hands if hand.by in people and hand.against in people)


GRAPPLES = Slot[Encounter, tuple[Grapple, ...]](Encounter, "grapples", tuple[Grapple, ...], (), _of_these)
"""Those that go on, each of two who are in no other."""

HANDS = Slot[Encounter, tuple[Hand, ...]](Encounter, "hands", tuple[Hand, ...], (), _lent_among)
"""Those that are lent to whoever rolls next."""
