"""Initiative of the second storytelling edition: weapons and wounds lower it, Dexterity breaks ties."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.model.sheet import Sheet
from rules.model.state import Score
from rules.model.system import Game
from rules.systems.storytelling.initiative import StorytellingInitiative


@dataclass(frozen=True, slots=True)
class WeightedInitiative(StorytellingInitiative):
    """One die plus Dexterity + Composure, modified by drawn weapon and wounds, rolled once (CD-INIT-1, CD-INIT-2,
    CD-HEALTH-4).
    """

    surprised_roll: bool = True

    def unhurt(self, sheet: Sheet) -> int:
        """The Traits, or a sheet's explicit value, with the slowest weapon in hand."""
        weapon = slowest(sheet) if self.system.settings["weapon_slows_initiative"] else 0
        return StorytellingInitiative.unhurt(self, sheet) + weapon

    def wounds(self, sheet: Sheet) -> int:
        """The wound penalty, in chronicles in which it slows."""
        return self.system.health.hindrance(sheet) if self.system.settings["wounds_slow_initiative"] else 0

    def _roll(self, game: Game, who: str) -> Score:
        score = StorytellingInitiative._roll(self, game, who)
        return replace(score, second=self.system.layout.dots(game.state.combatants[who].sheet, "dexterity"))


def slowest(sheet: Sheet) -> int:
    """The worst Initiative modifier of the weapons in hand."""
    held = (weapon for weapon in sheet.weapons if weapon.in_hand)
    return min((weapon.initiative for weapon in held), default=0)
