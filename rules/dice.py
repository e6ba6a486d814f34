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


@dataclass(frozen=True, slots=True)
class Throw:
    """A number of dice (``count``, one or more) to be thrown by ``by``, a combatant's id.

    ``target`` is the id of the combatant whom an attack or a damage roll is against, if any.
    """

    purpose: Purpose
    by: str
    count: int
    target: str = ""


class Dice(Protocol):
    """A source of faces."""

    def roll(self, throw: Throw) -> Faces:
        """As many faces, 1 to 10, as ``throw.count`` says."""

    def pick(self, options: int) -> int:
        """An index below ``options``, all equally likely: for what chance decides without dice."""


@dataclass(frozen=True, slots=True)
class Roll:
    """What a pool came to.

    ``successes`` is what counts in the end (1s taken off where they cancel), ``difficulty`` the
    least face that succeeds.
    """

    faces: Faces
    difficulty: int
    successes: int
    botch: bool = False
