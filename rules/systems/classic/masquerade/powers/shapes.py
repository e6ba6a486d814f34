"""Powers that change the body's shape, what grows from it, or what its blood does to a blade."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.conditions import Acts, Condition, declare, known
from rules.model.gear import Damage, Mode
from rules.model.modifiers import RANGED
from rules.model.power_effects import Lasts, Pool
from rules.model.powers import Cost, Power, Source, Timing
from rules.strike.sight import BLIND
from rules.systems.classic.powers import feral_claws, natural
from rules.systems.shared.classic_sheets import BLOOD, BLOODED
from rules.systems.shared.powers import (
    PHYSICAL,
    SOCIAL,
    brings,
    dice,
    difficulty,
    grows,
    raises,
    sees_through,
    wounds_as,
)
from rules.systems.shared.powers import POWERS as SETTING
from rules.topics.powers.beholding import UNSEEN

BEAST_RULE, MELD_RULE = "MQ-POW-17", "MQ-POW-22"
MELDED = declare(Condition("melded", phrase("one-with-the-earth")))
BURIED = 10
"""The strength of not being seen in the earth: no dots see through it."""

BEAST_SHAPE = declare(Condition("beast_shape", phrase("in-shape-of-beast")))
HANDS = frozenset({Mode.MELEE, Mode.FIREARM, Mode.THROWN, Mode.ARCHERY, "parry"})
"""What takes hands."""

MOST_DOTS = 10
"""More dots than any Attribute has: taken away, none are left."""


POWERS = (
    feral_claws("MQ-POW-4"),
    Power(
        "eyes_of_the_beast",
        phrase("eyes-of-the-beast"),
        "MQ-POW-15",
        Source.DISCIPLINE,
        (sees_through(BLIND), difficulty(1, Pool.ROLL, traits=SOCIAL)),
        trait="protean",
        kinds=BLOODED,
    ),
    Power(
        "earth_meld",
        phrase("earth-meld"),
        MELD_RULE,
        Source.DISCIPLINE,
        (brings(MELDED), brings(UNSEEN, BURIED)),
        trait="protean",
        rating=3,
        kinds=BLOODED,
        costs=(Cost(BLOOD.key),),
    ),
    Power(
        "shape_of_the_beast",
        phrase("shape-of-the-beast"),
        BEAST_RULE,
        Source.DISCIPLINE,
        (
            grows(natural("fangs of the wolf", 1, "teeth")),
            difficulty(-2, Pool.ROLL, traits=frozenset({"perception"})),
            brings(BEAST_SHAPE),
        ),
        trait="protean",
        rating=4,
        kinds=BLOODED,
        costs=(Cost(BLOOD.key, 3),),
    ),
    Power(
        "horrid_form",
        phrase("horrid-form"),
        "MQ-POW-18",
        Source.DISCIPLINE,
        (
            *(raises(3, key) for key in PHYSICAL),
            *(raises(-MOST_DOTS, key) for key in sorted(SOCIAL)),
            dice(1, Pool.DAMAGE, modes=frozenset({Mode.UNARMED})),
        ),
        trait="vicissitude",
        rating=4,
        kinds=BLOODED,
        costs=(Cost(BLOOD.key, 2),),
    ),
    Power(
        "tongue_of_the_asp",
        phrase("tongue-of-the-asp"),
        "MQ-POW-19",
        Source.DISCIPLINE,
        (grows(natural("forked tongue", 0, "teeth")),),
        trait="serpentis",
        rating=2,
        kinds=BLOODED,
    ),
    Power(
        "shadow_play",
        phrase("shadow-play"),
        "MQ-POW-20",
        Source.DISCIPLINE,
        (difficulty(1, Pool.AGAINST, modes=RANGED), dice(1, Pool.ROLL, traits=frozenset({"stealth"}))),
        trait="obtenebration",
        kinds=BLOODED,
        costs=(Cost(BLOOD.key),),
    ),
    Power(
        "baals_caress",
        phrase("baals-caress"),
        "MQ-POW-21",
        Source.DISCIPLINE,
        (wounds_as(Damage.AGGRAVATED, Mode.MELEE),),
        trait="quietus",
        rating=4,
        kinds=BLOODED,
        timing=Timing.REFLEXIVE,
        costs=(Cost(BLOOD.key),),
        lasts=Lasts.ATTACK,
    ),
)

CONDITIONS = (
    known(MELDED, rule=MELD_RULE, setting=SETTING, acts=Acts.WAITS),
    known(BEAST_SHAPE, rule=BEAST_RULE, setting=SETTING, bars=HANDS, instead=phrase("paws-hold-no-weapon")),
)
