"""What wakes the Beast of vampires in the classic family, with the steps from the usual difficulty."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.systems.shared.beast import Provocation

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
