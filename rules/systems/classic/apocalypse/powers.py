"""Apocalypse's powers in fights: Gifts of the Garou (AP-POW-1 and following)."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.conditions import PRONE, Condition, declare, known
from rules.model.gear import Damage, Mode
from rules.model.power_effects import Lasts, Notice, Per, Pool
from rules.model.powers import Cost, Power, Reach, Source, Test, Timing
from rules.systems.shared.classic_sheets import GAROU
from rules.systems.shared.powers import (
    POWERS,
    brings,
    dice,
    gifts,
    heals,
    on_targets,
    only_with,
    rulings,
    successes,
    wounds_as,
)
from rules.topics import bars

RAGE, GNOSIS = "rage", "gnosis"

FEAR = "AP-POW-6"
FRIGHTENED = declare(Condition("frightened", phrase("frightened")))

CONDITIONS = (
    known(
        FRIGHTENED,
        rule=FEAR,
        setting=POWERS,
        bars=bars.AGGRESSIVE,
        instead=phrase("too-afraid-to-attack"),
    ),
)

GIFTS = rulings(
    gifts(
        GAROU,
        Power(
            "razor_claws",
            phrase("razor-claws"),
            "AP-POW-2",
            Source.GIFT,
            (only_with(dice(1, Pool.DAMAGE), "claws"),),
            timing=Timing.REFLEXIVE,
            costs=(Cost(RAGE),),
        ),
        Power(
            "falling_touch",
            phrase("falling-touch"),
            "AP-POW-3",
            Source.GIFT,
            (brings(PRONE, on_target=True),),
            test=Test(("dexterity", "medicine"), difficulty_of=("stamina", "athletics")),
            reach=Reach.ONE,
            lasts=Lasts.AT_ONCE,
        ),
        Power(
            "inspiration",
            phrase("inspiration"),
            "AP-POW-4",
            Source.GIFT,
            (on_targets(successes(1, Pool.ROLL, traits=frozenset({"willpower"}))),),
            costs=(Cost(GNOSIS),),
            reach=Reach.MANY,
        ),
        Power(
            "spirit_of_the_fray",
            phrase("spirit-of-fray"),
            "AP-POW-5",
            Source.GIFT,
            (dice(10, Pool.INITIATIVE),),
            rating=2,
            timing=Timing.ALWAYS,
            notice=Notice.UNSEEN,
        ),
        Power(
            "true_fear",
            phrase("true-fear"),
            FEAR,
            Source.GIFT,
            (brings(FRIGHTENED, on_target=True),),
            rating=2,
            test=Test(("strength", "intimidation"), resist=("willpower",)),
            reach=Reach.ONE,
            lasts=Lasts.TURN,
            turns_per=Per.SUCCESSES,
            beyond=True,
        ),
        Power(
            "silver_claws",
            phrase("silver-claws"),
            "AP-POW-7",
            Source.GIFT,
            (only_with(wounds_as(Damage.AGGRAVATED, Mode.UNARMED, tags=("silver",)), "claws"),),
            rating=3,
            costs=(Cost(GNOSIS),),
        ),
        Power(
            "mothers_touch",
            phrase("mothers-touch"),
            "AP-POW-8",
            Source.GIFT,
            (on_targets(heals(1, *Damage, per=Per.SUCCESSES)),),
            costs=(Cost(GNOSIS),),
            test=Test(("intelligence", "medicine")),
            reach=Reach.ONE,
            lasts=Lasts.AT_ONCE,
        ),
    )
)
