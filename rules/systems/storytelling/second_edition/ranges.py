"""Distances to a target."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.model.modifiers import Band
from rules.model.plan import Part
from rules.strike.facets import Facet, Strike

AT_HAND = 2
"""Yards within which Defense applies to shots."""


def near(strike: Strike) -> bool:
    """Whether attacker and target are within two yards of each other."""
    if strike.weapon.mode.close or "close_quarters" in strike.picked:
        return True
    return strike.command.distance is not None and strike.command.distance <= AT_HAND


@dataclass(frozen=True, slots=True)
class FarOff(Facet):
    """Beyond long range any attack is a chance roll (CD-GUN-5)."""

    rule: str

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        return (Part("beyond", phrase("beyond-long-range-label"), self.rule),) if strike.band is Band.BEYOND else ()

    def chance(self, strike: Strike) -> str:
        return phrase("beyond-long-range") if strike.band is Band.BEYOND else ""
