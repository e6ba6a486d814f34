"""Apocalypse's powers in fights: Gifts of the Garou, and what vampires do (AP-POW-1 and following)."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.conditions import PRONE, Acts, Condition, declare, known
from rules.model.gear import Damage, Mode
from rules.model.power_effects import Lasts, Notice, Per, Pool
from rules.model.powers import Cost, Power, Reach, Source, Test, Timing
from rules.strike.sight import BLIND
from rules.systems.classic.powers import blood_for_attributes, feral_claws, potence
from rules.systems.shared.classic_sheets import GAROU
from rules.systems.shared.powers import POWERS as SETTING
from rules.systems.shared.powers import (
    brings,
    dice,
    difficulty,
    eases,
    gifts,
    heals,
    on_targets,
    only_with,
    raises,
    rulings,
    sees_through,
    successes,
    wounds_as,
)
from rules.topics import bars
from rules.topics.rolls.pools import MOST_DICE, WOUNDS

RAGE, GNOSIS = "rage", "gnosis"

FEAR, SILENCE, STARE = "AP-POW-6", "AP-POW-13", "AP-POW-15"
FRIGHTENED = declare(Condition("frightened", phrase("frightened")))
GUNS_FAIL = declare(Condition("guns_fail", phrase("unable-to-fire-guns")))
TRANSFIXED = declare(Condition("transfixed", phrase("transfixed")))

CONDITIONS = (
    known(
        FRIGHTENED,
        rule=FEAR,
        setting=SETTING,
        bars=bars.AGGRESSIVE,
        instead=phrase("too-afraid-to-attack"),
    ),
    known(
        GUNS_FAIL,
        rule=SILENCE,
        setting=SETTING,
        bars=frozenset({Mode.FIREARM}),
        instead=phrase("guns-dont-fire"),
    ),
    known(TRANSFIXED, rule=STARE, setting=SETTING, acts=Acts.WAITS),
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
            timing=Timing.ALWAYS,
            notice=Notice.UNSEEN,
        ),
        Power(
            "true_fear",
            phrase("true-fear"),
            FEAR,
            Source.GIFT,
            (brings(FRIGHTENED, on_target=True),),
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
        Power(
            "heightened_senses",
            phrase("gift-of-heightened-senses"),
            "AP-POW-9",
            Source.GIFT,
            (difficulty(-2, Pool.ROLL, traits=frozenset({"perception"})), sees_through(BLIND)),
            costs=(Cost(GNOSIS),),
            notice=Notice.UNSEEN,
        ),
        Power(
            "blur_of_the_milky_eye",
            phrase("blur-of-milky-eye"),
            "AP-POW-10",
            Source.GIFT,
            (difficulty(2, Pool.AGAINST),),
            test=Test(("manipulation", "stealth"), 8),
        ),
        Power(
            "lunas_armor",
            phrase("lunas-armor"),
            "AP-POW-11",
            Source.GIFT,
            (dice(1, Pool.SOAK, per=Per.SUCCESSES),),
            costs=(Cost(GNOSIS),),
            test=Test(("stamina", "survival")),
        ),
        Power(
            "snarl_of_the_predator",
            phrase("snarl-of-predator"),
            "AP-POW-12",
            Source.GIFT,
            (on_targets(dice(-1, Pool.ATTACK, Pool.DEFENCE, Pool.ROLL, per=Per.SUCCESSES)),),
            test=Test(("charisma", "primal_urge"), difficulty_of=("willpower",)),
            reach=Reach.ONE,
            lasts=Lasts.TURN,
            beyond=True,
        ),
        Power(
            "jam_technology",
            phrase("jam-technology"),
            SILENCE,
            Source.GIFT,
            (brings(GUNS_FAIL, on_target=True),),
            test=Test(("manipulation", "crafts")),
            reach=Reach.MANY,
            lasts=Lasts.TURN,
            turns_per=Per.SUCCESSES,
            beyond=True,
        ),
        Power(
            "might_of_thor",
            phrase("might-of-thor"),
            "AP-POW-14",
            Source.GIFT,
            (raises(1, "strength", per=Per.SUCCESSES),),
            timing=Timing.REFLEXIVE,
            costs=(Cost(RAGE), Cost(GNOSIS)),
            test=Test(("willpower",), 8),
        ),
        Power(
            "paralyzing_stare",
            phrase("paralyzing-stare"),
            STARE,
            Source.GIFT,
            (brings(TRANSFIXED, on_target=True),),
            test=Test(("charisma", "intimidation"), difficulty_of=("willpower",)),
            reach=Reach.ONE,
            lasts=Lasts.TURN,
            turns_per=Per.SUCCESSES,
            beyond=True,
            frail=True,
        ),
        Power(
            "resist_pain",
            phrase("resist-pain"),
            "AP-POW-16",
            Source.GIFT,
            (eases(MOST_DICE, WOUNDS),),
            timing=Timing.REFLEXIVE,
            costs=(Cost("willpower"),),
            notice=Notice.UNSEEN,
        ),
    )
)

OF_VAMPIRES = rulings((potence("AP-POW-17"), blood_for_attributes("AP-POW-18"), feral_claws("AP-POW-19")))

POWERS = (*GIFTS, *OF_VAMPIRES)
