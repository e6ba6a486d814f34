"""Chronicles of Darkness: guns, range, concealment and cover (CD-GUN, CD-CON, CD-COV)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.model.modifiers import ModifierRule
from rules.model.system import ActionRule, Watch
from rules.strike.drawing import QUICK_DRAW, InHand, drawing
from rules.strike.facets import Facet
from rules.systems.storytelling.bursts import MOST_TARGETS
from rules.systems.storytelling.concealment import Concealed, FiringOut, concealment_modifiers
from rules.systems.storytelling.cover import Covered, cover_modifier
from rules.systems.storytelling.second_edition.aiming import AimAction, AimBonus, AimLost, aim_modifier
from rules.systems.storytelling.second_edition.bursts import Crowd, Spared, Trigger, fire_modifiers
from rules.systems.storytelling.second_edition.covering import ActUnderFire, CoveringFire, FireMet, UnderCoveringFire
from rules.systems.storytelling.second_edition.damage import ArmorSteps, DeadFlesh
from rules.systems.storytelling.second_edition.injured import POOLS, slowed
from rules.systems.storytelling.second_edition.misfires import Misfire
from rules.systems.storytelling.second_edition.places import GrabShield, ReleaseShield
from rules.systems.storytelling.second_edition.ranges import FarOff
from rules.systems.storytelling.second_edition.shields import HumanShield, shield_modifier
from rules.systems.storytelling.second_edition.weapons import GunAtHand, club_modifier
from rules.systems.storytelling.sheltering import LeaveCover, PlaceCover, SeekCover, ShelterLeft

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
    "drawing": "CD-GUN-14",
    "concealed": "CD-GUN-14",
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
    InHand(),
    GunAtHand("CD-GUN-11"),
    Trigger("CD-GUN-15", ammunition="CD-GUN-12"),
    Crowd("CD-GUN-4", crowd="CD-GUN-9", most=MOST_TARGETS),
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
    cover_modifier(CITES["cover"]),
    shield_modifier(CITES["human_shield"]),
)

ACTIONS: Mapping[str, ActionRule] = {
    "aim": AimAction("CD-GUN-7"),
    "covering_fire": CoveringFire(
        "CD-GUN-10",
        ammunition="CD-GUN-12",
        firing="CD-CON-3",
        injury="CD-AIM-8",
        senses="CD-COND-1",
        pools=POOLS,
    ),
    "seek_cover": SeekCover("CD-COV-1", moving="CD-MOVE-1", slowed=slowed),
    "leave_cover": LeaveCover("CD-COV-1"),
    "act_under_fire": ActUnderFire("CD-GUN-10"),
    **drawing("CD-GUN-14", quick=QUICK_DRAW, exposes=True),
    "human_shield": GrabShield("CD-COV-4"),
    "release_shield": ReleaseShield("CD-COV-4"),
    "cover": PlaceCover("CD-COV-1"),
}

WATCHES: tuple[Watch, ...] = (AimLost("CD-GUN-7"), ShelterLeft(), FireMet("CD-GUN-10"))
