"""Dice that follow from a seed, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count, islice

from rules.engine.dice import Faces, Throw

_BYTES = 256


@dataclass
class SeededDice:
    """The dice of one fight of a forecast.

    Their bytes are BLAKE2b digests of the seed, the fight's number and a counter, so any fight can be played again
    without those before it. Bytes that would make some faces likelier than others are skipped.
    """

    seed: int
    fight: int
    _bytes: Iterator[int] = field(init=False)

    def __post_init__(self) -> None:
        blocks = (blake2b(f"{self.seed}/{self.fight}/{block}".encode()).digest() for block in count())
        self._bytes = (byte for block in blocks for byte in block)

    def roll(self, throw: Throw) -> Faces:
        """The next faces."""
        return tuple(index + 1 for index in islice(self._below(10), throw.count))

    def pick(self, options: int) -> int:
        """An index below ``options``, which are at most 256."""
        return next(self._below(options))

    def _below(self, end: int) -> Iterator[int]:
        fair = _BYTES - _BYTES % end
        return (byte % end for byte in self._bytes if byte < fair)
