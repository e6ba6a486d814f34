"""The order within a turn, where a chronicle has wounds move people in it at once."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Command, Event
from rules.model.system import Game
from rules.topics.events import StandingsChanged


@dataclass(frozen=True, slots=True)
class WoundsAtOnce:
    """Whoever's wounds change stands elsewhere in the order of this very turn, by the setting ``wounds_slow_at_once``.

    Without it they do from the next turn on (AP-INIT-3).
    """

    def follows(self, game: Game, command: Command, told: tuple[Event, ...]) -> tuple[Event, ...]:
        """The new standings once a command has changed somebody's wounds."""
        if not game.system.settings["wounds_slow_at_once"]:
            return ()
        part, state = game.system.initiative, game.after(told).state
        scores = part.wounded(game.state, state)
        changed = {who: score for who, score in scores.items() if score != state.initiative[who]}
        return (StandingsChanged(changed, part.moved(state, scores)),) if changed else ()
