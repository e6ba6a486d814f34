"""Masquerade's powers in fights: Disciplines, and what blood does (MQ-POW-1 and following)."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.gear import Damage, Mode, Weapon
from rules.model.power_effects import Lasts, Notice, Per, Pool
from rules.model.powers import Cost, Power, Source, Timing
from rules.systems.shared.classic_sheets import BLOODED
from rules.systems.shared.powers import grows, raises, rulings, successes

BLOOD = "blood"

POWERS = rulings(
    (
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
            (raises(1, "strength", "dexterity", "stamina", per=Per.POINTS),),
            kinds=BLOODED,
            timing=Timing.REFLEXIVE,
            costs=(Cost(BLOOD),),
            points=5,
            lasts=Lasts.SCENE,
            notice=Notice.UNSEEN,
        ),
        Power(
            "feral_claws",
            phrase("feral-claws"),
            "MQ-POW-4",
            Source.DISCIPLINE,
            (grows(Weapon("feral claws", Mode.UNARMED, 1, "strength", Damage.AGGRAVATED, tags=frozenset({"claws"}))),),
            trait="protean",
            rating=2,
            kinds=BLOODED,
            timing=Timing.ACTION,
            costs=(Cost(BLOOD),),
        ),
    )
)
