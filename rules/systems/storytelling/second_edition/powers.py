"""Chronicles of Darkness: powers in fights (CD-POW-1 and following)."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.phrases import phrase
from rules.model.gear import Damage, Mode
from rules.model.power_effects import Lasts, Per, Pool
from rules.model.powers import Timing
from rules.systems.shared.powers import dice, from_dots, goes_first, grows, rulings, wounds_as
from rules.systems.storytelling import powers
from rules.systems.storytelling.powers import ANY_ATTACK, claws, discipline, manoeuvre, merit, merits_of

AWE, MESMERIZE = "CD-POW-9", "CD-POW-10"
BARE = frozenset({Mode.UNARMED})
HAND_TO_HAND = frozenset({Mode.UNARMED, Mode.MELEE})

CELERITY = replace(
    discipline(
        "celerity",
        phrase("celerity"),
        "CD-POW-3",
        "celerity",
        (dice(1, Pool.DEFENCE, per=Per.RATING, modes=ANY_ATTACK),),
        1,
    ),
    timing=Timing.ALWAYS,
    costs=(),
)

CELERITY_BURST = replace(
    discipline("celerity_burst", phrase("celerity-burst"), "CD-POW-4", "celerity", (goes_first(),), 1),
    timing=Timing.REFLEXIVE,
    lasts=Lasts.AT_ONCE,
)

CLAWS = replace(
    discipline(
        "predatory_claws",
        phrase("predatory-claws"),
        "CD-POW-7",
        "protean",
        (
            grows(claws(2, Damage.LETHAL)),
            from_dots(4, replace(wounds_as(Damage.AGGRAVATED), weapons=frozenset({"claws"}))),
        ),
        2,
    ),
    timing=Timing.REFLEXIVE,
)

IRON_SKIN = merit(
    "iron_skin",
    phrase("iron-skin-merit"),
    "CD-POW-16",
    dice(1, Pool.SOAK, damage=frozenset({Damage.BASHING})),
    from_dots(4, dice(1, Pool.SOAK, damage=frozenset({Damage.BASHING}))),
    rating=2,
)

HAND_AS_WEAPON = merit(
    "hand_as_weapon",
    phrase("hand-as-weapon"),
    "CD-POW-17",
    wounds_as(Damage.LETHAL, Mode.UNARMED),
    from_dots(5, dice(2, Pool.DAMAGE, modes=BARE)),
    style="martial_arts",
    rating=4,
)

DEFENSIVE_STRIKE = manoeuvre(
    merit(
        "defensive_strike",
        phrase("defensive-strike"),
        "CD-POW-18",
        dice(1, Pool.DEFENCE, per=Per.POINTS),
        dice(-1, Pool.ATTACK, per=Per.POINTS, modes=BARE),
        style="martial_arts",
        rating=2,
    )
)

SURE_STRIKE = manoeuvre(
    merit(
        "sure_strike",
        phrase("sure-strike"),
        "CD-POW-19",
        dice(-3, Pool.ATTACK, modes=frozenset({Mode.MELEE})),
        dice(1, Pool.DAMAGE, modes=frozenset({Mode.MELEE})),
        style="heavy_weapons",
    ),
    lasts=Lasts.ATTACK,
)

THRUST = manoeuvre(
    merit(
        "thrust",
        phrase("thrust"),
        "CD-POW-20",
        dice(1, Pool.ATTACK, per=Per.POINTS, modes=frozenset({Mode.MELEE})),
        dice(-1, Pool.DEFENCE, per=Per.POINTS),
        style="light_weapons",
        rating=2,
    )
)

SHOOT_FIRST = merit(
    "shoot_first",
    phrase("shoot-first"),
    "CD-POW-21",
    dice(1, Pool.INITIATIVE, per=Per.RATING),
    style="firefight",
)

BODY_AS_WEAPON = merit("body_as_weapon", phrase("body-as-weapon"), "CD-POW-22", dice(1, Pool.DAMAGE, modes=BARE))

POWERS = rulings(
    (
        powers.vigor("CD-POW-2", always=True),
        CELERITY,
        CELERITY_BURST,
        powers.resilience("CD-POW-5", always=True),
        powers.blood_surge("CD-POW-6"),
        CLAWS,
        powers.dread("CD-POW-8", 1),
        powers.awe(AWE),
        powers.command(MESMERIZE, phrase("mesmerize"), "expression"),
        powers.cloak_of_night("CD-POW-11"),
        powers.fast_reflexes("CD-POW-12"),
        powers.fleet_of_foot("CD-POW-13"),
        powers.iron_stamina("CD-POW-14"),
        powers.giant("CD-POW-15"),
        IRON_SKIN,
        HAND_AS_WEAPON,
        replace(DEFENSIVE_STRIKE, points=2),
        SURE_STRIKE,
        replace(THRUST, points=5),
        replace(SHOOT_FIRST, trait="firearms"),
        BODY_AS_WEAPON,
    )
)

CONDITIONS = powers.conditions({"awe": AWE, "command": MESMERIZE})

STYLES = {
    "martial_arts": (phrase("martial-arts"), "CD-POW-17"),
    "heavy_weapons": (phrase("heavy-weapons"), "CD-POW-19"),
    "light_weapons": (phrase("light-weapons"), "CD-POW-20"),
    "firefight": (phrase("firefight"), "CD-POW-21"),
}
MERITS = merits_of(POWERS, STYLES)
