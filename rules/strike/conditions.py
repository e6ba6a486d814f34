"""Effects on an attack of the attacker's and target's conditions, applied automatically.

Each is a system's :class:`rules.model.situations.ConditionRule`, with its rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.model.plan import Part
from rules.model.situations import ConditionRule
from rules.strike.facets import Certain, Facet, Strike

AUTOMATIC = "automatic"
"""Key of the automatic hit; striking it out makes the attack roll as usual."""


@dataclass(frozen=True, slots=True)
class OwnConditions(Facet):
    """The attacker's conditions raise difficulties."""

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        return strike.system.pools.of_conditions(strike.attacker.conditions)


@dataclass(frozen=True, slots=True)
class Openings(Facet):
    """Bonus dice for the attacker from the target's conditions."""

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        return tuple(
            Part(f"target:{key}", each.label, each.rule, each.dice)
            for key, each in of_target(strike).items()
            if each.dice
        )


@dataclass(frozen=True, slots=True)
class Helpless(Facet):
    """Helpless targets are hit without a roll, unless the Storyteller asks for one (AP-SIT-7)."""

    def by_itself(self, strike: Strike) -> Certain | None:
        if AUTOMATIC in strike.command.strike:
            return None
        found = next((each for each in of_target(strike).values() if each.helpless), None)
        if found is None:
            return None
        label = phrase("hits-automatically", label=found.label)
        return Certain(found.rule, label, int(strike.system.settings.get("automatic_successes", 1)))


def of_target(strike: Strike) -> Mapping[str, ConditionRule]:
    """Pool effects of the target's conditions, including those picked as circumstances of this attack."""
    return strike.system.conditions.pools(strike.victim.conditions | strike.picked.keys())
