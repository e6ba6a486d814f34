"""What play wears on a sheet (harm, points, rounds, faults), and its three-way merge.

A sheet can change in two places that don't know of each other: in a fight, and in another fight or by its editor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from rules.engine.copies import replace
from rules.model.gear import Armor, Weapon
from rules.model.sheet import Lasting, Sheet, gravest_first

_Item = TypeVar("_Item", bound=Hashable)


def worn(mine: Sheet, before: Sheet, after: Sheet) -> Sheet:
    """The sheet `mine` with what changed from `before` to `after`: marks that were added or healed, points, gear.

    Other parts stay. If `mine` is as `before`, the result is as `after`; it may exceed the boxes if it isn't.
    """
    marks = _merged(mine.marks, before.marks, after.marks)
    return replace(
        mine,
        marks=tuple(sorted(marks, key=lambda mark: -mark.severity)),
        injuries=gravest_first(_merged(mine.injuries, before.injuries, after.injuries)),
        scars=tuple(_merged(mine.scars, before.scars, after.scars)),
        impairments=tuple(_merged(mine.impairments, before.impairments, after.impairments)),
        lasting=_one_each(_merged(mine.lasting, before.lasting, after.lasting)),
        resources=_points(mine.resources, before.resources, after.resources),
        weapons=_fired(mine.weapons, before.weapons, after.weapons),
        armor=_dented(mine.armor, before.armor, after.armor),
    )


def as_worn(sheet: Sheet, mine: Sheet) -> Sheet:
    """A sheet with the harm and the points of another one of the same character."""
    return replace(
        sheet,
        marks=mine.marks,
        injuries=mine.injuries,
        scars=mine.scars,
        impairments=mine.impairments,
        lasting=mine.lasting,
        resources={key: mine.resources.get(key, points) for key, points in sheet.resources.items()},
    )


def _merged(mine: tuple[_Item, ...], before: Iterable[_Item], after: Iterable[_Item]) -> list[_Item]:
    """The items without those that vanished between `before` and `after`, and with those that were added."""
    was, now = Counter(before), Counter(after)
    gone, kept = was - now, list[_Item]()
    for item in mine:
        if gone[item]:
            gone[item] -= 1
        else:
            kept.append(item)
    return [*kept, *(now - was).elements()]


def _one_each(lasting: Iterable[Lasting]) -> tuple[Lasting, ...]:
    """The first of each condition: two fights can have left the same."""
    found: dict[str, Lasting] = {}
    for each in lasting:
        found.setdefault(each.condition, each)
    return tuple(found.values())


def _points(mine: Mapping[str, int], before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    """The points with the same number gained or lost. A missing number means an untold one, so it can't be merged."""
    merged = dict(mine)
    for key, now in after.items():
        here, was = mine.get(key), before.get(key)
        if was != now:
            merged[key] = now if None in (here, was) or here == was else max(0, mine[key] + now - before[key])
    return merged


def _fired(mine: Iterable[Weapon], before: Iterable[Weapon], after: Iterable[Weapon]) -> tuple[Weapon, ...]:
    was, now = ({weapon.key: weapon for weapon in weapons if weapon.key} for weapons in (before, after))
    return tuple(
        used(weapon, was[weapon.key], now[weapon.key]) if weapon.key in was and weapon.key in now else weapon
        for weapon in mine
    )


def used(mine: Weapon, before: Weapon, after: Weapon) -> Weapon:
    """A weapon with the rounds that were fired or loaded between `before` and `after`, and the fault it got there."""
    rounds, fault = mine.rounds, mine.fault
    if before.rounds != after.rounds:
        told = None in (mine.rounds, before.rounds, after.rounds)
        rounds = after.rounds if told else max(0, (rounds or 0) + (after.rounds or 0) - (before.rounds or 0))
    if before.fault != after.fault:
        fault = after.fault
    return replace(mine, rounds=rounds, fault=fault)


def _dented(mine: Iterable[Armor], before: Iterable[Armor], after: Iterable[Armor]) -> tuple[Armor, ...]:
    was, now = ({each.key: each.destroyed for each in armor if each.key} for armor in (before, after))
    changed = {key: now[key] for key in was.keys() & now.keys() if was[key] != now[key]}
    return tuple(replace(each, destroyed=changed.get(each.key, each.destroyed)) for each in mine)
