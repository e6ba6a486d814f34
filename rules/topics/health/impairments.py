"""Injuries to parts of the body: how many of a pair are hurt, and when they heal.

Those that end with a turn are kept in a slot of the fight, all others on the sheet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rules.engine.copies import replace
from rules.engine.slots import Slot
from rules.model.conditions import condition_of
from rules.model.gear import Damage
from rules.model.sheet import Impairment
from rules.model.state import Combatant

IN_THE_FIGHT = Slot[Combatant, tuple[Impairment, ...]](Combatant, "injuries", tuple[Impairment, ...], ())

SIDES = ("right", "left")


def impairments(combatant: Combatant) -> tuple[Impairment, ...]:
    """All of a combatant's, those of the sheet first."""
    return (*combatant.sheet.impairments, *IN_THE_FIGHT.of(combatant))


def with_impairments(combatant: Combatant, found: Iterable[Impairment]) -> Combatant:
    """The combatant with these instead."""
    every = tuple(found)
    sheet = replace(combatant.sheet, impairments=tuple(each for each in every if not each.until))
    return IN_THE_FIGHT.put(replace(combatant, sheet=sheet), tuple(each for each in every if each.until))


def count(combatant: Combatant, condition: str) -> int:
    """On how many of two sides a combatant has a condition: one, if nothing says which."""
    if condition_of(condition).both in combatant.conditions:
        return 2
    if condition not in combatant.conditions:
        return 0
    return max(1, len(sides(combatant, condition)))


def sides(combatant: Combatant, condition: str) -> frozenset[str]:
    """The sides that hits have injured."""
    return frozenset(injury.side for injury in impairments(combatant) if injury.condition == condition)


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
    return conditions_of(before) - conditions_of(after)


def conditions_of(injuries: Iterable[Impairment]) -> frozenset[str]:
    """The conditions that these injuries cause."""
    return frozenset(each.condition for each in injuries)
