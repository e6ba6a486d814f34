"""Specialties: what somebody does best within a Trait, and what one does for a roll."""

from __future__ import annotations

from rules.engine.phrases import Phrase, listed, phrase
from rules.engine.violations import bad_input
from rules.model.modifiers import Circumstances, Figures, ModifierRule, Use
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

    uses = frozenset({Use.ATTACK, Use.ROLL})
    found = ModifierRule(SPECIALTY, phrase("specialty"), rule, effect, ("name",), uses, offered=False, setting=SETTING)
    return {SPECIALTY: found}


def _label(figures: Figures, seen: Circumstances) -> Phrase:
    name = figures.get("name", "")
    if not seen.specialties or (name and name not in seen.specialties):
        raise bad_input(phrase("no-such-specialty-in-traits-of-this-roll"))
    return phrase("specialty-name", name=name if isinstance(name, str) and name else listed(seen.specialties))


def house_rule(rule: str, text: str) -> Option:
    """Whether specialties count; ``text`` says what one does."""
    return switch(SETTING, phrase("specialties"), rule, text, default=True)
