"""Health, resources and conditions."""

from __future__ import annotations

from dataclasses import dataclass

from rules.model.gear import Damage
from rules.model.sheet import Injury


@dataclass(frozen=True, slots=True)
class Harm:
    """Mark damage as it is said: no soak, no armour."""

    at: str
    amount: int
    type: Damage
    tags: frozenset[str] = frozenset()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Heal:
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


@dataclass(frozen=True, slots=True)
class SetHealth:
    """Put the boxes, or the injuries, as the Storyteller says, in any order."""

    at: str
    marks: tuple[Damage, ...] = ()
    why: str = ""
    injuries: tuple[Injury, ...] = ()


@dataclass(frozen=True, slots=True)
class Spend:
    """Spend points; a negative ``amount`` brings points back."""

    by: str
    resource: str
    amount: int = 1
    why: str = ""


@dataclass(frozen=True, slots=True)
class ChangeConditions:
    """Add or take away conditions by key."""

    at: str
    add: frozenset[str] = frozenset()
    remove: frozenset[str] = frozenset()


BodyCommand = Harm | Heal | SetHealth | Spend | ChangeConditions
