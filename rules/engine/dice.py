"""Dice: requests for faces, and their sources.

This package has no randomness of its own: the caller of :func:`rules.decide.decide` injects a :class:`Dice`, which may
be the system's cryptographic source, a person typing the table's dice, or a scenario's scripted list.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn, Protocol

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
    is the least face that brings another die, in a throw of its own; 0 where none does. Dice that show one of the
    faces ``once`` are rolled once more, in a throw before that.
    """

    purpose: Purpose
    by: str
    count: int
    target: str = ""
    again: int = 0
    once: Faces = ()

    @property
    def may_go_on(self) -> bool:
        """Whether further dice of the same roll may follow in throws of their own."""
        return self.again > 0 or bool(self.once) or self.purpose is Purpose.TIE


class Dice(Protocol):
    """A source of faces."""

    def roll(self, throw: Throw) -> Faces:
        """As many faces, 1 to 10, as ``throw.count`` says."""

    def pick(self, options: int) -> int:
        """An index below ``options``, all equally likely: for what chance decides without dice."""


class NoDice:
    """Dice for a query that rolls none: using them is a bug."""

    __slots__ = ()

    def roll(self, throw: Throw) -> Faces:
        raise AssertionError(f"no dice are at hand for {throw}")

    def pick(self, options: int) -> int:
        raise AssertionError("no chance is at hand")


NO_DICE = NoDice()


class RollsDice(Exception):
    """The rules asked for dice, so nothing forbids the command."""


class StopAtDice:
    """Dice that abort a trial run: a command that gets to roll them is allowed. Both methods raise `RollsDice`."""

    __slots__ = ()

    def roll(self, throw: Throw) -> NoReturn:
        raise RollsDice

    def pick(self, options: int) -> NoReturn:
        raise RollsDice


@dataclass(frozen=True, slots=True)
class Roll:
    """The result of a pool.

    ``successes`` is the final count (after 1s are subtracted in systems where they cancel), ``difficulty`` the lowest
    face that succeeds. In the storytelling family ``faces`` holds the pool's dice followed by the rerolls in the order
    they were rolled; ``again`` is the lowest face that was rerolled (0 in families without rerolls), ``chance`` says
    that it was a single chance die.
    """

    faces: Faces
    difficulty: int
    successes: int
    botch: bool = False
    again: int = 0
    chance: bool = False
    dramatic: bool = False
    exceptional: bool = False
