"""Distribution of a dice pool's results, in exact counts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Distribution of a pool's results: exact counts out of ``total`` equally likely throws.

    ``successes[n]`` counts throws with n net successes; ``botches`` are among ``successes[0]``. With unlimited rerolls
    the last entry of ``successes`` holds all throws with that many or more, ``mean`` is the exact average, ``dramatic``
    counts dramatic failures (among ``successes[0]``) and ``exceptional`` the exceptional successes.
    """

    successes: tuple[int, ...]
    botches: int
    total: int
    dramatic: int = 0
    exceptional: int = 0
    mean: Fraction | None = None

    @property
    def expected(self) -> Fraction:
        """Net successes on average."""
        if self.mean is not None:
            return self.mean
        return Fraction(sum(n * ways for n, ways in enumerate(self.successes)), self.total)

    def at_least(self, successes: int) -> Fraction:
        """The chance of that many net successes or more."""
        return Fraction(sum(self.successes[max(0, successes) :]), self.total)

    def at_most(self, successes: int) -> Fraction:
        """The chance of that many net successes or fewer."""
        return Fraction(sum(self.successes[: max(0, successes + 1)]), self.total)
