"""Blows aimed at a part of the body, and a stake through the heart (AP-SIT-10 to AP-SIT-13, MQ-MAN-1, MQ-MAN-2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.engine.phrases import phrase
from rules.model.modifiers import ModifierRule, fixed
from rules.strike.blows import STAKE

AIM, MANOEUVRE = "aim", "manoeuvre"
"""Groups of what a blow may be meant for; of each it has at most one: a part of the body, or also a manoeuvre."""

LIMB, PRECISE = "target_medium", "target_precise"


def called_shots(
    rules: Mapping[str, str], small: Iterable[ModifierRule], group: str = AIM, setting: str = ""
) -> tuple[ModifierRule, ...]:
    """A limb, what is ``small``, the eye or heart, and the stake, each under its rule in ``rules``."""
    return (
        ModifierRule(
            LIMB,
            phrase("aimed-at-limb"),
            rules[LIMB],
            fixed(difficulty=1),
            aims_at="limb",
            group=group,
            setting=setting,
        ),
        *small,
        ModifierRule(
            PRECISE,
            phrase("aimed-at-eye-or-heart"),
            rules[PRECISE],
            fixed(difficulty=3),
            aims_at="heart",
            damage=2,
            group=group,
            setting=setting,
        ),
        ModifierRule(
            STAKE,
            phrase("stake-through-heart"),
            rules[STAKE],
            fixed(difficulty=3),
            aims_at="heart",
            damage=2,
            group=group,
            includes=frozenset({PRECISE}),
            setting=setting,
            fits=(lambda weapon: STAKE in weapon.tags) if setting else None,
        ),
    )
