"""Being prone: harder to hit at range, easier up close."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.conditions import PRONE
from rules.model.plan import Part
from rules.model.system import Game, Needs
from rules.strike.facets import Facet, Reason, Strike
from rules.systems.storytelling.second_edition.ranges import near
from rules.topics import effects
from rules.topics.commands import TakeAction

NEXT_TO = 1
"""Yards within which being prone does not help against a shot."""


@dataclass(frozen=True, slots=True)
class LyingDown(Facet):
    """A prone target (CD-PRONE-1): two dice fewer at range, two more up close for an attacker who is standing."""

    rule: str

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        if not self._down(strike):
            return ()
        if not strike.weapon.mode.close and not self._above(strike):
            return (Part("target:prone", phrase("prone-from-distance"), self.rule, dice=-2),)
        if PRONE in strike.attacker.conditions:
            return ()
        return (Part("target:prone", phrase("lying-down"), self.rule, dice=2),)

    def sheltered(self, strike: Strike) -> Reason | None:
        above = self._down(strike) and self._above(strike)
        return Reason(self.rule, phrase("a-yard-away")) if above else None

    def _down(self, strike: Strike) -> bool:
        return PRONE in strike.victim.conditions or PRONE in strike.picked

    def _above(self, strike: Strike) -> bool:
        distance = strike.command.distance
        return near(strike) if distance is None else distance <= NEXT_TO


@dataclass(frozen=True, slots=True)
class DropAction:
    """Drop prone, which takes no action (CD-PRONE-1)."""

    rule: str
    label: str = phrase("drop-prone")

    needs: ClassVar[Needs] = Needs(instant=False, spares_action=True)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        if PRONE not in game.state.combatants[by].conditions:
            return None
        return bad_input(phrase("is-already-prone", name=game.state.combatants[by].sheet.name))

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        return effects.marked(game, command.by, frozenset({PRONE}))
