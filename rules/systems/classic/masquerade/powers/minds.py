"""Powers over minds: Presence and Dominate."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.conditions import Acts, Condition, declare, known
from rules.model.power_effects import Lasts, Notice, Per, Pool
from rules.model.powers import Power, Reach, Source, Test
from rules.systems.shared.classic_sheets import BLOODED
from rules.systems.shared.powers import POWERS as SETTING
from rules.systems.shared.powers import brings, dice, difficulty, on_targets
from rules.topics import bars
from rules.topics.powers.beholding import BEGUILED

ROUTED = declare(Condition("routed", phrase("put-to-flight")))
COMMANDED = declare(Condition("commanded", phrase("commanded")))
MESMERISED = declare(Condition("mesmerised", phrase("mesmerised")))

DREAD_RULE, ENTRANCEMENT_RULE, COMMAND_RULE, MESMERISE_RULE = (f"MQ-POW-{number}" for number in (11, 12, 13, 14))

POWERS = (
    Power(
        "awe",
        phrase("awe"),
        "MQ-POW-10",
        Source.DISCIPLINE,
        (difficulty(2, Pool.AGAINST),),
        trait="presence",
        kinds=BLOODED,
        test=Test(("charisma", "performance"), 7),
        lasts=Lasts.ATTACK,
    ),
    Power(
        "dread_gaze",
        phrase("dread-gaze"),
        DREAD_RULE,
        Source.DISCIPLINE,
        (
            on_targets(dice(-1, Pool.ATTACK, Pool.DEFENCE, Pool.ROLL, per=Per.SUCCESSES)),
            brings(ROUTED, on_target=True, needs=3),
        ),
        trait="presence",
        rating=2,
        kinds=BLOODED,
        test=Test(("charisma", "intimidation"), difficulty_of=("wits", "courage")),
        reach=Reach.ONE,
        lasts=Lasts.TURN,
        beyond=True,
    ),
    Power(
        "entrancement",
        phrase("entrancement"),
        ENTRANCEMENT_RULE,
        Source.DISCIPLINE,
        (brings(BEGUILED, on_target=True),),
        trait="presence",
        rating=3,
        kinds=BLOODED,
        test=Test(("appearance", "empathy"), difficulty_of=("willpower",)),
        reach=Reach.ONE,
        frail=True,
        notice=Notice.FELT,
    ),
    Power(
        "command",
        phrase("command-in-one-word"),
        COMMAND_RULE,
        Source.DISCIPLINE,
        (brings(COMMANDED, on_target=True),),
        trait="dominate",
        kinds=BLOODED,
        test=Test(("manipulation", "intimidation"), difficulty_of=("willpower",)),
        reach=Reach.ONE,
        lasts=Lasts.AT_ONCE,
        spares_below="generation",
    ),
    Power(
        "mesmerise",
        phrase("mesmerise"),
        MESMERISE_RULE,
        Source.DISCIPLINE,
        (brings(MESMERISED, on_target=True),),
        trait="dominate",
        rating=2,
        kinds=BLOODED,
        test=Test(("manipulation", "leadership"), difficulty_of=("willpower",)),
        reach=Reach.ONE,
        lasts=Lasts.TURN,
        beyond=True,
        turns_per=Per.SUCCESSES,
        frail=True,
        spares_below="generation",
    ),
)

CONDITIONS = (
    known(
        ROUTED, rule=DREAD_RULE, setting=SETTING, bars=bars.AGGRESSIVE, instead=phrase("those-put-to-flight-only-flee")
    ),
    known(COMMANDED, rule=COMMAND_RULE, setting=SETTING, acts=Acts.LOSES_TURN),
    known(MESMERISED, rule=MESMERISE_RULE, setting=SETTING, acts=Acts.WAITS),
    known(BEGUILED, rule=ENTRANCEMENT_RULE, setting=SETTING),
)
