"""Whether dice fall as they should: counts of faces against what chance owes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SIDES = 10


@dataclass(frozen=True, slots=True)
class Fit:
    """How far counts lie from equal ones. ``chance``: how often fair dice lie as far or farther, 0 to 1."""

    statistic: float
    freedom: int
    chance: float


def fit(counts: Sequence[int]) -> Fit:
    """Pearson's chi-square of counts that should all be equal. ValueError when nothing was counted."""
    owed = sum(counts) / len(counts)
    if not owed:
        raise ValueError("nothing was counted")
    statistic = sum((count - owed) ** 2 for count in counts) / owed
    return Fit(statistic, len(counts) - 1, beyond(statistic, len(counts) - 1))


def fit_of_pairs(faces: Sequence[int]) -> Fit:
    """The same for each face with the one after it: whether a die knows what fell before. Faces are 1 to 10."""
    pairs = [0] * SIDES**2
    for one, other in zip(faces[::2], faces[1::2], strict=False):
        pairs[(one - 1) * SIDES + other - 1] += 1
    return fit(pairs)


def beyond(statistic: float, freedom: int) -> float:
    """The chance that a chi-square of so many degrees of freedom is as large or larger, by its finite series."""
    half = statistic / 2
    if freedom % 2:
        terms: Iterator[float] = (half ** (i - 0.5) / math.gamma(i + 0.5) for i in range(1, (freedom + 1) // 2))
        return math.erfc(math.sqrt(half)) + math.exp(-half) * sum(terms)
    return math.exp(-half) * sum(half**i / math.factorial(i) for i in range(freedom // 2))
