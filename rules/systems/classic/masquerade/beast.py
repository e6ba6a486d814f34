"""Masquerade's frenzy and Rötschreck: rulings, of one house rule (MQ-FRZ-1 to MQ-FRZ-5)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.phrases import phrase
from rules.model.conditions import IN_FRENZY
from rules.model.system import ActionRule
from rules.systems.classic.provocations import ANGER, FIRE
from rules.systems.shared.beast import (
    TERRIFIED,
    BeastRoll,
    Outbreak,
    conditions,
    control,
    modifiers,
    option,
)
from rules.systems.shared.classic_sheets import GAROU, VAMPIRES

FRENZY, FEAR, CONTROL = "MQ-FRZ-1", "MQ-FRZ-2", "MQ-FRZ-5"

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
