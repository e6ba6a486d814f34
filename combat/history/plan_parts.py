"""Parts of pools as they are read, in plans and in the log; chances in words, what is out of the ordinary."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.words import said
from rules.engine.violations import Flag
from rules.model.damage_steps import DamageStep, Effect
from rules.model.plan import Part

BASE = "base"
"""The key of what steps of difficulty are steps of."""

FIXED = frozenset({BASE, "least", "limit", "chance", "outright"})
"""Parts that are no circumstance, and so are not struck out."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance in words and a figure."""

    label: str
    text: str


def stem(part: Part) -> str:
    """A part's key without whose or which of several it is."""
    return part.key.partition(":")[0]


def as_told(part: Part, label: str) -> Part:
    """A part as a view holds it: its label in the reader's words, and no key, which may name somebody unseen."""
    return replace(part, key=BASE if stem(part) == BASE else "", label=label)


def can_be_struck(part: Part | DamageStep) -> bool:
    """Whether the Storyteller may strike a part of a plan out."""
    if isinstance(part, DamageStep):
        return part.effect is not Effect.COUNT
    return stem(part) not in FIXED


def in_figures(part: Part) -> str:
    """What a part brings: dice as a figure, steps of difficulty and successes in words."""
    if part.successes:
        return in_successes(part.successes)
    if not part.difficulty:
        return f"−{-part.dice}" if part.dice < 0 else str(part.dice)
    sign = "" if stem(part) == BASE else "+" if part.difficulty > 0 else "−"
    text = _("diff. {number}").format(number=f"{sign}{abs(part.difficulty)}")
    return f"{_signed(part.dice)}, {text}" if part.dice else text


def in_successes(number: int) -> str:
    """Successes that a part brings or takes, in words."""
    return ngettext("{number} success", "{number} successes", abs(number)).format(number=_signed(number))


def told_flags(flags: Iterable[Flag]) -> tuple[Flag, ...]:
    """What is out of the ordinary, in the reader's language."""
    return tuple(Flag(flag.rule, said(flag.text)) for flag in flags)


def _signed(number: int) -> str:
    return f"−{-number}" if number < 0 else f"+{number}"
