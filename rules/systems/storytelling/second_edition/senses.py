"""Blind and deaf: no Defense, and every roll in a fight fails."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.model.conditions import BLINDED, Condition, Lasts, condition_of, declare
from rules.model.state import Combatant
from rules.strike.facets import Facet, Reason, Strike
from rules.topics.health.impairments import sides

DEAFENED = declare(Condition("deafened", phrase("deafened"), lasts=Lasts.STAYS))
SENSES = "CD-COND-1"


@dataclass(frozen=True, slots=True)
class Senseless(Facet):
    """The attacks of the blind and deaf fail without a roll (CD-COND-1)."""

    rule: str

    def fails(self, strike: Strike) -> Reason | None:
        return senseless(strike.attacker, self.rule)

    def defenseless(self, strike: Strike) -> Reason | None:
        return Reason(self.rule, phrase("blind-and-deaf")) if _senseless(strike.victim) else None


def senseless(combatant: Combatant, rule: str) -> Reason | None:
    """Why all of somebody's rolls in a fight fail: they can neither see nor hear (CD-COND-1)."""
    return Reason(rule, phrase("blind-and-deaf-fails")) if _senseless(combatant) else None


def _senseless(combatant: Combatant) -> bool:
    """Whether both senses are gone; losing one eye is not enough."""
    conditions = combatant.conditions
    blind = BLINDED in conditions and len(sides(combatant, BLINDED)) != 1
    return DEAFENED in conditions and (blind or condition_of(BLINDED).both in conditions)
