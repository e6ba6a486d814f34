"""The circumstances of attacks in Wound Levels, each with its rule."""

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
        _plain("attacker_in_cover", phrase("behind-cover-label"), "WL-MOD-1", fixed(difficulty=1)),
        _plain("off_hand", phrase("off-hand"), "WL-MOD-2", fixed(difficulty=1)),
        ModifierRule("aim", phrase("aimed"), "WL-MOD-3", aimed, modes=RANGED, wanted=(ROUNDS_OF_AIMING,)),
        ModifierRule("firing_blind", phrase("firing-blind"), "WL-MOD-4", fixed(difficulty=4), modes=RANGED),
        ModifierRule("target_in_cover", phrase("target-behind-cover"), "WL-MOD-5", fixed(difficulty=2), uses=FIGHTING),
        _plain("target_immobilized", phrase("target-immobilised"), "WL-MOD-6", fixed(difficulty=-3)),
        _plain("target_running", phrase("target-running"), "WL-MOD-7", fixed(difficulty=1)),
        ModifierRule("point_blank", phrase("point-blank"), "WL-MOD-8", point_blank, modes=RANGED),
        ModifierRule("long_range", phrase("long-range"), "WL-MOD-9", fixed(difficulty=1), modes=RANGED, group="range"),
        ModifierRule(
            GREATEST, phrase("at-maximum-range"), "WL-MOD-9", fixed(difficulty=2), modes=RANGED, group="range"
        ),
        ModifierRule(
            "spotter",
            phrase("trained-spotter"),
            "WL-WPN-2",
            nothing,
            modes=GUNS,
            fits=lambda weapon: "sniper" in weapon.tags,
        ),
        ModifierRule("target_size", phrase("targets-size"), "WL-MOD-10", sized, wanted=(SIZE,)),
        _plain("dark", phrase("dark"), "WL-MOD-11", dark),
        _plain("foggy", phrase("foggy"), "WL-MOD-12", foggy),
        _plain("stormy", phrase("stormy"), "WL-MOD-13", fixed(difficulty=1)),
        _plain("underwater", phrase("under-water"), "WL-MOD-14", under_water),
        ModifierRule("secondary_ability", phrase("secondary-ability"), "WL-ATK-2", fixed(difficulty=-1), uses=FIGHTING),
        ModifierRule(
            SWEEP,
            phrase("sweep"),
            "WL-AUTO-1",
            swept,
            modes=GUNS,
            wanted=(ROUNDS_OF_SWEEP,),
            several=True,
            fits=lambda weapon: weapon.automatic,
        ),
        _plain("committed", phrase("committed-action"), "WL-SPLIT-3", nothing),
        _plain("surprise", phrase("by-surprise"), "WL-INIT-4", nothing),
        ModifierRule(
            DIFFERENT,
            phrase("stacking-protection"),
            "WL-ARM-3",
            nothing,
            wanted=(WHAT,),
            repeats=True,
            offered=False,
        ),
        _plain(ADDS_UP, phrase("all-protection-stacks"), "WL-ARM-3", nothing),
        ModifierRule("sleeping", phrase("asleep-label"), "WL-INIT-5", fixed(difficulty=4), uses=ROLLS, group="awake"),
        ModifierRule(
            "meditating", phrase("meditating-label"), "WL-INIT-5", fixed(difficulty=2), uses=ROLLS, group="awake"
        ),
        ModifierRule("split", phrase("share-of-pool"), "WL-SPLIT-1", nothing, ("dice",), FIGHTING),
        ModifierRule("range", phrase("range"), "WL-MOD-9", nothing, ("band",), modes=RANGED, offered=False),
    )
    return {rule.key: rule for rule in rules}


def _plain(key: str, label: str, rule: str, effect: Effect) -> ModifierRule:
    return ModifierRule(key, label, rule, effect)
