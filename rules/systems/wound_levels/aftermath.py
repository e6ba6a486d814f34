"""What an attack leaves behind besides the injury: a stock that is used up, an aim that is over."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event
from rules.model.attack import Attack
from rules.model.gear import Weapon
from rules.model.results import AttackResult
from rules.model.system import Game
from rules.strike.aftermath import Aftermath
from rules.systems.wound_levels.held_ready import EVADING, LINED_UP
from rules.topics.events import Aimed, EvasionHeld


@dataclass(frozen=True, slots=True)
class WoundAftermath(Aftermath):
    """Evasion that an attack used up (WL-DEF-4); a shot lined up is fired (WL-MOD-3)."""

    def of_attack(self, game: Game, command: Attack, weapon: Weapon, result: AttackResult) -> tuple[Event, ...]:
        """What follows from an attack on one target."""
        told: list[Event] = []
        if result.evaded:
            told.append(EvasionHeld(result.target, EVADING.of(game.combatant(result.target)) - result.evaded))
        if LINED_UP.of(game.combatant(command.by)):
            told.append(Aimed(command.by))
        return tuple(told)
