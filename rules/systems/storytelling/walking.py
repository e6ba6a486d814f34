"""Moving some yards, alongside an action or in its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from rules.engine.inputs import Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation
from rules.model.state import Combatant
from rules.model.system import Game, Needs
from rules.systems.storytelling.defense_trait import speed
from rules.systems.storytelling.ways import WALKED, gone_already, side_of
from rules.topics import effects
from rules.topics.commands import TakeAction
from rules.topics.events import Moved, TurnRecordChanged


def sound(combatant: Combatant, yards: int) -> int:
    """Speed where no injury slows."""
    return yards


@dataclass(frozen=True, slots=True)
class WalkAction:
    """Move some yards (CD-MOVE-1, WD-MOVE-1): up to Speed before or after the action, or twice that as the whole turn.

    ``distance`` defaults to Speed, which injuries may have ``slowed``. Outside turns only the distance is checked.
    """

    rule: str
    slowed: Callable[[Combatant, int], int] = sound
    label: str = phrase("move-label")
    needs: ClassVar[Needs] = Needs(
        figures=(Wanted("distance", phrase("distance"), help=phrase("in-yards-if-empty-their-speed")),),
        instant=False,
        spares_action=True,
    )

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        return gone_already(game.state, by, self.rule)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        combatant = game.combatant(command.by)
        record, name = combatant.turn, combatant.sheet.name
        most = self.slowed(combatant, speed(combatant.sheet, game.system.layout))
        distance = int(command.figures.get("distance", most))
        gone = distance + (record.moved if game.state.ordered else 0)
        if gone > 2 * most:
            game.referee.forbid(self.rule, phrase("can-run-at-most-yards-in-turn", name=name, yards=2 * most))
        side, runs = side_of(record), gone > most
        if runs:
            game.able(command.by)
        placed: tuple[Event, ...] = ()
        if runs and game.state.ordered:
            if record.holding:
                game.forbid("hold_over", phrase("gave-up-action-and-moves-at-most-yards", name=name, most=most))
            elif not record.actions:
                game.referee.forbid(self.rule, phrase("has-already-acted-moving-more-than-yards", name=name, most=most))
            else:
                record = effects.action(game, command.by, "move").record
                placed = effects.placed(game, command.by)
        record = WALKED.put(replace(record, moved=record.moved + distance), side)
        moved = Moved(command.by, distance, runs, game.system.unit)
        return (moved, TurnRecordChanged(command.by, record), *placed)
