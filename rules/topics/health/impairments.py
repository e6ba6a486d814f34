"""Injuries of parts of the body: what is kept of them, how many of two are hurt, and when their damage has healed."""

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
    """What a hit did to a part of the body beyond its damage: ``condition`` on one ``side``.

    ``left`` points of the hit, of kind ``type``, have to heal before it passes, or the turn ``until`` has to end; with
    neither it lasts until it is lifted.
    """

    condition: str
    side: str
    type: Damage = Damage.BASHING
    left: int = 0
    until: int = 0


IMPAIRMENTS = Slot[Combatant, tuple[Impairment, ...]](Combatant, "injuries", tuple[Impairment, ...], ())

SIDES = ("right", "left")


def count(combatant: Combatant, condition: str) -> int:
    """On how many of two sides somebody has a condition: one where nothing says which."""
    if condition_of(condition).both in combatant.conditions:
        return 2
    if condition not in combatant.conditions:
        return 0
    return max(1, len(sides(combatant, condition)))


def sides(combatant: Combatant, condition: str) -> frozenset[str]:
    """The sides that a hit has hurt."""
    return frozenset(injury.side for injury in IMPAIRMENTS.of(combatant) if injury.condition == condition)


def mended(
    injuries: Iterable[Impairment], before: tuple[Damage, ...], after: tuple[Damage, ...]
) -> tuple[Impairment, ...]:
    """The injuries that are left once boxes have healed from ``before`` to ``after``.

    What heals of a kind is counted for the oldest injury of that kind first. An injury that does not wait for its
    damage to heal stays.
    """
    if len(after) >= len(before):
        return tuple(injuries)
    healed = Counter(before) - Counter(after)
    kept = []
    for injury in injuries:
        off = min(injury.left, healed[injury.type])
        healed[injury.type] -= off
        # Damage that has turned worse since is still there to heal.
        standing = sum(mark.severity >= injury.type.severity for mark in after)
        left = min(injury.left - off, standing)
        if left or not injury.left:
            kept.append(replace(injury, left=left))
    return tuple(kept)


def passed(before: Iterable[Impairment], after: Iterable[Impairment]) -> frozenset[str]:
    """The conditions that nothing among the injuries that are left brings any more."""
    return frozenset(each.condition for each in before) - frozenset(each.condition for each in after)
