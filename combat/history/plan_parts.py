"""What every plan shows before the dice: its pools part by part, chances in words, what is out of the ordinary."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.words import said
from rules.engine.violations import Flag
from rules.model.plan import Part, PoolPlan

FIXED = frozenset({"base", "least", "limit", "chance", "outright"})
"""Parts that are no circumstance, and so are not struck out."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance in words and a figure."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part of a pool as the plan shows it; `key` is "" for what cannot be struck out."""

    key: str
    label: str
    rule: str
    amount: int
    text: str
    off: bool


@dataclass(frozen=True, slots=True)
class PoolRows:
    """A pool with its parts."""

    parts: tuple[PartRow, ...]
    pool: int
    difficulty: int
    chance: bool = False
    outright: bool = False


def rows_of(pool: PoolPlan) -> PoolRows:
    """A pool's parts as rows."""
    return PoolRows(tuple(_row(part) for part in pool.parts), pool.pool, pool.difficulty, pool.chance, pool.outright)


def _row(part: Part) -> PartRow:
    text = ""
    if part.difficulty:
        sign = "" if stem(part) == "base" else "+" if part.difficulty > 0 else "−"
        text = _("diff. {number}").format(number=f"{sign}{abs(part.difficulty)}")
        text = f"{_signed(part.dice)}, {text}" if part.dice else text
    if part.successes:
        text = in_successes(part.successes)
    key = "" if stem(part) in FIXED else part.key
    return PartRow(key, said(part.label), part.rule, part.dice, text, part.struck)


def stem(part: Part) -> str:
    """A part's key without whose or which of several it is."""
    return part.key.partition(":")[0]


def in_successes(number: int) -> str:
    """Successes that a part brings or takes, in words."""
    return ngettext("{number} success", "{number} successes", abs(number)).format(number=_signed(number))


def told_flags(flags: Iterable[Flag]) -> tuple[Flag, ...]:
    """What is out of the ordinary, in the reader's language."""
    return tuple(Flag(flag.rule, said(flag.text)) for flag in flags)


def _signed(number: int) -> str:
    return f"−{-number}" if number < 0 else f"+{number}"
