"""The forecast: how a fight is likely to end, by playing it many times."""

from __future__ import annotations

from collections.abc import Iterator

from rules.forecast.fight import Fought, fight
from rules.forecast.moves import Tactics
from rules.forecast.seeded import SeededDice
from rules.forecast.setup import Setup, checked
from rules.forecast.tally import Tally, tally_of

FIGHTS = 200
"""How many fights a forecast begins with."""


def forecast(setup: Setup, seed: int, fights: int = FIGHTS, first: int = 0) -> Iterator[Tally]:
    """Play a fight ``fights`` times, and yield the growing tally after each.

    The fights are numbered from ``first``; each follows from the seed and its number. Raises "input" at once if the
    setup can't be played.
    """
    return _tallies(checked(setup), seed, range(first, first + fights))


def _tallies(setup: Setup, seed: int, numbers: range) -> Iterator[Tally]:
    tactics, tally = Tactics(setup.system), Tally()
    for number in numbers:
        tally = tally.plus(tally_of(fight(setup, SeededDice(seed, number), number, tactics).outcome))
        yield tally


def replayed(setup: Setup, seed: int, number: int) -> Fought:
    """One fight of a forecast with its rows, to be read as a log. Raises as :func:`forecast`."""
    return fight(checked(setup), SeededDice(seed, number), number)
