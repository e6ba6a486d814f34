"""Faces, where they come from, and what was asked of them.

This package has no chance of its own: whoever calls :func:`rules.decide.decide` hands in a
:class:`Dice`, which may be the system's cryptographic source, a person typing what fell on the
table, or a scenario's written list.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

Faces = tuple[int, ...]
"""Faces of ten-sided dice, 1 to 10, in the order in which they fell."""


class Purpose(StrEnum):
    """What a throw is for."""

    INITIATIVE = "initiative"
    ATTACK = "attack"
    DEFENCE = "defence"
    DAMAGE = "damage"
    SOAK = "soak"
    ROLL = "roll"
    RESIST = "resist"
    CHECK = "check"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Throw:
    """A number of dice (``count``, one or more) to be thrown by ``by``, a combatant's id.

    ``target`` is the id of the combatant whom an attack or a damage roll is against, if any. ``again``
    is the least face that brings another die, in a throw of its own; 0 where none does.
    """

    purpose: Purpose
    by: str
    count: int
    target: str = ""
    again: int = 0

    @property
    def may_go_on(self) -> bool:
        """Whether further dice of the same roll may follow in throws of their own."""
        return self.again > 0 or self.purpose is Purpose.TIE


class Dice(Protocol):
    """A source of faces."""

    def roll(self, throw: Throw) -> Faces:
        """As many faces, 1 to 10, as ``throw.count`` says."""

    def pick(self, options: int) -> int:
        """An index below ``options``, all equally likely: for what chance decides without dice."""


class NoDice:
    """The dice of a question that rolls none: whoever reaches for them is mistaken."""

    __slots__ = ()

    def roll(self, throw: Throw) -> Faces:
        raise AssertionError(f"no dice are at hand for {throw}")

    def pick(self, options: int) -> int:
        raise AssertionError("no chance is at hand")


NO_DICE = NoDice()


@dataclass(frozen=True, slots=True)
class Roll:
    """What a pool came to.

    ``successes`` is what counts in the end (1s taken off where they cancel), ``difficulty`` the
    least face that succeeds. In the storytelling family ``faces`` holds the pool's dice, then what the
    rerolls brought in the order in which they were rolled; ``again`` is the least face that was rolled
    again (0 in families that roll nothing again), ``chance`` says that it was one chance die.
    """

    faces: Faces
    difficulty: int
    successes: int
    botch: bool = False
    again: int = 0
    chance: bool = False
    dramatic: bool = False
    exceptional: bool = False
