"""Chronicles of Darkness: what stands on its sheets."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.phrases import phrase
from rules.model.conditions import TORPOR, UNCONSCIOUS
from rules.model.kinds import Kind
from rules.model.sheet import Category, Group, Layout, Section, Trait
from rules.systems.storytelling.sheets import ATTRIBUTES, BLOOD, DISCIPLINES, SIZE, SKILLS, vitae, willpower

VITAE_BY_POTENCY = {0: 5, 1: 10, 2: 11, 3: 12, 4: 13, 5: 15, 6: 20, 7: 25, 8: 30, 9: 50, 10: 75}
"""The most Vitae by Blood Potency."""

VITAE_A_TURN = {0: 1, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 10, 10: 15}
"""The most Vitae spent in a turn, by Blood Potency."""

WOLVES = frozenset({"garou"})

LAYOUT = Layout(
    sections=(
        ATTRIBUTES,
        SKILLS,
        DISCIPLINES,
        Section(
            "advantages",
            phrase("Advantages"),
            (Group("", (Trait("integrity", phrase("Integrity"), Category.TEN_DOT, maximum=10, default=7), SIZE)),),
        ),
        BLOOD,
    ),
    resources=(willpower("CD-WILL-1"), vitae("CD-VITAE-1", VITAE_BY_POTENCY, VITAE_A_TURN)),
)

KINDS: Mapping[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind("mortal", phrase("Mortal"), frozenset(), human=True, felled=UNCONSCIOUS),
        Kind("ghoul", phrase("Ghoul"), frozenset(), felled=UNCONSCIOUS),
        Kind(
            "vampire",
            phrase("Vampire"),
            frozenset(),
            undead=True,
            felled=TORPOR,
            bleeds=False,
            feels_wounds=False,
            tires=False,
            banes=frozenset({"fire", "sunlight"}),
        ),
        Kind("garou", phrase("Werewolf"), frozenset(), felled=UNCONSCIOUS, banes=frozenset({"silver"}), bleeds=False),
    )
}
