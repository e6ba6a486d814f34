"""Specialties: what somebody does best within a Trait, and what one does for a roll."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine.phrases import Phrase, listed, phrase
from rules.engine.violations import bad_input
from rules.model.choices import Modifier
from rules.model.modifiers import EVERYWHERE, Circumstances, Figures, ModifierRule
from rules.model.options import Option, switch
from rules.model.plan import Part

SPECIALTY = "specialty"
"""The key of the circumstance, and of its part of a pool."""

SETTING = "specialties"
"""The house rule that plays it."""

TEN = 10
"""The face that is rolled again in the classic family."""


def specialty(rule: str, dice: int = 0) -> dict[str, ModifierRule]:
    """The circumstance of a specialty, which adds ``dice``; without any, the pool rolls 10s again.

    It is one of those that the roller has in a Trait of the pool, named by its value ``name`` if they have several.
    """

    def effect(known: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
        return (Part(known.key, _label(figures, seen), known.rule, dice),)

    label = phrase("specialty")
    found = ModifierRule(SPECIALTY, label, rule, effect, ("name",), EVERYWHERE, offered=False, setting=SETTING)
    return {SPECIALTY: found}


def without(modifiers: Iterable[Modifier]) -> tuple[Modifier, ...]:
    """The circumstances without a specialty, which counts for the roll that it was chosen for alone."""
    return tuple(each for each in modifiers if each.key != SPECIALTY)


def _label(figures: Figures, seen: Circumstances) -> Phrase:
    name = figures.get("name", "")
    if not seen.specialties or (name and name not in seen.specialties):
        raise bad_input(phrase("no-such-specialty-in-traits-of-this-roll"))
    return phrase("specialty-name", name=name if isinstance(name, str) and name else listed(seen.specialties))


def house_rule(rule: str, text: str) -> Option:
    """Whether specialties count; ``text`` says what one does."""
    return switch(SETTING, phrase("specialties"), rule, text, default=True)
