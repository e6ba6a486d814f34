"""The command for a roll outside attacks, which the state also keeps for extended rolls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rules.engine.messages import Command, command
from rules.engine.phrases import PLAYERS_WORDS, phrase
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
    """Extended roll: successes are collected over several rolls until there are ``target``.

    ``id`` is a new random one. ``rolls`` is the maximum number of rolls (0: no limit), ``interval`` says in words how
    long each takes.
    """

    id: str
    target: int
    rolls: int = 0
    interval: str = field(default="", metadata=PLAYERS_WORDS)


def _storytellers_roll(command: RollTraits, game: Any) -> bool:
    # A difficulty taken from somebody shows their Traits.
    taken = isinstance(command.difficulty, DifficultyOf)
    # Systems without a difficulty use more or fewer dice instead: players say it as they were told.
    modifiers = [modifier for modifier in command.modifiers if modifier.key != "circumstance"]
    return taken or command.secret or bool(command.strike) or game.system.circumstances.are_reserved(modifiers)


def _against(command: RollTraits, _game: Any) -> Iterable[str]:
    return (command.resisted.by,) if command.resisted else ()


@command(phrase("roll-traits"), outside_fights=True, acts_for="by", reserved=_storytellers_roll, names=_against)
@dataclass(frozen=True, slots=True)
class RollTraits(Command):
    """Roll a Trait, or two, or a ``number`` of dice without Traits.

    ``difficulty`` ``None`` is the ruleset's own; an ``extended`` one goes on afterwards. In families with rerolls,
    ``again`` is the least face rolled again (0: the ruleset's own), and in a ``rote`` action dice that fail are rolled
    once more.
    """

    by: str
    traits: tuple[str, ...]
    difficulty: int | DifficultyOf | None = None
    modifiers: tuple[Modifier, ...] = ()
    resisted: Resistance | None = None
    strike: frozenset[str] = frozenset()
    label: str = field(default="", metadata=PLAYERS_WORDS)
    secret: bool = False
    extended: Extended | None = None
    number: int | None = None
    again: int = 0
    rote: bool = False
