"""Actions other than attacks: surprise, bleed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.roll import Resistance, RollTraits
from rules.model.system import Aim, Game, Needs
from rules.systems.shared.manoeuvres import UNAWARES
from rules.systems.storytelling.second_edition.health import BLEEDING, BleedingHealth
from rules.systems.storytelling.second_edition.turns import bled
from rules.topics.actions import AlwaysPossible, everybody
from rules.topics.commands import TakeAction
from rules.topics.initiative import surprise
from rules.topics.rolls.decide import roll_once


@dataclass(frozen=True, slots=True)
class SurpriseAction(AlwaysPossible):
    """Surprise somebody (CD-SURP-1): Dexterity + Stealth against Wits + Composure."""

    rule: str
    label: str = phrase("surprise")
    needs: ClassVar[Needs] = UNAWARES

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        (at,) = command.at
        if at in game.state.initiative:
            name = game.combatant(at).sheet.name
            game.referee.forbid(self.rule, phrase("is-already-in-fight-and-cant-be-surprised", name=name))
        roll = RollTraits(
            command.by,
            ("dexterity", "stealth"),
            modifiers=command.modifiers,
            resisted=Resistance(at, ("wits", "composure")),
            label=self.label,
            secret=bool(command.figures.get("secret")),
        )
        told = roll_once(game, roll)
        return (told, *surprise.caught(game, (at,))) if (told.margin or 0) > 0 else (told,)


@dataclass(frozen=True, slots=True)
class BleedAction(AlwaysPossible):
    """An untended wound bleeds (CD-HEALTH-3), when the Storyteller says the time has passed."""

    rule: str
    health: BleedingHealth
    label: str = phrase("bleed-on")
    needs: ClassVar[Needs] = Needs(Aim.ANYBODY, everybody, instant=False, storytellers=True)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        who = next(iter(command.at), command.by)
        combatant = game.combatant(who)
        if BLEEDING not in combatant.conditions:
            game.referee.forbid(self.rule, phrase("isnt-bleeding", name=combatant.sheet.name))
        return bled(game.state, who, self.health)
