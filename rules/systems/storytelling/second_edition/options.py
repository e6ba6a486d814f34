"""House rules of Chronicles of Darkness."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.options import figure, switch, under
from rules.systems.storytelling.second_edition.sheet import LAYOUT
from rules.systems.storytelling.sheets import exceptional_from, own_rolls, too_weak, unskilled

OPTIONS = (
    *under(phrase("dice"), exceptional_from("CD-DICE-1"), *unskilled("CD-DICE-2"), too_weak("CD-GEAR-1")),
    *under(
        phrase("turns"),
        switch(
            "initiative_every_turn",
            phrase("initiative-every-turn"),
            "CD-INIT-1",
            phrase("everyone-rolls-at-start-of-each-turn"),
        ),
        switch(
            "weapon_slows_initiative",
            phrase("drawn-weapons-modify-initiative"),
            "CD-INIT-1",
            phrase("initiative-modifier-of-slowest-weapon"),
            default=True,
        ),
        switch(
            "wounds_slow_initiative",
            phrase("wounds-reduce-initiative"),
            "CD-HEALTH-4",
            phrase("wound-penalties-also-reduce-initiative"),
            default=True,
        ),
    ),
    *under(
        phrase("damage-label"),
        switch(
            "killing_blow_bonus",
            phrase("weapon-bonus-for-killing-blows"),
            "CD-DEF-3",
            phrase("added-to-dice-pool-as-for-every"),
            default=True,
        ),
        figure(
            "bleeding_turns",
            phrase("turns-per-point-of-bleeding"),
            0,
            "CD-HEALTH-3",
            1200,
            text=phrase("0-storyteller-decides-if-every-box"),
        ),
    ),
)

OWN_ROLLS = own_rolls(LAYOUT, "CD-DICE-1")
"""Last because it is the longest."""
