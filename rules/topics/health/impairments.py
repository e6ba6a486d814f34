"""Injuries to parts of the body: their slot, how many of a pair are hurt, and when they heal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.engine.slots import Slot
from rules.model.conditions import condition_of
from rules.model.gear import Damage
from rules.model.state import Combatant


@dataclass(frozen=True, slots=True)
class Impairment:
    """A hit's effect on a part of the body beyond its damage: ``condition`` on one ``side``.

    It passes once ``left`` points of the hit's damage ``type`` have healed, or when the turn ``until`` ends; with
    neither, it lasts until it is removed.
    """

    condition: str
    side: str
    type: Damage = Damage.BASHING
    left: int = 0
    until: int = 0


IMPAIRMENTS = Slot[Combatant, tuple[Impairment, ...]](Combatant, "injuries", tuple[Impairment, ...], ())

SIDES = ("right", "left")


def count(combatant: Combatant, condition: str) -> int:
    """On how many of two sides a combatant has a condition: one, if nothing says which."""
    if condition_of(condition).both in combatant.conditions:
        return 2
    if condition not in combatant.conditions:
        return 0
    return max(1, len(sides(combatant, condition)))


def sides(combatant: Combatant, condition: str) -> frozenset[str]:
    """The sides that hits have injured."""
    return frozenset(injury.side for injury in IMPAIRMENTS.of(combatant) if injury.condition == condition)


def mended(
    injuries: Iterable[Impairment], before: tuple[Damage, ...], after: tuple[Damage, ...]
) -> tuple[Impairment, ...]:
    """The injuries left once boxes have healed from ``before`` to ``after``.

    Healing of a type counts towards the oldest injury of that type first. An injury that does not wait for its damage
    to heal stays.
    """
    if len(after) >= len(before):
        return tuple(injuries)
    healed = Counter(before) - Counter(after)
    kept = []
    for injury in injuries:
        off = min(injury.left, healed[injury.type])
        healed[injury.type] -= off
        # Damage that has since worsened still has to heal.
        standing = sum(mark.severity >= injury.type.severity for mark in after)
        left = min(injury.left - off, standing)
        if left or not injury.left:
            kept.append(replace(injury, left=left))
    return tuple(kept)


def passed(before: Iterable[Impairment], after: Iterable[Impairment]) -> frozenset[str]:
    """The conditions that no remaining injury causes."""
    return frozenset(each.condition for each in before) - frozenset(each.condition for each in after)
