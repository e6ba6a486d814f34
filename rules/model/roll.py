"""Rolls outside attacks."""

from __future__ import annotations

from dataclasses import dataclass

from rules.model.choices import Modifier


@dataclass(frozen=True, slots=True)
class Resistance:
    """Who resists a roll, and with what; ``modifiers`` change this pool.

    ``difficulty`` ``None`` is the ruleset's own.
    """

    by: str
    traits: tuple[str, ...]
    difficulty: int | None = None
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class DifficultyOf:
    """A difficulty taken from an opponent's Traits."""

    of: str
    traits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Extended:
    """What makes a roll an extended one: successes are gathered over several rolls until there are ``target``.

    ``id`` is a new random one. ``rolls`` is how many there may be at the most (0: as many as it takes), ``interval``
    says in words how long each takes.
    """

    id: str
    target: int
    rolls: int = 0
    interval: str = ""


@dataclass(frozen=True, slots=True)
class RollTraits:
    """Roll a Trait, or two. ``difficulty`` ``None`` is the ruleset's own; an ``extended`` one goes on afterwards."""

    by: str
    traits: tuple[str, ...]
    difficulty: int | DifficultyOf | None = None
    modifiers: tuple[Modifier, ...] = ()
    resisted: Resistance | None = None
    strike: frozenset[str] = frozenset()
    label: str = ""
    secret: bool = False
    extended: Extended | None = None


@dataclass(frozen=True, slots=True)
class RollOn:
    """Roll once more for an extended roll that goes on, named by its id."""

    roll: str


@dataclass(frozen=True, slots=True)
class GiveUpRoll:
    """Leave an extended roll, named by its id, before it has come to anything."""

    roll: str


RollCommand = RollTraits | RollOn | GiveUpRoll
