"""Pools with penalties for wound level and movement."""

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
    """The feet somebody can move in a round for free (WL-MOVE-1)."""
    return 5 + 5 * layout.dots(sheet, "dexterity")


def dice_for(feet: int, sheet: Sheet, layout: Layout) -> int:
    """The dice that movement costs the round's other actions."""
    return -(-max(0, feet - stride(sheet, layout)) // FEET_PER_DIE)


@dataclass(frozen=True, slots=True)
class WoundPools(PoolRules):
    """Attribute + Ability, less the wound penalty (WL-DMG-5) and movement (WL-MOVE-1)."""

    human_ceiling: int = MOST_DICE

    def hindrances(self, sheet: Sheet, traits: Iterable[str]) -> tuple[Part, ...]:
        """The wound penalty of a pool; armour has none."""
        penalty = self.system.health.hindrance(sheet)
        if not penalty:
            return ()
        label = phrase("wound-level-label", level=wound_level(sheet))
        own = Part("wounds", label, self.system.cites["wounds"], dice=penalty)
        return self.system.in_play.eased(sheet, own)

    def hampering(self, state: Encounter, who: str, traits: Iterable[str]) -> tuple[Part, ...]:
        """Like :meth:`hindrances`, plus the cost of this round's movement."""
        combatant = state.combatants[who]
        parts = self.hindrances(combatant.sheet, traits)
        dice = dice_for(combatant.turn.moved, combatant.sheet, self.system.layout)
        if not dice:
            return parts
        label = phrase("feet-moved", moved=combatant.turn.moved)
        return (*parts, Part("moved", label, self.system.cites["movement"], dice=-dice))
