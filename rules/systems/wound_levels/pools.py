"""Pools where wound levels and a long way take dice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.model.plan import Part
from rules.model.sheet import Layout, Sheet
from rules.model.state import Encounter
from rules.systems.wound_levels.injuries import wound_level
from rules.topics.rolls.pools import MOST_DICE, PoolRules

FEET_PER_DIE = 5


def stride(sheet: Sheet, layout: Layout) -> int:
    """How many feet somebody goes in a round that cost them nothing (WL-MOVE-1)."""
    return 5 + 5 * layout.dots(sheet, "dexterity")


def dice_for(feet: int, sheet: Sheet, layout: Layout) -> int:
    """How many dice the way takes from the round's other actions."""
    return -(-max(0, feet - stride(sheet, layout)) // FEET_PER_DIE)


@dataclass(frozen=True, slots=True)
class WoundPools(PoolRules):
    """Pools of an Attribute and an Ability, less what the wound level takes (WL-DMG-5) and a long way (WL-MOVE-1)."""

    human_ceiling: int = MOST_DICE

    def hindrances(self, sheet: Sheet, traits: Iterable[str]) -> tuple[Part, ...]:
        """What the wound level takes from a pool; armour hinders nobody."""
        penalty = self.system.health.hindrance(sheet)
        if not penalty:
            return ()
        label = phrase("Wound level {level}", level=wound_level(sheet))
        return (Part("wounds", label, self.system.cites["wounds"], dice=penalty),)

    def hampering(self, state: Encounter, who: str, traits: Iterable[str]) -> tuple[Part, ...]:
        """As :meth:`hindrances`, and what the way gone in this round takes."""
        combatant = state.combatants[who]
        parts = self.hindrances(combatant.sheet, traits)
        dice = dice_for(combatant.turn.moved, combatant.sheet, self.system.layout)
        if not dice:
            return parts
        label = phrase("{moved} feet gone", moved=combatant.turn.moved)
        return (*parts, Part("moved", label, self.system.cites["movement"], dice=-dice))
