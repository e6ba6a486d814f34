"""Manoeuvres on which the first edition's document is silent: rulings, each a house rule that is off to begin with.

They are those of the second edition, with this edition's dice. A house rule that is off leaves no trace: its actions
and circumstances don't exist, and its facets find nothing to do.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.phrases import phrase
from rules.model.conditions import GRAPPLED as IN_GRAPPLE
from rules.model.conditions import known
from rules.model.modifiers import ModifierRule
from rules.model.options import Option, switch
from rules.model.system import ActionRule, Barred, Watch
from rules.strike.active_defence import Defences
from rules.strike.facets import Facet
from rules.systems.storytelling.bursts import BURSTS, BurstFire, burst_modifiers
from rules.systems.storytelling.concealment import (
    CONCEALMENT,
    FIRING,
    LABELS,
    Concealed,
    FiringOut,
    concealment_modifiers,
)
from rules.systems.storytelling.cover import COVER, Covered, cover_modifier
from rules.systems.storytelling.dodging import DODGE, DODGING, DodgeAction, Dodging, dodge_rule
from rules.systems.storytelling.first_edition.pools import POOLS
from rules.systems.storytelling.grapples.grappled import Grappled
from rules.systems.storytelling.grapples.grip import GrappleAction, Grip
from rules.systems.storytelling.grapples.hands import LendHand
from rules.systems.storytelling.grapples.moves import moves
from rules.systems.storytelling.reckless import ALL_OUT, CHARGE, AllOut, Charge, all_out_modifier, charge_modifier
from rules.systems.storytelling.sheltering import LeaveCover, PlaceCover, SeekCover, ShelterLeft
from rules.topics.firefights.stance import OBSCURED

AUTOFIRE, GRAPPLE = "autofire", "grapple"
DEGREES = {degree: label for degree, label in LABELS.items() if degree != OBSCURED}
"""Degrees of concealment: WD-ATK-6 deals with those out of sight."""

CITES = {"several_targets": "WD-AUTO-1", "in_grapple": "WD-GRP-2"}

OPTIONS: tuple[Option, ...] = (
    switch(DODGE, phrase("dodging-label"), "WD-DODGE-1", phrase("defense-doubled-for-turns-action")),
    switch(ALL_OUT, phrase("all-out-attacks"), "WD-MAN-1", phrase("two-dice-more-for-no-defense")),
    switch(CHARGE, phrase("charges"), "WD-MAN-2", phrase("up-to-twice-speed-and-blow-for-no-defense")),
    switch(GRAPPLE, phrase("grapples"), "WD-GRP-1", phrase("seizing-opponents-and-moves-for-winner")),
    switch(AUTOFIRE, phrase("autofire"), "WD-AUTO-1", phrase("bursts-of-automatic-weapons-at-one-or-more")),
    switch(COVER, phrase("concealment-and-cover"), "WD-COV-1", phrase("hiding-from-shots-and-shooting-out-of-it")),
)

FACETS: tuple[Facet, ...] = (
    BurstFire("WD-AUTO-1"),
    Concealed("WD-CON-1"),
    FiringOut("WD-CON-2"),
    Covered("WD-COV-1", through="WD-COV-1", small="WD-COV-1"),
    Dodging("WD-DODGE-1", DODGE),
    Grappled("WD-GRP-2", hold="WD-GRP-3", setting=GRAPPLE),
    AllOut("WD-MAN-1"),
    Charge("WD-MAN-2"),
)

CONDITIONS = (
    known(DODGING, one_turn=True, rule="WD-DODGE-1"),
    known(IN_GRAPPLE, rule="WD-GRP-2"),
)

GRIP = Grip("WD-GRP-1", within="WD-GRP-2", hands="WD-GRP-1", pools=POOLS)

MOVES = ("break_free", "control_weapon", "grapple_damage", "grapple_disarm", "hold", "restrain")

GRAPPLED = {
    **dict.fromkeys(("attack", "move", "seek_cover", "dodge", "reload", "clear_jam"), Barred("WD-GRP-2")),
    **dict.fromkeys(("draw", "put_away", "pick_up"), Barred("WD-GRP-2")),
    "aid_grapple": Barred("WD-GRP-1", phrase("whoever-grapples-has-no-hand-to-lend")),
}
"""Actions that are impossible in a grapple."""

ACTIONS: Mapping[str, ActionRule] = {
    DODGE: DodgeAction("WD-DODGE-1", DODGE),
    "seek_cover": SeekCover("WD-COV-1", moving="WD-MOVE-1", degrees=DEGREES, setting=COVER),
    "leave_cover": LeaveCover("WD-COV-1", COVER),
    "cover": PlaceCover("WD-COV-1", COVER),
    GRAPPLE: GrappleAction(GRIP, GRAPPLE),
    **moves(GRIP, dict.fromkeys(MOVES, "WD-GRP-3"), GRAPPLE),
    "aid_grapple": LendHand(GRIP, GRAPPLE),
}

WATCHES: tuple[Watch, ...] = (ShelterLeft(),)

DEFENCES = Defences({DODGE: dodge_rule("WD-DODGE-1", DODGE)}, plain=phrase("defense"), changes=True)

MODIFIERS: tuple[ModifierRule, ...] = (
    *burst_modifiers(dict.fromkeys((key for key, *_ in BURSTS), "WD-AUTO-1"), AUTOFIRE),
    *concealment_modifiers({CONCEALMENT: "WD-CON-1", FIRING: "WD-CON-2"}, COVER),
    cover_modifier("WD-COV-1", COVER),
    all_out_modifier("WD-MAN-1", ALL_OUT),
    charge_modifier("WD-MAN-2", CHARGE),
)
