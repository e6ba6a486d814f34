"""The list of what makes an attack of Wound Levels easier or harder, each under its rule."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.modifiers import FIGHTING, GUNS, RANGED, Effect, ModifierRule, Use, fixed, nothing, said_by_storyteller
from rules.systems.wound_levels.modifiers import (
    GREATEST,
    ROUNDS_OF_AIMING,
    ROUNDS_OF_SWEEP,
    SIZE,
    SWEEP,
    WHAT,
    aimed,
    dark,
    foggy,
    point_blank,
    sized,
    swept,
    under_water,
)
from rules.systems.wound_levels.severity import ADDS_UP, DIFFERENT

ROLLS = frozenset({Use.ROLL})


def wound_modifiers() -> dict[str, ModifierRule]:
    """All circumstances, by key (WL-MOD-1 to WL-MOD-15)."""
    rules = (
        *said_by_storyteller("WL-MOD-15"),
        _plain("attacker_in_cover", phrase("Behind cover oneself"), "WL-MOD-1", fixed(difficulty=1)),
        _plain("off_hand", phrase("Off hand"), "WL-MOD-2", fixed(difficulty=1)),
        ModifierRule("aim", phrase("Aimed"), "WL-MOD-3", aimed, modes=RANGED, wanted=(ROUNDS_OF_AIMING,)),
        ModifierRule("firing_blind", phrase("Firing blind"), "WL-MOD-4", fixed(difficulty=4), modes=RANGED),
        ModifierRule("target_in_cover", phrase("Target behind cover"), "WL-MOD-5", fixed(difficulty=2), uses=FIGHTING),
        _plain("target_immobilized", phrase("Target immobilised"), "WL-MOD-6", fixed(difficulty=-3)),
        _plain("target_running", phrase("Target running"), "WL-MOD-7", fixed(difficulty=1)),
        ModifierRule("point_blank", phrase("Point blank"), "WL-MOD-8", point_blank, modes=RANGED),
        ModifierRule("long_range", phrase("Long range"), "WL-MOD-9", fixed(difficulty=1), modes=RANGED, group="range"),
        ModifierRule(
            GREATEST, phrase("At the greatest range"), "WL-MOD-9", fixed(difficulty=2), modes=RANGED, group="range"
        ),
        ModifierRule("spotter", phrase("Trained spotter"), "WL-WPN-2", nothing, modes=GUNS),
        ModifierRule("target_size", phrase("Target’s size"), "WL-MOD-10", sized, wanted=(SIZE,)),
        _plain("dark", phrase("Dark"), "WL-MOD-11", dark),
        _plain("foggy", phrase("Foggy"), "WL-MOD-12", foggy),
        _plain("stormy", phrase("Stormy"), "WL-MOD-13", fixed(difficulty=1)),
        _plain("underwater", phrase("Under water"), "WL-MOD-14", under_water),
        ModifierRule("secondary_ability", phrase("Secondary Ability"), "WL-ATK-2", fixed(difficulty=-1), uses=FIGHTING),
        ModifierRule(SWEEP, phrase("Sweep"), "WL-AUTO-1", swept, modes=GUNS, wanted=(ROUNDS_OF_SWEEP,), several=True),
        _plain("committed", phrase("Committed action"), "WL-SPLIT-3", nothing),
        _plain("surprise", phrase("By surprise"), "WL-INIT-4", nothing),
        ModifierRule(
            DIFFERENT,
            phrase("Protection that adds up"),
            "WL-ARM-3",
            nothing,
            wanted=(WHAT,),
            repeats=True,
            offered=False,
        ),
        _plain(ADDS_UP, phrase("All protection adds up"), "WL-ARM-3", nothing),
        ModifierRule("sleeping", phrase("Asleep"), "WL-INIT-5", fixed(difficulty=4), uses=ROLLS, group="awake"),
        ModifierRule("meditating", phrase("Meditating"), "WL-INIT-5", fixed(difficulty=2), uses=ROLLS, group="awake"),
        ModifierRule("split", phrase("Share of the pool"), "WL-SPLIT-1", nothing, ("dice",), FIGHTING),
        ModifierRule("range", phrase("Range"), "WL-MOD-9", nothing, ("band",), modes=RANGED, offered=False),
    )
    return {rule.key: rule for rule in rules}


def _plain(key: str, label: str, rule: str, effect: Effect) -> ModifierRule:
    return ModifierRule(key, label, rule, effect)
