"""Chronicles of Darkness: grapples, manoeuvres and specified targets."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from rules.engine.phrases import phrase
from rules.model.conditions import BLINDED, BOTH_EYES, IMMOBILIZED, PRONE, STAKED, STUNNED, Acts, Lasts, known
from rules.model.conditions import GRAPPLED as IN_GRAPPLE
from rules.model.modifiers import ModifierRule
from rules.model.options import Option, figure, switch
from rules.model.system import ActionRule, Barred, Needs, Serves
from rules.strike.facets import Facet
from rules.systems.shared.manoeuvres import RiseAction
from rules.systems.storytelling.grapples.grappled import Grappled
from rules.systems.storytelling.grapples.grip import GrappleAction, Grip
from rules.systems.storytelling.grapples.hands import LendHand
from rules.systems.storytelling.grapples.moves import moves
from rules.systems.storytelling.reckless import AllOut, Charge
from rules.systems.storytelling.second_edition.aims import AIM, Aimed, StunningWeapon, aim_modifiers
from rules.systems.storytelling.second_edition.brawling import OffHand, PulledBlow, brawling_modifiers
from rules.systems.storytelling.second_edition.contact import Disarm, Touch
from rules.systems.storytelling.second_edition.defense_trait import BOUND
from rules.systems.storytelling.second_edition.improvised import Grab, Improvised, improvised_modifier
from rules.systems.storytelling.second_edition.injured import (
    ARM_WRACK,
    BOTH_ARMS,
    BOTH_LEGS,
    INJURY,
    LEG_WRACK,
    POOLS,
    Injured,
    slowed,
)
from rules.systems.storytelling.second_edition.senses import DEAFENED, SENSES, senseless
from rules.systems.storytelling.second_edition.staking import Staking, stake_modifier

STAKE, KNOCKOUT = "CD-VAMP-3", "CD-KO-1"

CITES: Mapping[str, str] = {
    "in_grapple": "CD-GRP-2",
    "weapon_dropped": "CD-GUN-14",
    "weapon_taken": "CD-MAN-2",
    "weapon_broken": "CD-IMP-1",
}
"""Actions in a grapple, and why a weapon that was dropped, taken or broken can't be used."""

TARGETS = {
    "target_arm": "CD-AIM-1",
    "target_leg": "CD-AIM-2",
    "target_head": "CD-AIM-3",
    "target_heart": "CD-AIM-4",
    "target_hand": "CD-AIM-5",
    "target_eye": "CD-AIM-6",
}

CONDITIONS = (
    known(STUNNED, acts=Acts.LOSES_TURN, reflexes=True, rule=INJURY),
    known(IMMOBILIZED, offered=True, rule=INJURY),
    known(IN_GRAPPLE, ruled=True, rule="CD-GRP-2"),
    known(PRONE, ruled=True, rule="CD-PRONE-1"),
    known(BLINDED, label=phrase("one-eye-blinded"), ruled=True, lasts=Lasts.STAYS, stays_by=INJURY),
    known(BOTH_EYES, offered=True, ruled=True, lasts=Lasts.STAYS, stays_by=INJURY),
    known(DEAFENED, offered=True, ruled=True, stays_by=SENSES),
    known(ARM_WRACK, label=phrase("arm-wracked"), offered=True, ruled=True, stays_by=INJURY),
    known(BOTH_ARMS, offered=True, ruled=True, stays_by=INJURY),
    known(LEG_WRACK, label=phrase("leg-wracked"), offered=True, ruled=True, stays_by=INJURY),
    known(BOTH_LEGS, offered=True, ruled=True, stays_by=INJURY),
    known(BOUND, offered=True),
    known(STAKED, rule=STAKE),
)
"""Effects of blows, and the rules of conditions that prevent acting."""

GRAPPLED = {
    **dict.fromkeys(("attack", "aim", "covering_fire", "human_shield", "pick_up", "improvised"), Barred("CD-GRP-2")),
    **dict.fromkeys(("reload", "clear_jam", "dodge", "touch", "disarm"), Barred("CD-GRP-2")),
    **dict.fromkeys(("move", "seek_cover"), Barred("CD-GRP-3")),
    **dict.fromkeys(("draw", "put_away"), Barred("CD-GRP-4")),
    "rise": Barred("CD-GRP-7", phrase("nobody-rises-out-of-grapple-break-free")),
    "aid_grapple": Barred("CD-GRP-12", phrase("whoever-grapples-has-no-hand-to-lend")),
}
"""Actions that are impossible in a grapple."""

FACETS: tuple[Facet, ...] = (
    Grappled("CD-GRP-2", hold="CD-GRP-8"),
    PulledBlow("CD-MAN-1"),
    Charge("CD-MAN-3", slowed),
    AllOut("CD-MAN-4"),
    OffHand("CD-MAN-6"),
    Improvised("CD-IMP-1"),
    Injured(INJURY),
    Staking(STAKE),
    Aimed(TARGETS, dead="CD-VAMP-4", knockout=KNOCKOUT, pools=POOLS),
    StunningWeapon("CD-STUN-1"),
)
"""Facets of grapples, manoeuvres and specified targets, in breakdown order."""

MODIFIERS: tuple[ModifierRule, ...] = (
    *aim_modifiers(TARGETS, KNOCKOUT),
    stake_modifier(STAKE, AIM),
    *brawling_modifiers({"pull_blow": "CD-MAN-1", "charge": "CD-MAN-3", "all_out": "CD-MAN-4", "off_hand": "CD-MAN-6"}),
    improvised_modifier("CD-IMP-1"),
)

GRIP = Grip("CD-GRP-1", within="CD-GRP-2", hands="CD-GRP-12", pools=POOLS, fails=partial(senseless, rule=SENSES))

ACTIONS: Mapping[str, ActionRule] = {
    "grapple": GrappleAction(GRIP),
    **moves(
        GRIP,
        {
            "break_free": "CD-GRP-3",
            "control_weapon": "CD-GRP-4",
            "grapple_damage": "CD-GRP-5",
            "grapple_disarm": "CD-GRP-6",
            "drop_prone": "CD-GRP-7",
            "hold": "CD-GRP-8",
            "restrain": "CD-GRP-9",
            "take_cover": "CD-GRP-10",
            "throw": "CD-GRP-11",
        },
    ),
    "aid_grapple": LendHand(GRIP),
    "disarm": Disarm("CD-MAN-2", GRIP),
    "touch": Touch("CD-MAN-5", GRIP),
    "improvised": Grab("CD-IMP-1"),
    "rise": RiseAction("CD-PRONE-1", needs=Needs(only_in=PRONE, serves=Serves.FREEDOM)),
}


OPTIONS: tuple[Option, ...] = (
    switch(
        "grapple_weapon_kind",
        phrase("weapon-under-control-does-its-own-damage"),
        "CD-GRP-5",
        phrase("otherwise-it-adds-its-bonus-and-damage"),
        default=True,
    ),
    switch("throw_ends_grapple", phrase("throw-ends-grapple"), "CD-GRP-11", default=True),
    figure("arm_wrack_both", phrase("dice-that-both-arms-wracked-take"), 3, INJURY, 10),
    figure("leg_wrack", phrase("dice-that-wracked-leg-takes-from-moving"), 2, INJURY, 10),
    figure("blinded_one", phrase("dice-that-blinded-eye-takes-where-sight"), 3, INJURY, 10),
    figure("blinded_both", phrase("dice-that-two-blinded-eyes-take"), 5, INJURY, 10),
)
