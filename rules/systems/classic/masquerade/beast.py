"""Masquerade's frenzy and Rötschreck: rulings, of one house rule (MQ-FRZ-1 to MQ-FRZ-5)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.phrases import phrase
from rules.model.conditions import IN_FRENZY
from rules.model.system import ActionRule
from rules.systems.shared.beast import (
    TERRIFIED,
    BeastRoll,
    Outbreak,
    Provocation,
    conditions,
    control,
    modifiers,
    option,
)
from rules.systems.shared.classic_sheets import GAROU, VAMPIRES

FRENZY, FEAR, CONTROL = "MQ-FRZ-1", "MQ-FRZ-2", "MQ-FRZ-5"

ANGER = (
    Provocation("blood_smelt", phrase("smell-of-blood-when-hungry"), -3),
    Provocation("blood_seen", phrase("sight-of-blood-when-hungry"), -2),
    Provocation("taunted", phrase("malicious-taunts"), -2),
    Provocation("in_danger", phrase("danger-to-life"), -2),
    Provocation("laid_hands_on", phrase("physical-provocation")),
    Provocation("blood_tasted", phrase("taste-of-blood-when-hungry")),
    Provocation("loved_one", phrase("loved-one-in-danger"), 1),
    Provocation("humiliated", phrase("public-humiliation"), 2),
)
FIRE = (
    Provocation("small_flame", phrase("lighter-or-candle"), -3),
    Provocation("torch", phrase("torch-or-open-flame"), -1),
    Provocation("blaze", phrase("large-fire")),
    Provocation("dim_sunlight", phrase("sunlight-through-curtains"), 1),
    Provocation("burned", phrase("being-burned"), 1),
    Provocation("direct_sunlight", phrase("direct-sunlight"), 2),
    Provocation("trapped_by_fire", phrase("trapped-in-burning-building"), 3),
)
"""What wakes the Beast, with the steps from the usual difficulty."""

OPTION = option(FRENZY, phrase("frenzy-and-rotschreck"))
CONDITIONS = conditions("MQ-FRZ-3", "MQ-FRZ-4", CONTROL)
MODIFIERS = {**modifiers(FRENZY, ANGER), **modifiers(FEAR, FIRE)}

ACTIONS: Mapping[str, ActionRule] = {
    "frenzy": BeastRoll(
        FRENZY,
        phrase("frenzy-roll"),
        ("self_control",),
        VAMPIRES | GAROU,
        (Outbreak("frenzy", phrase("in-frenzy"), IN_FRENZY),),
        ANGER,
    ),
    "fear": BeastRoll(
        FEAR,
        phrase("rotschreck-roll"),
        ("courage",),
        VAMPIRES,
        (Outbreak("terror", phrase("terrified"), TERRIFIED),),
        FIRE,
    ),
    **control(CONTROL, frenzy=("self_control",), fear=("courage",)),
}
