"""World of Darkness: powers in fights (WD-POW-1 and following)."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.phrases import phrase
from rules.model.gear import Damage, Mode
from rules.model.power_effects import Lasts, Per, Pool
from rules.model.powers import Power, Timing
from rules.systems.shared.powers import dice, grows, raises, rulings
from rules.systems.storytelling import powers
from rules.systems.storytelling.powers import claws, discipline, manoeuvre, merit, merits_of

AWE, COMMAND = "WD-POW-8", "WD-POW-9"

CELERITY = replace(
    discipline(
        "celerity",
        phrase("celerity"),
        "WD-POW-3",
        "celerity",
        (
            dice(1, Pool.DEFENCE, Pool.INITIATIVE, per=Per.RATING),
            raises(10, "speed", per=Per.RATING),
        ),
        1,
    ),
    timing=Timing.REFLEXIVE,
    lasts=Lasts.TURN,
)

CLAWS = discipline(
    "claws_of_the_wild",
    phrase("claws-of-the-wild"),
    "WD-POW-6",
    "protean",
    (grows(claws(1, Damage.AGGRAVATED)),),
    3,
)


def _dodge(key: str, rule: str, skill: str) -> Power:
    """The turn's action for the dots of a close combat Skill in addition to Defense."""
    label = {"brawl": phrase("brawling-dodge"), "weaponry": phrase("weaponry-dodge")}[skill]
    power = merit(key, label, rule, dice(1, Pool.DEFENCE, per=Per.RATING))
    return manoeuvre(replace(power, trait=skill), Timing.ACTION)


IRON_SKIN = merit(
    "iron_skin",
    phrase("iron-skin"),
    "WD-POW-17",
    dice(-1, Pool.AGAINST, modes=frozenset({Mode.UNARMED})),
    style="kung_fu",
    rating=2,
)

DEFENSIVE_ATTACK = manoeuvre(
    merit(
        "defensive_attack",
        phrase("defensive-attack"),
        "WD-POW-18",
        dice(2, Pool.DEFENCE),
        dice(-2, Pool.ATTACK),
        style="kung_fu",
        rating=3,
    )
)

POWERS = rulings(
    (
        powers.vigor("WD-POW-2", always=False),
        CELERITY,
        powers.resilience("WD-POW-4", always=False),
        powers.blood_surge("WD-POW-5"),
        CLAWS,
        powers.dread("WD-POW-7", 2),
        powers.awe(AWE),
        powers.command(COMMAND, phrase("command-dominate"), "intimidation"),
        powers.cloak_of_night("WD-POW-10"),
        powers.fast_reflexes("WD-POW-11"),
        powers.fleet_of_foot("WD-POW-12"),
        powers.iron_stamina("WD-POW-13"),
        powers.giant("WD-POW-14"),
        _dodge("brawling_dodge", "WD-POW-15", "brawl"),
        _dodge("weaponry_dodge", "WD-POW-16", "weaponry"),
        IRON_SKIN,
        DEFENSIVE_ATTACK,
    )
)

CONDITIONS = powers.conditions({"awe": AWE, "command": COMMAND})
MERITS = merits_of(POWERS, {"kung_fu": (phrase("kung-fu"), "WD-POW-17")})
