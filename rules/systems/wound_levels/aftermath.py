"""What an attack leaves behind besides the injury: a stock that is used up, an aim that is over."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event
from rules.model.attack import Attack
from rules.model.gear import Weapon
from rules.model.results import AttackResult
from rules.model.system import Game
from rules.strike.aftermath import Aftermath
from rules.topics.events import Aimed, EvasionHeld


@dataclass(frozen=True, slots=True)
class WoundAftermath(Aftermath):
    """Evasion that an attack used up (WL-DEF-4); a shot lined up is fired (WL-MOD-3)."""

    def of_attack(self, game: Game, command: Attack, weapon: Weapon, result: AttackResult) -> tuple[Event, ...]:
        """What follows from an attack on one target."""
        told: list[Event] = []
        if result.evaded:
            told.append(EvasionHeld(result.target, game.combatant(result.target).evading - result.evaded))
        if game.combatant(command.by).lined_up:
            told.append(Aimed(command.by))
        return tuple(told)
