"""Health, resources and conditions."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Command, command
from rules.engine.phrases import phrase
from rules.model.gear import Damage
from rules.model.sheet import Injury


def _gives_back(command: Spend, _ruleset: object) -> bool:
    return command.amount < 1


@command(phrase("harm"), commutes=True)
@dataclass(frozen=True, slots=True)
class Harm(Command):
    """Mark damage as it is said: no soak, no armour."""

    at: str
    amount: int
    type: Damage
    tags: frozenset[str] = frozenset()
    why: str = ""


@command(phrase("heal"), any_time=True)
@dataclass(frozen=True, slots=True)
class Heal(Command):
    """Heal levels of one kind (``amount``, ``type``), or let ``hours`` pass, with medical ``care`` or without.

    Where harm is kept one by one it is the ``injury`` of that place in the list, 1 the gravest: by ``amount`` levels,
    or whole.
    """

    at: str
    amount: int | None = None
    type: Damage | None = None
    hours: int | None = None
    injury: int = 1
    care: bool = False


@command(phrase("set health"), any_time=True)
@dataclass(frozen=True, slots=True)
class SetHealth(Command):
    """Put the boxes, or the injuries, as the Storyteller says, in any order."""

    at: str
    marks: tuple[Damage, ...] = ()
    why: str = ""
    injuries: tuple[Injury, ...] = ()


@command(phrase("spend"), acts_for="by", reserved=_gives_back)
@dataclass(frozen=True, slots=True)
class Spend(Command):
    """Spend points; a negative ``amount`` brings points back."""

    by: str
    resource: str
    amount: int = 1
    why: str = ""


@command(phrase("change conditions"), any_time=True, commutes=True)
@dataclass(frozen=True, slots=True)
class ChangeConditions(Command):
    """Add or take away conditions by key."""

    at: str
    add: frozenset[str] = frozenset()
    remove: frozenset[str] = frozenset()
