"""The circumstances of the storytelling family, under a ruleset's own rules."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.phrases import phrase
from rules.model.gear import Mode
from rules.model.modifiers import (
    RANGED,
    Band,
    Circumstances,
    Effect,
    Figures,
    ModifierRule,
    Use,
    fixed,
    number,
    willpower,
)
from rules.model.plan import Part
from rules.strike.throwing import throwing

ANYWHERE = frozenset({Use.ATTACK, Use.ROLL})
SHOTS = frozenset({Mode.FIREARM, Mode.ARCHERY})

RANGES = {"short_range": Band.SHORT, "medium_range": Band.MEDIUM, "long_range": Band.LONG, "beyond_range": Band.BEYOND}
"""Ranges picked by a key of their own."""


def _dice(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    """Dice the Storyteller adds or removes, labelled with the reason."""
    why = str(figures.get("why", "")).strip()[:80]
    return (Part(rule.key, why or rule.label, rule.rule, dice=number(figures, "dice")),)


def _less(setting: str, dice: int) -> Effect:
    """The effect of a circumstance that removes as many dice as a house rule says."""

    def effect(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
        return (Part(rule.key, rule.label, rule.rule, dice=-seen.settings.get(setting, dice)),)

    return effect


def _read_elsewhere(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    return ()


def storytelling_modifiers(cites: Mapping[str, str]) -> dict[str, ModifierRule]:
    """The family's circumstances (WD-DICE-6, WD-RANGE-1, WD-ATK-4, WD-ATK-6, WD-WILL-1)."""
    reach = cites["range"]
    rules = (
        throwing(cites),
        ModifierRule(
            "circumstance",
            phrase("circumstance"),
            cites["circumstance"],
            _dice,
            ("dice", "why"),
            ANYWHERE,
            repeats=True,
        ),
        ModifierRule("range", phrase("range"), reach, _read_elsewhere, ("band",), modes=RANGED, offered=False),
        ModifierRule("short_range", phrase("short-range"), reach, _read_elsewhere, modes=RANGED, offered=False),
        ModifierRule("medium_range", phrase("medium-range"), reach, _less("medium_range", 2), modes=RANGED),
        ModifierRule("long_range", phrase("long-range"), reach, _less("long_range", 4), modes=RANGED),
        ModifierRule("beyond_range", phrase("beyond-long-range-label"), reach, _read_elsewhere, modes=RANGED),
        ModifierRule("close_quarters", phrase("within-yard-or-two"), cites[Mode.FIREARM], _read_elsewhere, modes=SHOTS),
        ModifierRule(
            "unseen",
            phrase("out-of-sight-label"),
            cites["sight"],
            _read_elsewhere,
            modes=RANGED,
            aliases=("out_of_sight", "obscured"),
        ),
    )
    return {rule.key: rule for rule in rules} | willpower(cites, fixed(dice=3), ANYWHERE)
