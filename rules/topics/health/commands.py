"""Commands for health, resources and conditions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.engine.messages import Command, command
from rules.engine.phrases import PLAYERS_WORDS, phrase
from rules.model.gear import Damage


def _gives_back(command: Spend, _game: object) -> bool:
    return command.amount < 1


@command(phrase("harm"), outside_fights=True, changes="at", commutes=True)
@dataclass(frozen=True, slots=True)
class Harm(Command):
    """Mark damage directly, without soak or armour."""

    at: str
    amount: int
    type: Damage
    tags: frozenset[str] = frozenset()
    why: str = ""


@command(phrase("spend"), outside_fights=True, changes="by", acts_for="by", reserved=_gives_back)
@dataclass(frozen=True, slots=True)
class Spend(Command):
    """Spend points; a negative ``amount`` restores points."""

    by: str
    resource: str
    amount: int = 1
    why: str = field(default="", metadata=PLAYERS_WORDS)


@command(phrase("change-conditions"), any_time=True, outside_fights=True, changes="at", commutes=True)
@dataclass(frozen=True, slots=True)
class ChangeConditions(Command):
    """Add or remove conditions by key, optionally with a reason."""

    at: str
    add: frozenset[str] = frozenset()
    remove: frozenset[str] = frozenset()
    why: str = ""


class Care(StrEnum):
    """Medical care while time passes."""

    NONE = "none"
    CARE = "care"
    HOSPITAL = "hospital"


@command(phrase("pass-time"), outside_fights=True, changes="who")
@dataclass(frozen=True, slots=True)
class PassTime(Command):
    """Let ``hours`` pass for several combatants together.

    ``care`` is their medical care, by default none. With ``dusk`` the undead spend a point of blood at each dusk.
    ``bleeding`` is the minutes in which those who bleed without care lose a level, where their rule leaves that to the
    Storyteller; 0: they lose none.

    In systems that keep injuries one by one, which have no rule for time, ``levels`` says by how many levels each of
    somebody's injuries improves, gravest first, for the reason ``why``.
    """

    who: tuple[str, ...]
    hours: int
    care: Mapping[str, Care] = field(default_factory=dict)
    dusk: bool = False
    bleeding: int = 0
    levels: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    why: str = ""
