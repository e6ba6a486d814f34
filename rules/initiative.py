"""Who acts first: scores and the order that follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from rules.dice import Dice, Purpose, Throw
from rules.encounter import Score
from rules.sheet import Sheet

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

Order = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class InitiativeRules:
    """One die and a rating of two Traits (MQ-INIT-1 to MQ-INIT-3).

    ``every_turn`` says that the order lasts for one turn only.
    """

    traits: tuple[str, ...] = ("dexterity", "wits")
    every_turn: bool = True

    def rating(self, sheet: Sheet, ruleset: Ruleset) -> int:
        """The Traits, or a sheet's own figure in their place, less the wound penalty."""
        dots = sum(ruleset.layout.dots(sheet, key) for key in self.traits)
        return sheet.traits.get("initiative", dots) + ruleset.health.hindrance(sheet, ruleset)

    def roll(self, who: str, sheet: Sheet, ruleset: Ruleset, dice: Dice) -> Score:
        """One combatant's initiative for the turn."""
        faces = dice.roll(Throw(Purpose.INITIATIVE, who, 1))
        rating = self.rating(sheet, ruleset)
        return Score(faces, rating, sum(faces) + rating)

    def order(self, scores: Mapping[str, Score]) -> Order:
        """Ranks, first to act first: by total, then by rating; those equal in both share a rank (MQ-INIT-2)."""

        def standing(who: str) -> tuple[int, int]:
            return -scores[who].total, -scores[who].rating

        return tuple(tuple(rank) for _, rank in groupby(sorted(scores, key=standing), standing))
