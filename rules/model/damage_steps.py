"""Damage steps: how the successes of a hit become damage, one step after another, each with its rule.

The steps are known before the dice (:class:`rules.model.plan.Against` carries them), so that the form can show them,
the odds can cost them and the log can say what each of them did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum

from rules.engine.phrases import listed, phrase
from rules.model.gear import Damage

MIXED = "mixed"
"""The damage type of a hit that does several types."""


class DamageStage(IntEnum):
    """When a step counts; steps of one stage count in the order in which they are given."""

    HIT = 0
    LIMIT = 1
    COVER = 2
    BALLISTIC = 3
    GENERAL = 4
    KIND = 5


class Effect(StrEnum):
    """What a step does to the points of a hit.

    ``COUNT`` is the start: a point for each success. ``ADD`` adds points of the hit's own type, ``MOST`` caps them,
    ``LESS`` takes points away, the most severe first, ``STOP`` all of them. ``CATCH`` changes nothing: something else
    takes the same points. So does ``PIERCE``: the points get past something. ``SOFTEN`` turns a number of points of one
    type into another, ``TURN`` all of them.
    """

    COUNT = "count"
    ADD = "add"
    MOST = "most"
    LESS = "less"
    STOP = "stop"
    CATCH = "catch"
    PIERCE = "pierce"
    SOFTEN = "soften"
    TURN = "turn"


UNCHANGING = frozenset({Effect.COUNT, Effect.CATCH, Effect.PIERCE})
"""Effects that leave the points as they are, and are told all the same."""


@dataclass(frozen=True, slots=True)
class DamageStep:
    """One thing that changes the damage of a hit on its way to the boxes.

    ``amount`` is in points; ``of`` and ``into`` are the types for ``SOFTEN`` and ``TURN``. One with ``below`` counts
    only while fewer points than that are left. ``key`` names it so that the Storyteller can strike it out; a
    ``struck`` step stays visible and does nothing.
    """

    key: str
    label: str
    rule: str
    stage: DamageStage
    effect: Effect
    amount: int = 0
    of: Damage = Damage.LETHAL
    into: Damage = Damage.BASHING
    below: int = 0
    struck: bool = False


Points = Mapping[Damage, int]
"""Points by damage type; types without points are left out."""


@dataclass(frozen=True, slots=True)
class DamageTold:
    """The result of a step: the points by type that remain."""

    key: str
    label: str
    rule: str
    left: Points
    stage: DamageStage = DamageStage.HIT


def in_order(steps: Iterable[DamageStep], strikes: frozenset[str] = frozenset()) -> tuple[DamageStep, ...]:
    """The steps as they count, those named by key struck out."""
    struck = (replace(step, struck=True) if step.key in strikes else step for step in steps)
    return tuple(sorted(struck, key=lambda step: step.stage))


def wound(successes: int, damage: Damage, steps: Iterable[DamageStep]) -> tuple[Points, tuple[DamageTold, ...]]:
    """The points by type that ``successes`` (zero or more) of a hit do, and the result of each step.

    Without successes there is no damage.
    """
    return through({damage: successes} if successes else {}, damage, steps)


def through(points: Points, damage: Damage, steps: Iterable[DamageStep]) -> tuple[Points, tuple[DamageTold, ...]]:
    """The points of a hit of type ``damage`` after the steps, and the result of each step that changed them."""
    told = []
    for step in steps:
        if not points or step.struck or (step.below and total(points) >= step.below):
            continue
        after = {kind: amount for kind, amount in _changed(points, damage, step).items() if amount > 0}
        if after != points or step.effect in UNCHANGING:
            told.append(DamageTold(step.key, step.label, step.rule, after, step.stage))
        points = after
    return points, tuple(told)


def total(points: Points) -> int:
    """All points, of any type."""
    return sum(points.values())


def in_words(points: Points) -> str:
    """Points by type: "1 lethal and 3 bashing"."""
    return listed([of_kind(kind, amount) for kind, amount in worst_first(points)])


def of_kind(kind: Damage, amount: int) -> str:
    """A number of points or levels of a damage type: "3 lethal"."""
    if kind is Damage.BASHING:
        return phrase("bashing-amount", amount=amount)
    if kind is Damage.LETHAL:
        return phrase("lethal-amount", amount=amount)
    return phrase("aggravated-amount", amount=amount)


def worst_first(points: Points) -> tuple[tuple[Damage, int], ...]:
    """The points by type, most severe first: the order in which they are marked."""
    return tuple(sorted(points.items(), key=lambda pair: -pair[0].severity))


def _changed(points: Points, damage: Damage, step: DamageStep) -> Points:
    if step.effect is Effect.ADD:
        return {**points, damage: points.get(damage, 0) + step.amount}
    if step.effect in UNCHANGING:
        return points
    if step.effect is Effect.STOP:
        return {}
    if step.effect in (Effect.SOFTEN, Effect.TURN):
        found = points.get(step.of, 0)
        turned = found if step.effect is Effect.TURN else min(step.amount, found)
        moved = {**points, step.of: found - turned}
        return {**moved, step.into: moved.get(step.into, 0) + turned}
    off = step.amount if step.effect is Effect.LESS else max(0, total(points) - step.amount)
    return _without(points, off)


def _without(points: Points, off: int) -> Points:
    """The points less some, the most severe taken first."""
    left = dict(points)
    for kind, amount in worst_first(points):
        taken = min(amount, off)
        left[kind] = amount - taken
        off -= taken
    return left
