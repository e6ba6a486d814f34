"""Circumstances that are picked for an attack and read by its facets."""

from __future__ import annotations

from rules.chronicles.defense import KILLING_BLOW
from rules.encounter import PRONE
from rules.modifiers import ModifierRule, nothing
from rules.phrases import phrase


def frame_modifiers(prone: str, killing_blow: str) -> dict[str, ModifierRule]:
    """A target that lies down, or is at somebody's mercy: facts of the attack, each by its rule."""
    rules = (
        ModifierRule(PRONE, phrase("The target lies down"), prone, nothing),
        ModifierRule(KILLING_BLOW, phrase("Killing blow"), killing_blow, nothing),
    )
    return {rule.key: rule for rule in rules}
