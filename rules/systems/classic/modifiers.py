"""The circumstances of the classic family: ranges, bursts, scopes, and many against one."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.phrases import phrase
from rules.model.modifiers import (
    EVERYWHERE,
    FIGHTING,
    GUNS,
    RANGED,
    Band,
    Circumstances,
    Effect,
    Figures,
    ModifierRule,
    nothing,
    number,
    said_by_storyteller,
    sure,
    willpower,
)
from rules.model.plan import Part
from rules.strike.throwing import throwing

BURST = 3
"""Rounds of a short burst."""

Decided = tuple[str, int]
"""A value that a house rule may change: the house rule's key, and the default."""


def decided(dice: Decided = ("", 0), difficulty: Decided = ("", 0)) -> Effect:
    """The effect of a circumstance whose values a house rule may change."""

    def effect(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
        return (Part(rule.key, rule.label, rule.rule, seen.settings.get(*dice), seen.settings.get(*difficulty)),)

    return effect


def _point_blank(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    difficulty = seen.settings.get("point_blank_difficulty", 4)
    return (Part(rule.key, rule.label, rule.rule, difficulty=difficulty - seen.base),)


def _scope(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    far, dice = seen.band is Band.LONG, seen.settings.get("scope_dice", 2)
    label = rule.label if far else phrase("only-at-long-range", label=rule.label)
    return (Part(rule.key, label, rule.rule, dice=dice, struck=not far),)


def _several(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    count = number(figures, "count", least=1, most=100)
    steps = min(count - 1, seen.settings.get("several_attackers_most", 4))
    return (Part(rule.key, phrase("attackers-close-by", count=count), rule.rule, difficulty=steps),) if steps else ()


def classic_modifiers(cites: Mapping[str, str]) -> dict[str, ModifierRule]:
    """The circumstances of the classic family, citing a ruleset's own rules (MQ-ATK-5, MQ-ATK-8, MQ-DEF-4)."""
    attack, fire = cites["attack_difficulty"], cites["burst"]
    rules = (
        *said_by_storyteller(attack),
        throwing(cites),
        ModifierRule(
            "long_range", phrase("long-range"), attack, decided(difficulty=("long_range_difficulty", 2)), modes=RANGED
        ),
        ModifierRule("point_blank", phrase("point-blank"), attack, _point_blank, modes=RANGED),
        ModifierRule(
            "cramped",
            phrase("cramped-quarters"),
            attack,
            decided(difficulty=("cramped_difficulty", 1)),
            uses=FIGHTING,
            aliases=("cramped_quarters",),
        ),
        ModifierRule(
            "burst",
            phrase("three-round-burst"),
            fire,
            decided(("burst_dice", 2), ("burst_difficulty", 1)),
            modes=GUNS,
            aliases=("three_round_burst", "short_burst"),
            rounds=BURST,
            fits=lambda weapon: weapon.capacity is None or weapon.capacity >= BURST,
        ),
        ModifierRule(
            "full_auto",
            phrase("full-automatic"),
            fire,
            decided(("full_auto_dice", 10), ("full_auto_difficulty", 2)),
            modes=GUNS,
            aliases=("full_automatic", "automatic_fire", "automatic"),
            rounds=-1,
            fits=lambda weapon: weapon.automatic,
        ),
        ModifierRule("scope", phrase("scope"), fire, _scope, modes=GUNS),
        ModifierRule(
            "several_attackers", phrase("multiple-attackers"), cites["several"], _several, ("count",), FIGHTING
        ),
        ModifierRule(
            "split",
            phrase("share-of-pool"),
            cites["split"],
            nothing,
            ("dice",),
            FIGHTING,
            aliases=("multiple_actions",),
        ),
        ModifierRule("range", phrase("range"), attack, nothing, ("band",), modes=RANGED, offered=False),
    )
    return {rule.key: rule for rule in rules} | willpower(cites, sure, EVERYWHERE)
