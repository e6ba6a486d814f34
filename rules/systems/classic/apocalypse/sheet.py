"""Who is who in Apocalypse: its sheet, and what the bodies of its kinds are like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.engine.phrases import names, phrase
from rules.model.conditions import INCAPACITATED, STAKED
from rules.model.gear import Damage
from rules.model.kinds import Kind
from rules.model.sheet import Category, Group, Layout, Resource, Section, Trait
from rules.systems.shared.classic_sheets import (
    ATTRIBUTES,
    BLOOD,
    BLOODED,
    GENERATION,
    POINTS_OF_WILL,
    WILLPOWER,
    abilities_section,
)
from rules.systems.shared.layouts import disciplines

GAROU = frozenset({"garou"})

LAYOUT = Layout(
    sections=(
        ATTRIBUTES,
        abilities_section(
            names(
                "Alertness, Athletics, Brawl, Empathy, Expression, Intimidation, "
                "Leadership, Primal-Urge, Streetwise, Subterfuge"
            ),
            names(
                "Animal Ken, Archery, Crafts, Drive, Etiquette, Firearms, Larceny, "
                "Melee, Performance, Stealth, Survival"
            ),
            names("Academics, Computer, Enigmas, Investigation, Law, Medicine, Occult, Politics, Rituals, Science"),
        ),
        disciplines(
            names("Animalism, Auspex, Celerity, Dominate, Fortitude, Obfuscate, Potence, Presence, Protean"),
            BLOODED,
        ),
        Section(
            "spirit",
            phrase("Spirit"),
            (
                Group(
                    "",
                    (
                        Trait("rage", phrase("Rage"), Category.TEN_DOT, maximum=10, start=3),
                        Trait("gnosis", phrase("Gnosis"), Category.TEN_DOT, maximum=10, start=3),
                    ),
                ),
            ),
            GAROU,
        ),
        Section("advantages", phrase("Advantages"), (Group("", (WILLPOWER,)),)),
        GENERATION,
    ),
    resources=(
        replace(POINTS_OF_WILL, rule="AP-WILL-1"),
        Resource(
            "rage",
            phrase("Rage"),
            lambda traits: traits["rage"],
            GAROU,
            per_turn=lambda traits: (traits["rage"] + 1) // 2 or None,  # with no rating there is nothing to halve
            rule="AP-RAGE-1",
        ),
        Resource("gnosis", phrase("Gnosis"), lambda traits: traits["gnosis"], GAROU, rule="AP-GNOSIS-1"),
        replace(BLOOD, barred={STAKED: "AP-SIT-10"}, rule="AP-BLOOD-1"),
    ),
)

OF_THE_LIVING = frozenset({Damage.BASHING})
OF_THE_SUPERNATURAL = frozenset({Damage.BASHING, Damage.LETHAL})

KINDS: Mapping[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind("mortal", phrase("Mortal"), OF_THE_LIVING, human=True, mortal=True, felled=INCAPACITATED),
        Kind("ghoul", phrase("Ghoul"), OF_THE_LIVING, mortal=True, felled=INCAPACITATED),
        Kind(
            "vampire",
            phrase("Vampire"),
            OF_THE_SUPERNATURAL,
            undead=True,
            felled=INCAPACITATED,
            banes=frozenset({"sunlight"}),
            powers=phrase("Disciplines"),
            bleeds=False,
            tires=False,
        ),
        Kind(
            "garou",
            phrase("Garou"),
            OF_THE_SUPERNATURAL,
            felled=INCAPACITATED,
            banes=frozenset({"silver"}),
            hardy="garou_soak_aggravated",
            regenerates=True,
            rests_well=True,
            powers=phrase("Gifts"),
        ),
    )
}
"""AP-SOAK-1, AP-DMG-7, AP-HEALTH-1, AP-HEAL-1, AP-HEAL-2."""
