"""Bystanders held as a shield."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.system import Aim, Game, Needs
from rules.topics import effects
from rules.topics.actions import AlwaysPossible
from rules.topics.commands import TakeAction
from rules.topics.events import ShieldHeld, StanceChanged
from rules.topics.firefights.stance import STANCE


@dataclass(frozen=True, slots=True)
class GrabShield(AlwaysPossible):
    """Hold a bystander as a shield against shots (CD-COV-4). Combatants must be grappled for that."""

    rule: str
    label: str = phrase("take-human-shield")
    needs: ClassVar[Needs] = Needs(aim=Aim.ONE)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        combatant, shield = game.able(command.by), command.at[0]
        if shield in game.state.initiative:
            name = game.combatant(shield).sheet.name
            game.referee.forbid(self.rule, phrase("is-fighting-grapple-them-first-then-take", name=name))
        return (
            effects.action(game, command.by, "human_shield"),
            ShieldHeld(command.by, shield, self.rule),
            StanceChanged(command.by, replace(STANCE.of(combatant), shield=shield)),
        )


@dataclass(frozen=True, slots=True)
class ReleaseShield:
    """Let go of a bystander held as a shield."""

    rule: str
    label: str = phrase("let-go-of-shield")
    needs: ClassVar[Needs] = Needs(instant=False)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        return (
            None if STANCE.of(game.state.combatants[by]).shield else bad_input(phrase("nobody-is-being-held-as-shield"))
        )

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        stance = STANCE.of(game.able(command.by))
        return (
            ShieldHeld(command.by, stance.shield, self.rule, let_go=True),
            StanceChanged(command.by, replace(stance, shield="")),
        )
