"""Manoeuvres on which the source is silent, as rulings behind one house rule (MQ-MAN-1 to MQ-MAN-6).

A house rule that is off leaves no trace: its actions and circumstances don't exist, and its facets find nothing to do.
The bite has a house rule of its own (:mod:`rules.systems.classic.masquerade.bite`).
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.phrases import phrase
from rules.model.conditions import GRAPPLED, HELD, IMMOBILIZED, PRONE, STAKED, known
from rules.model.gear import Mode
from rules.model.modifiers import GUNS, ModifierRule, fixed, nothing
from rules.model.options import Option, switch
from rules.model.situations import ConditionRule
from rules.model.system import ActionRule, Needs, Serves, Watch
from rules.strike.blows import KNOCKDOWN, STAKE, Staking, Toppling
from rules.strike.conditions import Helpless, Openings, OwnConditions
from rules.strike.facets import Facet
from rules.systems.classic.called_shots import LIMB, MANOEUVRE, PRECISE, called_shots
from rules.systems.classic.clinches import (
    BREAK_FREE,
    HOLD,
    LET_GO,
    OF_THE_HELD,
    SQUEEZE,
    BreakFree,
    Clinching,
    GripLost,
    HoldFast,
    LetGo,
    Squeeze,
    grapple_modifier,
    hands_full,
)
from rules.systems.classic.disarming import Disarming, disarm_modifier
from rules.systems.classic.masquerade import bite
from rules.systems.shared.manoeuvres import KnockdownAction, RiseAction

SETTING = "manoeuvres"

AIMED, STAKED_RULE, DISARMED = "MQ-MAN-1", "MQ-MAN-2", "MQ-MAN-3"
GRAPPLES, HOLDS, FALLS = "MQ-MAN-4", "MQ-MAN-5", "MQ-MAN-6"

HEAD = "target_head"
"""The circumstance of MQ-VAMP-1; with called shots, one of theirs takes its place and its name."""

OPTIONS: tuple[Option, ...] = (
    switch(
        SETTING, phrase("grapples-called-shots-and-holds"), AIMED, phrase("also-stakes-disarming-and-falls"), begun=True
    ),
    bite.OPTION,
)

HAND = ModifierRule(
    "called_hand",
    phrase("aimed-at-hand"),
    AIMED,
    fixed(difficulty=2),
    aims_at="hand",
    damage=1,
    group=MANOEUVRE,
    setting=SETTING,
)
CALLED_HEAD = ModifierRule(
    "called_head",
    phrase("aimed-at-head"),
    AIMED,
    fixed(difficulty=2),
    aliases=(HEAD, "aimed_at_head", "head"),
    aims_at="head",
    damage=1,
    group=MANOEUVRE,
    setting=SETTING,
)

MODIFIERS: tuple[ModifierRule, ...] = (
    ModifierRule(
        HEAD,
        phrase("aimed-at-head"),
        "MQ-VAMP-1",
        nothing,
        modes=GUNS,
        aliases=("aimed_at_head", "head"),
        aims_at="head",
        unless=SETTING,
    ),
    *called_shots({LIMB: AIMED, PRECISE: AIMED, STAKE: STAKED_RULE}, (HAND, CALLED_HEAD), MANOEUVRE, SETTING),
    disarm_modifier(DISARMED, SETTING),
    grapple_modifier(GRAPPLES, SETTING),
    ModifierRule(
        KNOCKDOWN,
        phrase("tackle-or-sweep"),
        FALLS,
        fixed(difficulty=1),
        modes=frozenset({Mode.UNARMED, Mode.MELEE}),
        aliases=("tackle", "sweep"),
        group=MANOEUVRE,
        setting=SETTING,
    ),
    *bite.MODIFIERS,
)

CONDITIONS = (
    known(GRAPPLED, setting=SETTING, rule=GRAPPLES, ruled=True),
    known(
        HELD,
        setting=SETTING,
        offered=True,
        rule=HOLDS,
        bars=OF_THE_HELD,
        instead=phrase("held-and-can-only-try-to-break-free"),
        pools=ConditionRule(phrase("target-held"), HOLDS, dice=2),
    ),
    known(
        IMMOBILIZED,
        setting=SETTING,
        offered=True,
        rule=HOLDS,
        pools=ConditionRule(phrase("immobilized"), HOLDS, helpless=True),
    ),
    known(
        STAKED,
        setting=SETTING,
        rule=STAKED_RULE,
        aware=frozenset({"perception", "auspex"}),
        pools=ConditionRule(phrase("staked"), HOLDS, helpless=True),
    ),
    known(PRONE, setting=SETTING, rule=FALLS, pools=ConditionRule(phrase("prone-label"), FALLS, own=1)),
    *bite.CONDITIONS,
)

BARRED = {STAKED: STAKED_RULE}
"""Nobody spends blood in these conditions."""

GRAPPLED_BARS = hands_full(GRAPPLES)

FACETS: tuple[Facet, ...] = (
    bite.Biting(),
    Staking(STAKED_RULE),
    Disarming(DISARMED),
    Clinching(GRAPPLES, within=bite.BITES),
    OwnConditions(),
    Openings(),
    Helpless(),
    Toppling(FALLS),
)
"""The facets of manoeuvres, in breakdown order."""

ACTIONS: Mapping[str, ActionRule] = {
    BREAK_FREE: BreakFree(GRAPPLES, SETTING),
    SQUEEZE: Squeeze(GRAPPLES, SETTING),
    HOLD: HoldFast(HOLDS, SETTING),
    LET_GO: LetGo(GRAPPLES, SETTING),
    bite.DRINK: bite.Drink(),
    bite.STOP: bite.StopDrinking(SETTING),
    "knockdown": KnockdownAction(FALLS, SETTING),
    "rise": RiseAction(FALLS, needs=Needs(only_in=PRONE, setting=SETTING, serves=Serves.FREEDOM)),
}

WATCHES: tuple[Watch, ...] = (GripLost(), bite.BiteOver())
