"""Powers of vampires that the classic family shares, each under a ruleset's own rule."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.gear import Damage, Mode, Weapon
from rules.model.power_effects import Lasts, Notice, Per, Pool
from rules.model.powers import Cost, Power, Source, Timing
from rules.model.sheet import Layout, Sheet
from rules.systems.shared.classic_sheets import BLOOD, BLOODED
from rules.systems.shared.powers import PHYSICAL, grows, raises, successes

_USUAL, _BY_GENERATION = 5, {7: 6, 6: 7, 5: 8, 4: 9}
"""The dots that a vampire's Traits reach, by generation."""


def most_by_blood(sheet: Sheet, layout: Layout) -> int:
    """The dots to which blood raises an Attribute: one beyond those that the generation allows (MQ-POW-3)."""
    return _BY_GENERATION.get(layout.bare(sheet, "generation"), _USUAL) + 1


def natural(name: str, damage: int, tag: str) -> Weapon:
    """A weapon that is part of the body: Strength and so much damage, aggravated."""
    return Weapon(name, Mode.UNARMED, damage, "strength", Damage.AGGRAVATED, tags=frozenset({tag}))


def potence(rule: str) -> Power:
    """The Discipline of strength."""
    return Power(
        "potence",
        phrase("potence"),
        rule,
        Source.DISCIPLINE,
        (successes(1, Pool.DAMAGE, Pool.ROLL, per=Per.RATING, traits=frozenset({"strength"})),),
        trait="potence",
        kinds=BLOODED,
        timing=Timing.ALWAYS,
    )


def blood_for_attributes(rule: str) -> Power:
    """Blood that raises a physical Attribute."""
    return Power(
        "blood_buff",
        phrase("blood-for-attribute"),
        rule,
        Source.NATURE,
        (raises(1, *PHYSICAL, per=Per.POINTS),),
        kinds=BLOODED,
        timing=Timing.REFLEXIVE,
        costs=(Cost(BLOOD.key),),
        points=5,
        lasts=Lasts.SCENE,
        notice=Notice.UNSEEN,
        ceiling=most_by_blood,
    )


def feral_claws(rule: str) -> Power:
    """Claws, from two dots of Protean on."""
    return Power(
        "feral_claws",
        phrase("feral-claws"),
        rule,
        Source.DISCIPLINE,
        (grows(natural("feral claws", 1, "claws")),),
        trait="protean",
        rating=2,
        kinds=BLOODED,
        costs=(Cost(BLOOD.key),),
    )
