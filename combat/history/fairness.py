"""Chi-square tests of dice: counts of faces against a uniform distribution."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SIDES = 10


@dataclass(frozen=True, slots=True)
class Fit:
    """A test result. ``chance`` is the p-value: how often fair dice are at least this uneven, 0 to 1."""

    statistic: float
    freedom: int
    chance: float


def fit(counts: Sequence[int]) -> Fit:
    """Pearson's chi-square test of counts that should be equal. ValueError if all are zero."""
    owed = sum(counts) / len(counts)
    if not owed:
        raise ValueError("nothing was counted")
    statistic = sum((count - owed) ** 2 for count in counts) / owed
    return Fit(statistic, len(counts) - 1, beyond(statistic, len(counts) - 1))


def fit_of_pairs(faces: Sequence[int]) -> Fit:
    """The same for pairs of successive faces, 1 to 10: whether a die depends on the one before it."""
    pairs = [0] * SIDES**2
    for one, other in zip(faces[::2], faces[1::2], strict=False):
        pairs[(one - 1) * SIDES + other - 1] += 1
    return fit(pairs)


def beyond(statistic: float, freedom: int) -> float:
    """The survival function of the chi-square distribution, by its finite series."""
    half = statistic / 2
    if freedom % 2:
        terms: Iterator[float] = (half ** (i - 0.5) / math.gamma(i + 0.5) for i in range(1, (freedom + 1) // 2))
        return math.erfc(math.sqrt(half)) + math.exp(-half) * sum(terms)
    return math.exp(-half) * sum(half**i / math.factorial(i) for i in range(freedom // 2))
