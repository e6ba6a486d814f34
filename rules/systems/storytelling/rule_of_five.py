"""The rule of five: nothing but Traits changes a pool by more dice than that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.engine.violations import Referee
from rules.model.plan import Part
from rules.model.system import SystemPart

LIMIT = "five:"
"""Before the key of a part: what takes back what of it is too much."""


@dataclass(frozen=True, slots=True)
class RuleOfFive(SystemPart):
    """One tool, weapon or circumstance counts for ``most`` dice at the most (WD-DICE-5)."""

    most: int = 5

    def limited(self, parts: Iterable[Part], referee: Referee) -> tuple[Part, ...]:
        """The same parts, each but Traits that goes beyond five dice followed by what takes it back (WD-DICE-5).

        Nothing is taken back where the chronicle has no such rule, or the Storyteller waives it; to lift
        it for one modifier its own part (``five:`` and the modifier's key) is struck out.
        """
        kept: list[Part] = []
        for part in parts:
            kept.append(part)
            if abs(part.dice) <= self.most or part.key.startswith(("trait:", "shape:")):
                continue
            if not self.system.settings["rule_of_five"]:
                continue
            within, rule = max(-self.most, min(self.most, part.dice)), self.system.cites["rule_of_five"]
            if not referee.lets(rule, phrase("{label} counts for more than five dice.", label=part.label)):
                label = phrase("Rule of five: {label}", label=part.label)
                kept.append(Part(f"{LIMIT}{part.key}", label, rule, dice=within - part.dice))
        return tuple(kept)
