"""What the conditions of attacker and target make of an attack, without anybody picking anything.

A system's conditions say it (:class:`rules.model.situations.ConditionRule`), each with its rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.model.plan import Part
from rules.model.situations import ConditionRule
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
        return tuple(
            Part(f"target:{key}", each.label, each.rule, each.dice)
            for key, each in of_target(strike).items()
            if each.dice
        )


@dataclass(frozen=True, slots=True)
class Helpless(Facet):
    """Whoever is helpless is hit without a roll, unless the Storyteller wants one (AP-SIT-7)."""

    def by_itself(self, strike: Strike) -> Certain | None:
        if AUTOMATIC in strike.command.strike:
            return None
        found = next((each for each in of_target(strike).values() if each.helpless), None)
        if found is None:
            return None
        label = phrase("Hits by itself: {label}", label=found.label)
        return Certain(found.rule, label, int(strike.system.settings["automatic_successes"]))


def of_target(strike: Strike) -> Mapping[str, ConditionRule]:
    """What the target's conditions make of pools, those that were picked as a fact of this attack among them."""
    return strike.system.conditions.pools(strike.victim.conditions | strike.picked.keys())
