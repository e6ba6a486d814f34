"""Blind and deaf: no Defense, and nothing in a fight succeeds."""

from __future__ import annotations

from dataclasses import dataclass

from rules.chronicles.strike import Facet, Reason, Strike
from rules.encounter import Combatant
from rules.phrases import phrase

SENSELESS = frozenset({"blinded", "deafened"})


@dataclass(frozen=True, slots=True)
class Senseless(Facet):
    """Who neither sees nor hears (CD-COND-1): their attacks fail without a roll."""

    rule: str

    def fails(self, strike: Strike) -> Reason | None:
        return Reason(self.rule, phrase("Blind and deaf: fails")) if _senseless(strike.attacker) else None

    def defenseless(self, strike: Strike) -> Reason | None:
        return Reason(self.rule, phrase("blind and deaf")) if _senseless(strike.victim) else None


def _senseless(combatant: Combatant) -> bool:
    return combatant.conditions >= SENSELESS
