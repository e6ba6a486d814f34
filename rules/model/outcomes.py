"""What a pool of dice comes to, and how often: exact counts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How often a pool comes to what: exact counts out of ``total`` equally likely throws.

    ``successes[n]`` counts throws with n net successes; ``botches`` are among ``successes[0]``.
    Where dice are rolled again without end, the last of ``successes`` holds all throws with that many
    or more, ``mean`` is the exact average, ``dramatic`` counts dramatic failures (among
    ``successes[0]``) and ``exceptional`` the exceptional successes.
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
