"""Masquerade's powers in fights: Disciplines, and what blood does (MQ-POW-1 and following)."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.modifiers import FIGHTING, ModifierRule, fixed
from rules.strike.sight import BLIND
from rules.systems.classic.masquerade.powers import bodies, minds, senses, shapes
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

POWERS = rulings((*bodies.POWERS, *shapes.POWERS, *senses.POWERS, *minds.POWERS))
CONDITIONS = (*shapes.CONDITIONS, *senses.CONDITIONS, *minds.CONDITIONS)
