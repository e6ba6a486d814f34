"""Plots of a forecast as plain numbers, which templates draw as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from rules.forecast.tally import Numbers

MOST_COLUMNS = 16
SLOT, HIGH = 10.0, 100.0
"""The width of a column's place, and the height of the highest bar."""

GAP = 1.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a histogram; `series` is 0 for the fight as it is and 1 for a what-if."""

    x: float
    y: float
    width: float
    height: float
    series: int


@dataclass(frozen=True, slots=True)
class Column:
    """The values `low` to `high`, and their shares in per cent: of the fight as it is, and of a what-if if any."""

    low: int
    high: int
    shares: tuple[float, ...]

    @property
    def label(self) -> str:
        """The values as text."""
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


@dataclass(frozen=True, slots=True)
class Histogram:
    """A histogram: columns of neighbouring values, and the bars to draw. `width` is that of the drawing."""

    columns: tuple[Column, ...]
    bars: tuple[Bar, ...]

    @property
    def width(self) -> float:
        return SLOT * len(self.columns)

    @property
    def last(self) -> Column:
        """The column of the highest values."""
        return self.columns[-1]


def histogram(series: Sequence[Numbers], least: int, most: int, first: int = 0) -> Histogram:
    """The histogram of one or two series, at least from `least` to `most`, with one column per value if they are few.

    `first` is the number of the first series (:attr:`Bar.series`).
    """
    counts = [each.histogram for each in series]
    values = [value for each in counts for value in each]
    low, high = min([least, *values]), max([most, *values])
    step = max(1, ceil((high - low + 1) / MOST_COLUMNS))
    columns = tuple(
        Column(start, start + step - 1, tuple(_share(each, start, start + step) for each in series))
        for start in range(low, high + 1, step)
    )
    top = max((share for column in columns for share in column.shares), default=0) or 1
    return Histogram(columns, tuple(_bars(columns, top, len(series), first)))


def _share(numbers: Numbers, start: int, end: int) -> float:
    hits = sum(count for value, count in numbers.histogram.items() if start <= value < end)
    return 100 * hits / (numbers.fights or 1)


def _bars(columns: Sequence[Column], top: float, many: int, first: int) -> list[Bar]:
    width = (SLOT - 2 * GAP) / many
    return [
        Bar(
            round(place * SLOT + GAP + which * width, 2),
            round(HIGH - HIGH * share / top, 2),
            round(width, 2),
            round(HIGH * share / top, 2),
            first + which,
        )
        for place, column in enumerate(columns)
        for which, share in enumerate(column.shares)
        if share
    ]
