"""Powers of the senses: Auspex, and Obfuscate, which deceives them."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.conditions import known
from rules.model.power_effects import Lasts, Notice, Per, Pool
from rules.model.powers import Power, Reach, Source, Test, Timing
from rules.strike.sight import BLIND
from rules.systems.shared.classic_sheets import BLOODED
from rules.systems.shared.powers import POWERS as SETTING
from rules.systems.shared.powers import brings, difficulty, sees_through
from rules.topics.powers.beholding import UNSEEN

UNSEEN_RULE = "MQ-POW-8"

POWERS = (
    Power(
        "heightened_senses",
        phrase("heightened-senses"),
        "MQ-POW-6",
        Source.DISCIPLINE,
        (
            difficulty(-1, Pool.ROLL, per=Per.RATING, traits=frozenset({"perception"})),
            sees_through(BLIND, UNSEEN, amount=1, per=Per.RATING),
        ),
        trait="auspex",
        kinds=BLOODED,
        timing=Timing.REFLEXIVE,
        notice=Notice.UNSEEN,
    ),
    Power(
        "aura_perception",
        phrase("aura-perception"),
        "MQ-POW-7",
        Source.DISCIPLINE,
        (),
        trait="auspex",
        rating=2,
        kinds=BLOODED,
        test=Test(("perception", "empathy"), 8),
        reach=Reach.ONE,
        lasts=Lasts.AT_ONCE,
        notice=Notice.UNSEEN,
    ),
    Power(
        "cloak_of_shadows",
        phrase("cloak-of-shadows"),
        "MQ-POW-16",
        Source.DISCIPLINE,
        (brings(UNSEEN, 1, Per.RATING),),
        trait="obfuscate",
        kinds=BLOODED,
        lasts=Lasts.ACTION,
    ),
    Power(
        "unseen_presence",
        phrase("unseen-presence"),
        UNSEEN_RULE,
        Source.DISCIPLINE,
        (brings(UNSEEN, 1, Per.RATING),),
        trait="obfuscate",
        rating=2,
        kinds=BLOODED,
        lasts=Lasts.ATTACK,
    ),
    Power(
        "vanish",
        phrase("vanish-from-minds-eye"),
        "MQ-POW-9",
        Source.DISCIPLINE,
        (brings(UNSEEN, 1, Per.RATING),),
        trait="obfuscate",
        rating=4,
        kinds=BLOODED,
        test=Test(("charisma", "stealth"), difficulty_of=("wits", "alertness")),
        reach=Reach.ONE,
        lasts=Lasts.ATTACK,
    ),
)

CONDITIONS = (known(UNSEEN, rule=UNSEEN_RULE, setting=SETTING),)
