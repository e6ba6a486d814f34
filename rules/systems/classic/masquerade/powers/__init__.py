"""Masquerade's powers in fights: Disciplines, and what blood does (MQ-POW-1 and following)."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.modifiers import FIGHTING, ModifierRule, fixed
from rules.strike.sight import BLIND
from rules.systems.classic.masquerade.powers import minds, senses, shapes
from rules.systems.classic.powers import blood_for_attributes, potence
from rules.systems.shared.powers import POWERS as SETTING
from rules.systems.shared.powers import rulings

DARKNESS_RULE = "MQ-POW-5"
DARKNESS = {
    BLIND: ModifierRule(
        BLIND,
        phrase("fighting-blind"),
        DARKNESS_RULE,
        fixed(difficulty=2),
        uses=FIGHTING,
        aliases=("blind_fighting",),
        setting=SETTING,
    )
}

POWERS = rulings(
    (
        potence("MQ-POW-2"),
        blood_for_attributes("MQ-POW-3"),
        *shapes.POWERS,
        *senses.POWERS,
        *minds.POWERS,
    )
)
CONDITIONS = (*shapes.CONDITIONS, *senses.CONDITIONS, *minds.CONDITIONS)
