"""What can be done in a turn besides attacks: dodge, move, lie in wait, bleed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from rules.engine.inputs import Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.roll import Resistance, RollTraits
from rules.model.system import Aim, Game, Needs
from rules.systems.shared.manoeuvres import UNAWARES
from rules.systems.storytelling.defense_trait import speed
from rules.systems.storytelling.second_edition.defense_trait import DODGING, given_to_dodge
from rules.systems.storytelling.second_edition.health import BLEEDING, BleedingHealth
from rules.systems.storytelling.second_edition.injured import slowed
from rules.systems.storytelling.second_edition.turns import bled
from rules.systems.storytelling.second_edition.ways import WALKED, gone_already, side_of
from rules.topics import effects
from rules.topics.actions import AlwaysPossible, everybody
from rules.topics.commands import TakeAction
from rules.topics.events import Moved, TurnRecordChanged
from rules.topics.initiative import surprise
from rules.topics.rolls.decide import roll_once


@dataclass(frozen=True, slots=True)
class DodgeAction:
    """Give the turn's action to avoiding harm (CD-DODGE-1): at any moment before it is taken, whoever's turn it is."""

    rule: str
    label: str = phrase("Dodge")
    needs: ClassVar[Needs] = Needs(instant=False)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        combatant = game.state.combatants[by]
        name = combatant.sheet.name
        if DODGING in combatant.conditions:
            return bad_input(phrase("{name} is dodging already.", name=name))
        if game.state.ordered and not combatant.turn.actions:
            return RuleViolation(
                self.rule, phrase("{name} has taken this turn's action already and cannot dodge.", name=name)
            )
        if combatant.turn.exposed:
            return RuleViolation(
                combatant.turn.exposed, phrase("{name} has given up Defense this turn and cannot dodge.", name=name)
            )
        return None

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        record = given_to_dodge(game.state, game.combatant(command.by).turn)
        return (TurnRecordChanged(command.by, record), *effects.marked(game, command.by, frozenset({DODGING})))


@dataclass(frozen=True, slots=True)
class WalkAction:
    """Go some yards (CD-MOVE-1): up to Speed before or after the action, or twice that as the whole turn.

    ``distance`` is left out for all of Speed. Where there are no turns nothing but the distance is looked at.
    """

    rule: str
    label: str = phrase("Move")
    needs: ClassVar[Needs] = Needs(
        figures=(Wanted("distance", phrase("How far"), help=phrase("In yards; Speed when left out.")),),
        instant=False,
        spares_action=True,
    )

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        return gone_already(game.state, by, self.rule)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        combatant = game.combatant(command.by)
        record, name = combatant.turn, combatant.sheet.name
        most = slowed(combatant, speed(combatant.sheet, game.system.layout))
        distance = int(command.figures.get("distance", most))
        gone = distance + (record.moved if game.state.ordered else 0)
        if gone > 2 * most:
            game.referee.forbid(self.rule, phrase("{name} runs {yards} yards in a turn.", name=name, yards=2 * most))
        side, runs = side_of(record), gone > most
        if runs:
            game.able(command.by)
        if runs and game.state.ordered:
            if not record.actions:
                game.referee.forbid(
                    self.rule,
                    phrase("{name} has acted: beyond {most} yards is a turn of its own.", name=name, most=most),
                )
            else:
                record = effects.action(game, command.by, "move").record
        record = WALKED.put(replace(record, moved=record.moved + distance), side)
        return (Moved(command.by, distance, runs, game.system.unit), TurnRecordChanged(command.by, record))


@dataclass(frozen=True, slots=True)
class SurpriseAction(AlwaysPossible):
    """Come upon somebody unawares (CD-SURP-1): Dexterity + Stealth against Wits + Composure."""

    rule: str
    label: str = phrase("Surprise")
    needs: ClassVar[Needs] = UNAWARES

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        (at,) = command.at
        if at in game.state.initiative:
            name = game.combatant(at).sheet.name
            game.referee.forbid(self.rule, phrase("{name} is in the fight already and cannot be surprised.", name=name))
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
    """The time has come at which an untended wound bleeds on (CD-HEALTH-3); the Storyteller says when."""

    rule: str
    health: BleedingHealth
    label: str = phrase("Bleed on")
    needs: ClassVar[Needs] = Needs(Aim.ANYBODY, everybody, instant=False, storytellers=True)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        who = next(iter(command.at), command.by)
        combatant = game.combatant(who)
        if BLEEDING not in combatant.conditions:
            game.referee.forbid(self.rule, phrase("{name} is not bleeding.", name=combatant.sheet.name))
        return bled(game.state, who, self.health)
