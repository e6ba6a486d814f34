"""What the conditions of attacker and target make of an attack, without anybody picking anything.

A system lists the conditions that matter (:class:`rules.model.situations.ConditionRule`), each with its rule.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.model.plan import Part
from rules.strike.facets import Certain, Facet, Strike

AUTOMATIC = "automatic"
"""The part of an attack that hits without a roll; struck out, the attack is rolled all the same."""


@dataclass(frozen=True, slots=True)
class OwnConditions(Facet):
    """The attacker's conditions make everything harder."""

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        return strike.system.pools.of_conditions(strike.attacker.conditions)


@dataclass(frozen=True, slots=True)
class Openings(Facet):
    """Dice that the target's conditions give the attacker."""

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        theirs, known = of_target(strike), strike.system.conditions
        return tuple(
            Part(f"target:{key}", each.label, each.rule, each.dice)
            for key, each in known.items()
            if each.dice and key in theirs
        )


@dataclass(frozen=True, slots=True)
class Helpless(Facet):
    """Whoever is helpless is hit without a roll, unless the Storyteller wants one (AP-SIT-7)."""

    def by_itself(self, strike: Strike) -> Certain | None:
        if AUTOMATIC in strike.command.strike:
            return None
        theirs, known = of_target(strike), strike.system.conditions
        found = next((each for key, each in known.items() if each.helpless and key in theirs), None)
        if found is None:
            return None
        label = phrase("Hits by itself: {label}", label=found.label)
        return Certain(found.rule, label, int(strike.system.settings["automatic_successes"]))


def of_target(strike: Strike) -> frozenset[str]:
    """The target's conditions, those that were picked as a fact of this attack among them."""
    return strike.victim.conditions | (strike.picked.keys() & strike.system.conditions.keys())
