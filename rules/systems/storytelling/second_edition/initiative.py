"""Initiative of the second storytelling edition: weapons and wounds slow, Dexterity breaks ties."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rules.engine.dice import Dice
from rules.model.gear import GONE
from rules.model.sheet import Sheet
from rules.model.state import Encounter, Score
from rules.systems.storytelling.initiative import StorytellingInitiative

if TYPE_CHECKING:
    from rules.model.system import System


@dataclass(frozen=True, slots=True)
class WeightedInitiative(StorytellingInitiative):
    """One die, Dexterity + Composure, the drawn weapon and the wounds, once (CD-INIT-1, CD-INIT-2, CD-HEALTH-4)."""

    surprised_roll: bool = True

    def rating(self, sheet: Sheet, ruleset: System) -> int:
        """The Traits, or a sheet's own figure in their place, with the slowest weapon in hand and the wounds."""
        settings = ruleset.settings
        rating = self.unhurt(sheet, ruleset)
        if settings["weapon_slows_initiative"]:
            rating += slowest(sheet)
        if settings["wounds_slow_initiative"]:
            rating += ruleset.health.hindrance(sheet, ruleset)
        return rating

    def _roll(self, state: Encounter, who: str, ruleset: System, dice: Dice) -> Score:
        score = StorytellingInitiative._roll(self, state, who, ruleset, dice)
        return replace(score, second=ruleset.layout.dots(state.combatants[who].sheet, "dexterity"))


def slowest(sheet: Sheet) -> int:
    """The Initiative modifier of what is drawn: the worst, of several; nothing of what was lost."""
    drawn = (weapon for weapon in sheet.weapons if weapon.in_hand and weapon.fault not in GONE)
    return min((weapon.initiative for weapon in drawn), default=0)
