"""Circumstances picked for an attack and read by its facets."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.conditions import PRONE
from rules.model.modifiers import ModifierRule, nothing
from rules.systems.storytelling.second_edition.defense_trait import KILLING_BLOW


def frame_modifiers(prone: str, killing_blow: str) -> dict[str, ModifierRule]:
    """A prone or helpless target, as picked circumstances of the attack, each with its rule."""
    rules = (
        ModifierRule(PRONE, phrase("target-prone-label"), prone, nothing),
        ModifierRule(KILLING_BLOW, phrase("killing-blow"), killing_blow, nothing),
    )
    return {rule.key: rule for rule in rules}
