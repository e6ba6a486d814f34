"""Actions other than attacks: dodge, move, surprise, bleed."""

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
    """Spend the turn's action on dodging (CD-DODGE-1): at any moment before it is used, on anyone's turn."""

    rule: str
    label: str = phrase("dodge-label")
    needs: ClassVar[Needs] = Needs(instant=False)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        combatant = game.state.combatants[by]
        name = combatant.sheet.name
        if DODGING in combatant.conditions:
            return bad_input(phrase("is-already-dodging", name=name))
        if game.state.ordered and not combatant.turn.actions:
            return RuleViolation(self.rule, phrase("has-already-acted-this-turn-and-cant-dodge", name=name))
        if combatant.turn.exposed:
            return RuleViolation(combatant.turn.exposed, phrase("has-given-up-defense-this-turn", name=name))
        return None

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        record = given_to_dodge(game.state, game.combatant(command.by).turn)
        return (TurnRecordChanged(command.by, record), *effects.marked(game, command.by, frozenset({DODGING})))


@dataclass(frozen=True, slots=True)
class WalkAction:
    """Move some yards (CD-MOVE-1): up to Speed before or after the action, or twice that as the whole turn.

    ``distance`` defaults to Speed. Outside turns only the distance is checked.
    """

    rule: str
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
        most = slowed(combatant, speed(combatant.sheet, game.system.layout))
        distance = int(command.figures.get("distance", most))
        gone = distance + (record.moved if game.state.ordered else 0)
        if gone > 2 * most:
            game.referee.forbid(self.rule, phrase("can-run-at-most-yards-in-turn", name=name, yards=2 * most))
        side, runs = side_of(record), gone > most
        if runs:
            game.able(command.by)
        if runs and game.state.ordered:
            if not record.actions:
                game.referee.forbid(
                    self.rule,
                    phrase("has-already-acted-moving-more-than-yards", name=name, most=most),
                )
            else:
                record = effects.action(game, command.by, "move").record
        record = WALKED.put(replace(record, moved=record.moved + distance), side)
        return (Moved(command.by, distance, runs, game.system.unit), TurnRecordChanged(command.by, record))


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
