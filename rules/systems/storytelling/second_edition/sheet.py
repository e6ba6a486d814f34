"""Sheets of Chronicles of Darkness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.engine.phrases import phrase
from rules.model.conditions import STAKED, TORPOR, UNCONSCIOUS
from rules.model.kinds import Kind
from rules.model.sheet import Group, Layout, Section
from rules.systems.shared.listings import storytelling
from rules.systems.storytelling.identity import SECOND_EDITION
from rules.systems.storytelling.second_edition.beast import COWED
from rules.systems.storytelling.second_edition.powers import MERITS
from rules.systems.storytelling.sheets import (
    ATTRIBUTES,
    BLOOD,
    DISCIPLINES,
    INTEGRITY,
    RENOWN,
    SIZE,
    SKILLS,
    SPECIAL,
    spirit,
    vitae,
    willpower,
)

VITAE_BY_POTENCY = {0: 5, 1: 10, 2: 11, 3: 12, 4: 13, 5: 15, 6: 20, 7: 25, 8: 30, 9: 50, 10: 75}
"""Maximum Vitae by Blood Potency."""

VITAE_A_TURN = {0: 1, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 10, 10: 15}
"""Maximum Vitae spent per turn by Blood Potency."""

LAYOUT = Layout(
    sections=(
        ATTRIBUTES,
        SKILLS,
        DISCIPLINES,
        Section(
            "advantages",
            phrase("advantages"),
            (Group("", (INTEGRITY, SIZE)),),
        ),
        BLOOD,
        spirit(),
        RENOWN,
    ),
    resources=(
        replace(willpower("CD-WILL-1"), lifts=frozenset({COWED})),
        replace(vitae("CD-VITAE-1", VITAE_BY_POTENCY, VITAE_A_TURN), barred={STAKED: "CD-VAMP-3"}),
    ),
    details=SECOND_EDITION,
    lists=storytelling(each.label for each in MERITS),
    special=SPECIAL,
)

KINDS: Mapping[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind("mortal", phrase("mortal"), frozenset(), human=True, felled=UNCONSCIOUS),
        Kind("ghoul", phrase("ghoul"), frozenset(), felled=UNCONSCIOUS),
        Kind(
            "vampire",
            phrase("vampire"),
            frozenset(),
            undead=True,
            felled=TORPOR,
            bleeds=False,
            feels_wounds=False,
            tires=False,
            banes=frozenset({"fire", "sunlight"}),
        ),
        Kind("garou", phrase("werewolf"), frozenset(), felled=UNCONSCIOUS, banes=frozenset({"silver"}), bleeds=False),
    )
}
