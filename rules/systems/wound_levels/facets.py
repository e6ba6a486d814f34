"""What an attack leaves behind besides the injury: a stock that is used up, an aim that is over."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event
from rules.model.results import AttackResult
from rules.model.system import Game
from rules.strike.facets import Facet, Strike
from rules.systems.wound_levels.held_ready import EVADING, LINED_UP
from rules.topics.events import Aimed, EvasionHeld


@dataclass(frozen=True, slots=True)
class Evading(Facet):
    """An attack uses up what it met of the evasion that its target holds ready (WL-DEF-4)."""

    rule: str

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        return (EvasionHeld(strike.target, EVADING.of(strike.victim) - result.evaded),) if result.evaded else ()


@dataclass(frozen=True, slots=True)
class LinedUp(Facet):
    """A shot that was lined up is fired (WL-MOD-3)."""

    rule: str

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        return (Aimed(strike.command.by),) if LINED_UP.of(strike.attacker) else ()
