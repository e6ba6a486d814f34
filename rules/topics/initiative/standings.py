"""Changes to the order within a turn, in chronicles where wounds count at once."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Command, Event
from rules.model.system import Game
from rules.topics.events import StandingsChanged


@dataclass(frozen=True, slots=True)
class WoundsAtOnce:
    """Moves combatants in the current turn's order as their wounds change, with the setting ``wounds_slow_at_once``.

    Without it, they move from the next turn on (AP-INIT-3).
    """

    def follows(self, game: Game, command: Command, told: tuple[Event, ...]) -> tuple[Event, ...]:
        """The new standings after a command that changed wounds."""
        if not game.system.settings["wounds_slow_at_once"]:
            return ()
        part, state = game.system.initiative, game.after(told).state
        scores = part.wounded(game.state, state)
        changed = {who: score for who, score in scores.items() if score != state.initiative[who]}
        return (StandingsChanged(changed, part.moved(state, scores)),) if changed else ()
