"""Turns of the second storytelling edition: one instant action, a move, and wounds that bleed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.engine.dice import Dice
from rules.engine.messages import Event, replay
from rules.model.gear import Damage
from rules.model.state import SURPRISED, Encounter, Visit
from rules.systems.storytelling.second_edition.defense_trait import DODGING
from rules.systems.storytelling.second_edition.health import BLEEDING, BleedingHealth
from rules.systems.storytelling.second_edition.injured import STUNNED
from rules.systems.storytelling.second_edition.waking import wakes
from rules.systems.storytelling.turns import StorytellingTurns
from rules.topics.events import Bled, BoxesMarked, RankMoved

if TYPE_CHECKING:
    from rules.model.system import System


@dataclass(frozen=True, slots=True, kw_only=True)
class InstantTurns(StorytellingTurns):
    """Turns of one instant action, down a roster in which waiting costs nothing (CD-TURN-1, CD-INIT-3, CD-HEALTH-3).

    ``final_death`` is the rule by which the undead are dead for good (CD-VAMP-1).
    """

    health: BleedingHealth
    final_death: str
    passing: frozenset[str] = frozenset({SURPRISED, DODGING})
    sparing: frozenset[str] = frozenset({SURPRISED, STUNNED})

    def next_place(self, state: Encounter, ruleset: System, dice: Dice) -> tuple[tuple[RankMoved, ...], Visit | None]:
        """The next place of the turn; whoever waits is where the Storyteller sets them off, or last."""
        return (), self.next_visit(state, ruleset)

    def placed(self, state: Encounter, who: str, ruleset: System, dice: Dice) -> tuple[RankMoved, ...]:
        """Nothing: who waited has the same rank in the turn to come."""
        return ()

    def close(self, state: Encounter, ruleset: System, dice: Dice) -> tuple[Event, ...]:
        """What the end of a turn brings; last of all those who were knocked out come to."""
        told = StorytellingTurns.close(self, state, ruleset, dice)
        return (*told, *wakes(replay(state, told), ruleset))

    def barred_by(self, state: Encounter, who: str, condition: str, ruleset: System) -> str:
        """The rule by which somebody does not act in a condition: the dead die by another one than mortals."""
        if condition == "dead" and ruleset.kind(state.combatants[who].sheet.kind).undead:
            return self.final_death
        return StorytellingTurns.barred_by(self, state, who, condition, ruleset)

    def _bleeds(self, state: Encounter, who: str, ruleset: System) -> tuple[Event, ...]:
        """With every box lethal a wound that nobody tends takes one more each turn; before, as the chronicle says."""
        combatant = state.combatants[who]
        if BLEEDING not in combatant.conditions:
            return ()
        every = int(ruleset.settings["bleeding_turns"])
        due = every and (state.turn + 1 - combatant.dying_since) % every == 0
        if not due and not self.health.all_grave(combatant.sheet, ruleset):
            return ()
        return bled(state, who, self.health, ruleset)


def bled(state: Encounter, who: str, health: BleedingHealth, ruleset: System) -> tuple[Event, ...]:
    """One more point of lethal damage, for nothing but time."""
    combatant = state.combatants[who]
    sheet = health.inflict(combatant.sheet, 1, Damage.LETHAL, ruleset)
    now = health.brought(combatant.conditions, combatant.sheet, sheet, ruleset)
    return (Bled(who, 1), BoxesMarked(who, sheet.marks, now))
