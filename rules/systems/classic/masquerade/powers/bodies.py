"""Powers of the body: Potence, and blood for Attributes."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.power_effects import Lasts, Notice, Per, Pool
from rules.model.powers import Cost, Power, Source, Timing
from rules.model.sheet import Layout, Sheet
from rules.systems.shared.classic_sheets import BLOOD, BLOODED
from rules.systems.shared.powers import PHYSICAL, raises, successes

_USUAL, _BY_GENERATION = 5, {7: 6, 6: 7, 5: 8, 4: 9}
"""The dots that a vampire's Traits reach, by generation."""


def most_by_blood(sheet: Sheet, layout: Layout) -> int:
    """The dots to which blood raises an Attribute: one beyond those that the generation allows (MQ-POW-3)."""
    return _BY_GENERATION.get(layout.bare(sheet, "generation"), _USUAL) + 1


POWERS = (
    Power(
        "potence",
        phrase("potence"),
        "MQ-POW-2",
        Source.DISCIPLINE,
        (successes(1, Pool.DAMAGE, Pool.ROLL, per=Per.RATING, traits=frozenset({"strength"})),),
        trait="potence",
        kinds=BLOODED,
        timing=Timing.ALWAYS,
    ),
    Power(
        "blood_buff",
        phrase("blood-for-attribute"),
        "MQ-POW-3",
        Source.NATURE,
        (raises(1, *PHYSICAL, per=Per.POINTS),),
        kinds=BLOODED,
        timing=Timing.REFLEXIVE,
        costs=(Cost(BLOOD.key),),
        points=5,
        lasts=Lasts.SCENE,
        notice=Notice.UNSEEN,
        ceiling=most_by_blood,
    ),
)
