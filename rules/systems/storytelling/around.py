"""Circumstances of an attack, each capped at the family's limit."""

from __future__ import annotations

from dataclasses import dataclass

from rules.model.modifiers import Circumstances
from rules.model.plan import Part
from rules.strike.facets import Facet, Strike
from rules.systems.storytelling.pools import StorytellingPools


@dataclass(frozen=True, slots=True)
class Around(Facet):
    """All circumstances that apply, picked for the attack or set on the scene (WD-DICE-6)."""

    pools: StorytellingPools

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        if not strike.modifiers:
            return self.pools.limited(self.pools.standing(strike.state, strike.command.by), strike.game.referee)
        best = strike.system.layout.specialties(strike.sheet, strike.system.attack.traits_of(strike.weapon))
        seen = Circumstances(strike.band, conditions=strike.attacker.conditions, specialties=best)
        return self.pools.around(strike.game, strike.command.by, strike.modifiers, seen)
