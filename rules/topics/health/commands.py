"""Commands for health, resources and conditions."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.engine.messages import Command, command
from rules.engine.phrases import PLAYERS_WORDS, phrase
from rules.model.gear import Damage


def _gives_back(command: Spend, _game: object) -> bool:
    return command.amount < 1


@command(phrase("harm"), commutes=True)
@dataclass(frozen=True, slots=True)
class Harm(Command):
    """Mark damage directly, without soak or armour."""

    at: str
    amount: int
    type: Damage
    tags: frozenset[str] = frozenset()
    why: str = ""


@command(phrase("spend"), acts_for="by", reserved=_gives_back)
@dataclass(frozen=True, slots=True)
class Spend(Command):
    """Spend points; a negative ``amount`` restores points."""

    by: str
    resource: str
    amount: int = 1
    why: str = field(default="", metadata=PLAYERS_WORDS)


@command(phrase("change-conditions"), any_time=True, commutes=True)
@dataclass(frozen=True, slots=True)
class ChangeConditions(Command):
    """Add or remove conditions by key."""

    at: str
    add: frozenset[str] = frozenset()
    remove: frozenset[str] = frozenset()
