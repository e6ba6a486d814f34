"""Chronicles of Darkness: what stands on its sheets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.ruleset import Kind
from rules.rulesets.storytelling import ATTRIBUTES, SIZE, SKILLS, WILLPOWER, powers
from rules.sheet import Category, Group, Layout, Resource, Section, Trait

VITAE_BY_POTENCY = {0: 5, 1: 10, 2: 11, 3: 12, 4: 13, 5: 15, 6: 20, 7: 25, 8: 30, 9: 50, 10: 75}
"""The most Vitae by Blood Potency."""

VITAE_A_TURN = {0: 1, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 10, 10: 15}
"""The most Vitae spent in a turn, by Blood Potency."""

DRINKERS = frozenset({"vampire", "ghoul"})
WOLVES = frozenset({"garou"})

LAYOUT = Layout(
    sections=(
        ATTRIBUTES,
        SKILLS,
        powers(
            "disciplines",
            "Disciplines",
            "Animalism, Auspex, Celerity, Dominate, Majesty, Nightmare, Obfuscate, Protean, Resilience, Vigor",
            DRINKERS,
        ),
        Section(
            "advantages",
            "Advantages",
            (Group("", (Trait("integrity", "Integrity", Category.TEN_DOT, maximum=10, default=7), SIZE)),),
        ),
        Section(
            "blood",
            "Blood",
            (Group("", (Trait("blood_potency", "Blood Potency", Category.POWER, maximum=10, default=1),)),),
            frozenset({"vampire"}),
        ),
    ),
    resources=(
        replace(WILLPOWER, per_turn=lambda traits: 1, rule="CD-WILL-1"),
        Resource(
            "vitae",
            "Vitae",
            lambda traits: VITAE_BY_POTENCY.get(traits["blood_potency"], VITAE_BY_POTENCY[1]),
            DRINKERS,
            ("blood",),
            per_turn=lambda traits: VITAE_A_TURN.get(traits["blood_potency"], VITAE_A_TURN[1]),
            rule="CD-VITAE-1",
        ),
    ),
)

KINDS: Mapping[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind("mortal", "Mortal", frozenset(), human=True, felled="unconscious"),
        Kind("ghoul", "Ghoul", frozenset(), felled="unconscious"),
        Kind(
            "vampire",
            "Vampire",
            frozenset(),
            undead=True,
            felled="torpor",
            bleeds=False,
            feels_wounds=False,
            tires=False,
            banes=frozenset({"fire", "sunlight"}),
        ),
        Kind("garou", "Werewolf", frozenset(), felled="unconscious", banes=frozenset({"silver"}), bleeds=False),
    )
}
