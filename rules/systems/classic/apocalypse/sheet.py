"""Apocalypse's sheet, and the body of each kind of creature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.engine.phrases import names, phrase
from rules.model.conditions import INCAPACITATED, STAKED
from rules.model.gear import Damage
from rules.model.kinds import Kind
from rules.model.sheet import Group, Layout, Resource, Section
from rules.systems.classic.apocalypse.powers import GIFTS
from rules.systems.shared.budgets import HEROES, MORTALS
from rules.systems.shared.classic_sheets import (
    ATTRIBUTES,
    BLOOD,
    BLOODED,
    CLASSIC_SPECIAL,
    GAROU,
    GENERATION,
    POINTS_OF_WILL,
    RENOWN,
    SPIRIT,
    WILLPOWER,
    abilities_section,
)
from rules.systems.shared.identity import IDENTITY
from rules.systems.shared.layouts import disciplines
from rules.systems.shared.listings import CLASSIC
from rules.systems.shared.powers import suggesting

LAYOUT = Layout(
    sections=(
        ATTRIBUTES,
        abilities_section(
            names(
                "alertness, athletics, brawl, empathy, expression, intimidation, leadership, primal-urge, "
                "streetwise, subterfuge"
            ),
            names(
                "animal-ken, archery-label, crafts, drive, etiquette, firearms, larceny, melee-label, performance, "
                "stealth, survival"
            ),
            names(
                "academics, computer, enigmas, investigation, law, medicine, occult, politics, rituals, science, "
                "technology"
            ),
            frozenset({"technology"}),
        ),
        disciplines(
            names("animalism, auspex, celerity, dominate, fortitude, obfuscate, potence, presence, protean"),
            BLOODED,
        ),
        SPIRIT,
        RENOWN,
        Section("advantages", phrase("advantages"), (Group("", (WILLPOWER,)),)),
        GENERATION,
    ),
    resources=(
        replace(POINTS_OF_WILL, rule="AP-WILL-1"),
        Resource(
            "rage",
            phrase("rage"),
            lambda traits: traits["rage"],
            GAROU,
            per_turn=lambda traits: (traits["rage"] + 1) // 2 or None,  # without Rage there is no limit to halve
            rule="AP-RAGE-1",
        ),
        Resource("gnosis", phrase("gnosis"), lambda traits: traits["gnosis"], GAROU, rule="AP-GNOSIS-1"),
        replace(BLOOD, barred={STAKED: "AP-SIT-10"}, rule="AP-BLOOD-1"),
    ),
    details=IDENTITY,
    lists=suggesting(CLASSIC, GIFTS),
    special=CLASSIC_SPECIAL,
)

OF_THE_LIVING = frozenset({Damage.BASHING})
OF_THE_SUPERNATURAL = frozenset({Damage.BASHING, Damage.LETHAL})

KINDS: Mapping[str, Kind] = {
    kind.key: kind
    for kind in (
        Kind("mortal", phrase("mortal"), OF_THE_LIVING, human=True, mortal=True, felled=INCAPACITATED),
        Kind("ghoul", phrase("ghoul"), OF_THE_LIVING, mortal=True, felled=INCAPACITATED),
        Kind(
            "vampire",
            phrase("vampire"),
            OF_THE_SUPERNATURAL,
            undead=True,
            felled=INCAPACITATED,
            banes=frozenset({"sunlight"}),
            powers=phrase("disciplines"),
            bleeds=False,
            tires=False,
        ),
        Kind(
            "garou",
            phrase("garou"),
            OF_THE_SUPERNATURAL,
            felled=INCAPACITATED,
            banes=frozenset({"silver"}),
            hardy="garou_soak_aggravated",
            regenerates=True,
            rests_well=True,
            powers=phrase("gifts"),
        ),
    )
}
"""AP-SOAK-1, AP-DMG-7, AP-HEALTH-1, AP-HEAL-1, AP-HEAL-2."""

BUDGETS = {
    "": (*MORTALS, "Willpower: 3, 1", "Freebie points: 21"),
    "ghoul": (*MORTALS, "Disciplines: 2, 10", "Willpower: 3, 1", "Freebie points: 21"),
    "vampire": (*HEROES, "Disciplines: 3, 7", "Willpower: 3, 1", "Freebie points: 15"),
    "garou": (*HEROES, "Gifts: 3, 7", "Rage: 3, 1", "Gnosis: 3, 2", "Willpower: 3, 1", "Freebie points: 15"),
}
"""AP-MAKE-1."""
