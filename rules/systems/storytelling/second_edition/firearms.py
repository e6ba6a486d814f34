"""Chronicles of Darkness: guns, range, concealment and cover (CD-GUN, CD-CON, CD-COV)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.phrases import phrase
from rules.model.modifiers import ModifierRule
from rules.model.system import ActionRule, Watch
from rules.strike.facets import Facet
from rules.systems.storytelling.second_edition.aiming import AimAction, AimBonus, AimLost, aim_modifier
from rules.systems.storytelling.second_edition.bursts import Crowd, Spared, Trigger, fire_modifiers
from rules.systems.storytelling.second_edition.concealment import Concealed, FiringOut, concealment_modifiers
from rules.systems.storytelling.second_edition.cover import Covered, HumanShield, cover_modifiers
from rules.systems.storytelling.second_edition.covering import ActUnderFire, CoveringFire, FireMet, UnderCoveringFire
from rules.systems.storytelling.second_edition.damage import ArmorSteps, DeadFlesh
from rules.systems.storytelling.second_edition.injured import POOLS
from rules.systems.storytelling.second_edition.misfires import Misfire
from rules.systems.storytelling.second_edition.places import (
    GrabShield,
    LeaveCover,
    PlaceCover,
    ReleaseShield,
    SeekCover,
    ShelterLeft,
)
from rules.systems.storytelling.second_edition.ranges import FarOff
from rules.systems.storytelling.second_edition.weapons import DrawAction, GunAtHand, InHand, club_modifier

CITES: Mapping[str, str] = {
    "burst": "CD-GUN-12",
    "several_targets": "CD-GUN-4",
    "single_rounds": "CD-GUN-12",
    "short_burst": "CD-GUN-1",
    "medium_burst": "CD-GUN-2",
    "long_burst": "CD-GUN-3",
    "range": "CD-GUN-5",
    "thrown_range": "CD-GUN-6",
    "aim": "CD-GUN-7",
    "covering_fire": "CD-GUN-10",
    "into_melee": "CD-GUN-8",
    "close_quarters": "CD-GUN-11",
    "mishap": "CD-GUN-13",
    "concealment": "CD-CON-1",
    "obscured": "CD-CON-2",
    "firing_from_concealment": "CD-CON-3",
    "cover": "CD-COV-1",
    "human_shield": "CD-COV-4",
}

ARMOR = ArmorSteps("CD-ARM-1", "CD-ARM-2", beyond="CD-ARM-3", gear="CD-GEAR-1")
DEAD_FLESH = DeadFlesh("CD-VAMP-2")

FACETS: tuple[Facet, ...] = (
    InHand("CD-GUN-14"),
    GunAtHand("CD-GUN-11"),
    Trigger("CD-GUN-15", ammunition="CD-GUN-12"),
    Crowd("CD-GUN-4", crowd="CD-GUN-9", most={"short_burst": 1, "medium_burst": 3}),
    FarOff("CD-GUN-5"),
    Spared("CD-GUN-8"),
    AimBonus("CD-GUN-7"),
    Concealed("CD-CON-1", unseen="CD-CON-2"),
    FiringOut("CD-CON-3"),
    Covered("CD-COV-1", through="CD-COV-2", small="CD-COV-3"),
    HumanShield("CD-COV-4", ARMOR, DEAD_FLESH),
    UnderCoveringFire("CD-GUN-10"),
    Misfire(),
)

MODIFIERS: tuple[ModifierRule, ...] = (
    *fire_modifiers(CITES),
    aim_modifier(CITES),
    club_modifier(CITES),
    *concealment_modifiers(CITES),
    *cover_modifiers(CITES),
)

ACTIONS: Mapping[str, ActionRule] = {
    "aim": AimAction("CD-GUN-7", drawing="CD-GUN-14"),
    "covering_fire": CoveringFire(
        "CD-GUN-10",
        ammunition="CD-GUN-12",
        firing="CD-CON-3",
        drawing="CD-GUN-14",
        injury="CD-AIM-8",
        senses="CD-COND-1",
        pools=POOLS,
    ),
    "seek_cover": SeekCover("CD-COV-1", moving="CD-MOVE-1"),
    "leave_cover": LeaveCover("CD-COV-1"),
    "act_under_fire": ActUnderFire("CD-GUN-10"),
    "draw": DrawAction("CD-GUN-14"),
    "put_away": DrawAction("CD-GUN-14", label=phrase("put-away"), away=True),
    "human_shield": GrabShield("CD-COV-4"),
    "release_shield": ReleaseShield("CD-COV-4"),
    "cover": PlaceCover("CD-COV-1"),
}

WATCHES: tuple[Watch, ...] = (AimLost("CD-GUN-7"), ShelterLeft(), FireMet("CD-GUN-10"))
