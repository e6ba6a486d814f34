"""Chronicles of Darkness: the figures and switches that a chronicle may decide otherwise."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.options import figure, switch, under
from rules.systems.storytelling.second_edition.sheet import LAYOUT
from rules.systems.storytelling.sheets import exceptional_from, own_rolls, too_weak, unskilled

OPTIONS = (
    *under(phrase("Dice"), exceptional_from("CD-DICE-1"), *unskilled("CD-DICE-2"), too_weak("CD-GEAR-1")),
    *under(
        phrase("Turns"),
        switch(
            "initiative_every_turn",
            phrase("Initiative every turn"),
            "CD-INIT-1",
            phrase("Everybody rolls anew at the start of each turn, in place of once for the fight."),
        ),
        switch(
            "weapon_slows_initiative",
            phrase("Drawn weapons count for Initiative"),
            "CD-INIT-1",
            phrase("The Initiative modifier of the slowest weapon in hand is among the modifiers."),
            default=True,
        ),
        switch(
            "wounds_slow_initiative",
            phrase("Wounds count for Initiative"),
            "CD-HEALTH-4",
            phrase("Wound penalties are taken off Initiative as well as off every action."),
            default=True,
        ),
    ),
    *under(
        phrase("Damage"),
        switch(
            "killing_blow_bonus",
            phrase("The weapon’s bonus in a killing blow"),
            "CD-DEF-3",
            phrase("It is added to the size of the pool, as in every hit."),
            default=True,
        ),
        figure(
            "bleeding_turns",
            phrase("Turns between one point of bleeding and the next"),
            0,
            "CD-HEALTH-3",
            1200,
            text=phrase("0: the Storyteller says when. With every box lethal it is one each turn all the same."),
        ),
    ),
)

OWN_ROLLS = own_rolls(LAYOUT, "CD-DICE-1")
"""Stands last, being the longest."""
