"""The rule of five: nothing but Traits changes a pool by more than five dice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.engine.violations import Referee
from rules.model.plan import Part
from rules.model.system import SystemPart

LIMIT = "five:"
"""Key prefix of the part that cancels a modifier's excess."""


@dataclass(frozen=True, slots=True)
class RuleOfFive(SystemPart):
    """One tool, weapon or circumstance counts for at most ``most`` dice (WD-DICE-5)."""

    most: int = 5

    def limited(self, parts: Iterable[Part], referee: Referee) -> tuple[Part, ...]:
        """The same parts, each non-Trait part above five dice followed by one that cancels the excess (WD-DICE-5).

        Nothing is cancelled if the chronicle does not use the rule or the Storyteller waives it; to lift it for one
        modifier, strike out its ``five:`` part.
        """
        kept: list[Part] = []
        for part in parts:
            kept.append(part)
            if abs(part.dice) <= self.most or part.key.startswith(("trait:", "shape:")):
                continue
            if not self.system.settings["rule_of_five"]:
                continue
            within, rule = max(-self.most, min(self.most, part.dice)), self.system.cites["rule_of_five"]
            if not referee.lets(rule, phrase("counts-for-more-than-five-dice", label=part.label)):
                label = phrase("rule-of-five-label", label=part.label)
                kept.append(Part(f"{LIMIT}{part.key}", label, rule, dice=within - part.dice))
        return tuple(kept)
