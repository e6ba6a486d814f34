"""Helpers in a grapple (CD-GRP-12, WD-GRP-1)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.plan import Part
from rules.model.system import Aim, Game, Needs
from rules.systems.storytelling.grapples.grip import Grip
from rules.topics import effects
from rules.topics.actions import AlwaysPossible
from rules.topics.commands import TakeAction
from rules.topics.events import HandLent
from rules.topics.grapples.grapple import Hand


@dataclass(frozen=True, slots=True)
class LendHand(AlwaysPossible):
    """Grab somebody another is grappling: your successes count for the helped combatant's next roll."""

    grip: Grip
    setting: str = ""
    label: str = phrase("lend-hand-in-grapple")

    @property
    def needs(self) -> Needs:
        """Against whom."""
        return Needs(Aim.ONE, rolls=True, setting=self.setting)

    @property
    def rule(self) -> str:
        """The rule of this action."""
        return self.grip.hands

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        by, (at,) = command.by, command.at
        used = effects.used(game, by, command.key)
        unskilled = not game.system.layout.dots(game.combatant(by).sheet, "brawl")
        less = (Part("grapple:brawl", phrase("no-brawl"), self.rule, dice=-1),) if unskilled else ()
        plan = self.grip.pool(game, by, ("strength",), less, command.modifiers, self.rule)
        rolled = self.grip.roll(game, by, plan)
        hand = Hand(by, at, rolled.roll.successes)
        return (HandLent(hand, self.rule, rolled), *used)
