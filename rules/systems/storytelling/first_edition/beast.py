"""World of Darkness' frenzy, death rage and predator's taint: rulings, of one house rule (WD-FRZ-1 to WD-FRZ-7)."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.systems.shared.beast import conditions, option
from rules.systems.storytelling.beast import BeastRules
from rules.systems.storytelling.dodging import DODGE

RULES = BeastRules(
    frenzy="WD-FRZ-1",
    fear="WD-FRZ-2",
    rage="WD-FRZ-3",
    control="WD-FRZ-6",
    taint="WD-FRZ-7",
    shapes="WD-SHAPE-1",
    rage_roll=phrase("death-rage-roll"),
)

OPTION = option("WD-FRZ-1", phrase("frenzy-and-death-rage"))
CONDITIONS = conditions("WD-FRZ-4", "WD-FRZ-5", "WD-FRZ-6", also=frozenset({DODGE}))
MODIFIERS = RULES.modifiers()
ACTIONS = RULES.actions()
