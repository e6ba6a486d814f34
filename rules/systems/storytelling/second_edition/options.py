"""House rules of Chronicles of Darkness."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.creation import creation_options
from rules.model.experience import experience_options
from rules.model.options import figure, switch, under
from rules.model.specialties import house_rule
from rules.systems.shared.budgets import EVERYBODY, FAVOURED, GIFTS, SPECIALTIES
from rules.systems.storytelling.second_edition import beaten
from rules.systems.storytelling.second_edition.sheet import KINDS, LAYOUT
from rules.systems.storytelling.sheets import exceptional_from, own_rolls, too_weak, unskilled, vitae_per_aggravated

OPTIONS = (
    *under(
        phrase("dice"),
        exceptional_from("CD-DICE-1"),
        *unskilled("CD-DICE-2"),
        too_weak("CD-GEAR-1"),
        house_rule("CD-DICE-6", phrase("one-more-die")),
    ),
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
        beaten.OPTION,
        figure(
            "bleeding_turns",
            phrase("turns-per-point-of-bleeding"),
            0,
            "CD-HEALTH-3",
            1200,
            text=phrase("0-storyteller-decides-if-every-box"),
        ),
        vitae_per_aggravated("CD-HEAL-2"),
    ),
)

PRICES = (
    "Attribute: 4",
    "Skill: 2",
    "Discipline (in clan): 3",
    "Discipline (out of clan): 4",
    "Blood Potency: 5",
    "Primal Urge: 5",
    "Renown: 3",
    "Integrity: 2",
    "Merit: 1",
    "Gift: 3",
    "Rite: 1",
)
"""CD-EXP-1."""

AWARDS = (
    phrase("session-played-1-beat"),
    phrase("aspiration-fulfilled-1-beat"),
    phrase("dramatic-failure-1-beat"),
    phrase("damage-in-last-box-1-beat"),
    phrase("condition-resolved-1-beat"),
)
"""CD-EXP-2."""

BEATS = 5
"""Beats to an Experience (CD-EXP-2)."""

BUDGETS = {
    "": (*EVERYBODY, "Integrity: 7"),
    "vampire": (*FAVOURED, "Merits: 10", "Disciplines: 3", "Integrity: 7", "Blood Potency: 1"),
    "garou": ("Attributes: 5/4/3", "Skills: 11/7/4 + 1", SPECIALTIES, "Merits: 10", GIFTS, "Integrity: 7"),
}
"""CD-MAKE-1."""

LONG = (
    own_rolls(LAYOUT, "CD-DICE-1"),
    *experience_options(LAYOUT, ("CD-EXP-1", PRICES), ("CD-EXP-2", AWARDS), BEATS),
    *creation_options(LAYOUT, KINDS, "CD-MAKE-1", BUDGETS),
)
"""Last because they are the longest."""
