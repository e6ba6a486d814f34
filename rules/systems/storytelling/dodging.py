"""Dodging in the storytelling family: Defense doubled, for the turn's action (CD-DODGE-1, WD-DODGE-1)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.choices import DefenceRule
from rules.model.conditions import Condition, declare
from rules.model.plan import Against, Part
from rules.model.results import AttackResult
from rules.model.state import Encounter, TurnRecord
from rules.model.system import Game, Needs, Serves
from rules.strike.facets import Facet, Strike
from rules.topics import effects
from rules.topics.commands import TakeAction
from rules.topics.events import TurnRecordChanged
from rules.topics.grapples.holds import barred

DODGING = declare(Condition("dodging", phrase("dodging")))
DODGE = "dodge"


def dodge_rule(rule: str, setting: str = "") -> DefenceRule:
    """Dodging as the answer to an attack."""
    return DefenceRule(DODGE, phrase("dodge-label"), ("dexterity", "wits"), rule, setting=setting)


@dataclass(frozen=True, slots=True)
class Dodging(Facet):
    """Defense doubled: chosen earlier, or as the answer to this attack. A house rule's, if it has a ``setting``."""

    rule: str
    setting: str = ""

    def defense(self, strike: Strike, full: int) -> tuple[Part, ...]:
        if not full or not strike.system.plays(self.setting) or not dodges(strike):
            return ()
        return (Part("defense:dodge", phrase("dodge-label"), self.rule, dice=-full),)

    def answered(self, strike: Strike, against: Against, record: TurnRecord) -> TurnRecord:
        if strike.answer != DODGE or DODGING in strike.victim.conditions:
            return record
        strike.system.turns.check_able(strike.game, strike.target)
        strike.game.referee.uphold(barred(strike.game, strike.target, DODGE))
        if strike.state.ordered and not record.actions:
            name = strike.victim.sheet.name
            strike.game.referee.forbid(self.rule, phrase("has-already-acted-this-turn-and-cant-dodge", name=name))
        return given_to_dodge(strike.state, record)

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        return effects.marked(game, strike.target, frozenset({DODGING})) if result.defence_kind == DODGE else ()


def dodges(strike: Strike) -> bool:
    """Whether the target is dodging this turn, or starts now."""
    return strike.answer == DODGE or DODGING in strike.victim.conditions


def given_to_dodge(state: Encounter, record: TurnRecord) -> TurnRecord:
    """A turn whose action is spent on dodging."""
    left = () if state.ordered else record.actions
    return replace(record, acted=True, actions=left, delaying=False, deeds=record.deeds + 1)


@dataclass(frozen=True, slots=True)
class DodgeAction:
    """Spend the turn's action on dodging: at any moment before it is used, on anyone's turn."""

    rule: str
    setting: str = ""
    label: str = phrase("dodge-label")

    @property
    def needs(self) -> Needs:
        """Nothing; possible on anyone's turn."""
        return Needs(instant=False, setting=self.setting, serves=Serves.DEFENCE)

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
