"""Turns of the second storytelling edition: one instant action, movement, and bleeding."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, replay
from rules.model.conditions import DEAD
from rules.model.gear import Damage
from rules.model.state import Encounter, Visit
from rules.model.system import Game
from rules.systems.storytelling.second_edition.health import BLEEDING, BleedingHealth
from rules.systems.storytelling.second_edition.waking import wakes
from rules.systems.storytelling.turns import StorytellingTurns
from rules.topics.events import Bled, BoxesMarked, RankMoved


@dataclass(frozen=True, slots=True, kw_only=True)
class InstantTurns(StorytellingTurns):
    """Turns of one instant action, by a roster in which waiting costs nothing (CD-TURN-1, CD-INIT-3, CD-HEALTH-3).

    ``final_death`` is the rule of an undead's final death (CD-VAMP-1).
    """

    health: BleedingHealth
    final_death: str
    names_delay: bool = True

    def next_place(self, game: Game) -> tuple[tuple[RankMoved, ...], Visit | None]:
        """The next place of the turn; the waiting act where the Storyteller calls them, or last."""
        return (), self.next_visit(game.state)

    def placed(self, game: Game, who: str) -> tuple[RankMoved, ...]:
        """No change: the waiting keep their rank for the next turn."""
        return ()

    def close(self, game: Game) -> tuple[Event, ...]:
        """End-of-turn effects; the knocked out wake last."""
        told = StorytellingTurns.close(self, game)
        return (*told, *wakes(game.at(replay(game.state, told))))

    def barred_by(self, state: Encounter, who: str, condition: str) -> str:
        """The rule by which a condition prevents acting: the dead and mortals die by different rules."""
        if condition == DEAD and self.system.kind(state.combatants[who].sheet.kind).undead:
            return self.final_death
        return StorytellingTurns.barred_by(self, state, who, condition)

    def _bleeds(self, state: Encounter, who: str) -> tuple[Event, ...]:
        """With every box lethal an untended wound takes another point each turn; before that, as the chronicle says."""
        combatant = state.combatants[who]
        if BLEEDING not in combatant.conditions:
            return ()
        every = int(self.system.settings["bleeding_turns"])
        due = every and (state.turn + 1 - combatant.dying_since) % every == 0
        if not due and not self.health.all_grave(combatant.sheet):
            return ()
        return bled(state, who, self.health)


def bled(state: Encounter, who: str, health: BleedingHealth) -> tuple[Event, ...]:
    """One more point of lethal damage, from time alone."""
    combatant = state.combatants[who]
    sheet = health.inflict(combatant.sheet, 1, Damage.LETHAL)
    now = health.brought(combatant.conditions, combatant.sheet, sheet)
    return (Bled(who, 1), BoxesMarked(who, sheet.marks, now))
