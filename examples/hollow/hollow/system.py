"""Hollow, assembled (hollow.toml)."""

from __future__ import annotations

from collections.abc import Mapping

from hollow import attack, dread, health, pace
from hollow.dice import HollowDice
from hollow.pools import HollowPools
from hollow.sheet import KINDS, LAYOUT
from rules import rulebook
from rules.engine.phrases import phrase
from rules.model.gear import Damage, Mode
from rules.model.system import Derived, System
from rules.odds.answers import default_answer
from rules.strike.pipeline import AttackPipeline

CITES: Mapping[str, str] = {
    "pool": "HO-DICE-1",
    "ten_dots": "HO-DICE-1",
    "untrained": "HO-DICE-1",
    "human_ceiling": "HO-DICE-1",
    "difficulty": "HO-DICE-1",
    "least_damage": "HO-HARM-1",
    "mishap": "HO-ATK-1",
    "dread": "HO-DREAD-1",
    dread.SPEND: "HO-DREAD-2",
    "pace": "HO-PACE-1",
    "initiative": "HO-PACE-1",
    "turn": "HO-PACE-1",
    "haste": "HO-PACE-2",
    "multiple_actions": "HO-ATK-1",
    "extra_actions": "HO-ATK-1",
    "rate_of_fire": "HO-ATK-1",
    **dict.fromkeys(Mode, "HO-ATK-1"),
    **dict.fromkeys(Damage, "HO-HARM-1"),
    "guard": "HO-GUARD-1",
    "harm": "HO-HARM-1",
    "damage": "HO-HARM-1",
    "health": "HO-GRIT-1",
    "wounds": "HO-WOUND-2",
    "out_of_action": "HO-WOUND-2",
    "heal": "HO-WOUND-1",
    "regeneration": "HO-WOUND-1",
}


HOLLOW = System(
    key="hollow",
    book=rulebook.load("hollow", package="hollow"),
    layout=LAYOUT,
    kinds=KINDS,
    cites=CITES,
    mechanic=HollowDice(),
    pools=HollowPools(),
    initiative=pace.NoInitiative(),
    turns=pace.PacedTurns(),
    attack=AttackPipeline(traits=attack.TRAITS, harm=attack.Harm(), facets=attack.FACETS),
    health=health.GritAndWounds(),
    answers=default_answer,
    modifiers=attack.CIRCUMSTANCES,
    actions=health.ACTIONS,
    presets=(
        (phrase("keeping-your-nerve"), "Presence + Nerve"),
        (phrase("hearing-a-step"), "Wits + Notice"),
        (phrase("running-across-roofs"), "Dexterity + Athletics"),
    ),
    unit="metres",
    derived=(
        Derived("guard", phrase("guard"), "HO-GUARD-1", lambda system, sheet: attack.guard(sheet, system.layout)),
    ),
    weapons_do=Damage.LETHAL,
    watches=(dread.DreadWatch(),),
    signs=(pace.signs,),
    fight_signs=(dread.signs,),
    results=(attack.results,),
).with_options({})
