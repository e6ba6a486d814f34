"""Parts of pools, chances and flags in the reader's words, for plans and the log."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.words import said
from rules.engine.violations import Flag
from rules.model.damage_steps import DamageStep, Effect
from rules.model.plan import Part, PoolPlan
from rules.model.specialties import SPECIALTY, TEN

BASE = "base"
"""The key of the base difficulty, to which other parts add."""

ROTE = "rote"
"""The key of the part that says that dice which fail are rolled once more: it adds no dice."""

FIXED = frozenset({BASE, "least", "limit", "chance", "outright", ROTE})
"""Parts that cannot be struck out, since they are not circumstances."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A label and its chance as text."""

    label: str
    text: str


def stem(part: Part) -> str:
    """A part's key without its suffix (whose it is, or which of several)."""
    return part.key.partition(":")[0]


def as_told(part: Part, label: str) -> Part:
    """A part for a view: its label in the reader's words, without its key, which may name somebody unseen."""
    kept = stem(part)
    return replace(part, key=kept if kept in (BASE, ROTE, SPECIALTY) else "", label=label)


def can_be_struck(part: Part | DamageStep) -> bool:
    """Whether the Storyteller may strike out a part of a plan."""
    if isinstance(part, DamageStep):
        return part.effect not in (Effect.COUNT, Effect.PIERCE)
    return stem(part) not in FIXED


def in_figures(part: Part) -> str:
    """A part's contribution: dice as a number, difficulty and successes in words."""
    if part.successes:
        return in_successes(part.successes)
    if stem(part) == ROTE:
        return ""
    if stem(part) == SPECIALTY and not part.dice:
        return _("{face}-again").format(face=TEN)
    if not part.difficulty:
        return f"−{-part.dice}" if part.dice < 0 else str(part.dice)
    sign = "" if stem(part) == BASE else "+" if part.difficulty > 0 else "−"
    text = _("diff. {number}").format(number=f"{sign}{abs(part.difficulty)}")
    return f"{_signed(part.dice)}, {text}" if part.dice else text


USUAL_AGAIN = frozenset({0, 10})
"""The least faces that go without saying: none in families without rerolls, else the 10."""


def again_in_words(plan: PoolPlan) -> str:
    """Which faces of a pool are rolled again, if they are not the usual ones: “9-again”."""
    if plan.again in USUAL_AGAIN or plan.chance or plan.outright:
        return ""
    return _("{face}-again").format(face=plan.again) if plan.again < max(USUAL_AGAIN) else _("no 10-again")


def in_successes(number: int) -> str:
    """Successes that a part adds or takes away, in words."""
    return ngettext("{number} success", "{number} successes", abs(number)).format(number=_signed(number))


def told_flags(flags: Iterable[Flag]) -> tuple[Flag, ...]:
    """The flags in the reader's language."""
    return tuple(Flag(flag.rule, said(flag.text)) for flag in flags)


def _signed(number: int) -> str:
    return f"−{-number}" if number < 0 else f"+{number}"
