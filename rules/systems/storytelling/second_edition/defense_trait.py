"""Defense of the second storytelling edition: worn down, withheld, doubled by dodging."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.conditions import SURPRISED, Condition, declare
from rules.model.plan import Against, Part, dice_of
from rules.model.results import AttackResult
from rules.model.state import Encounter, TurnRecord
from rules.model.system import Game, System
from rules.model.words import in_words
from rules.strike.active_defence import DEFENSE
from rules.strike.facets import Facet, Reason, Strike
from rules.strike.pipeline import pipeline_of
from rules.systems.storytelling.defense_trait import PassiveDefense
from rules.systems.storytelling.second_edition.ranges import near
from rules.topics import effects
from rules.topics.grapples.holds import barred

DODGING = declare(Condition("dodging", "dodging"))
BOUND = declare(Condition("bound", "bound", mercy=True))
WITHHOLD = "withhold_defense"
DODGE = "dodge"
KILLING_BLOW = "killing_blow"


def helpless(system: System, conditions: frozenset[str]) -> str:
    """The condition that leaves somebody at another's mercy, "" for none."""
    return next((each.key for each in system.conditions.of(conditions) if each.helpless), "")


@dataclass(frozen=True, slots=True)
class WornDefense(PassiveDefense):
    """The lower of Dexterity and Wits, less one for each attack it applied to this turn (CD-DEF-1, CD-DEF-4)."""

    def applied(self, strike: Strike) -> tuple[Part, ...]:
        """The parts Defense takes from a strike, with the changes by other facets.

        Together they never add dice to the attack.
        """
        victim, system = strike.victim, strike.system
        before = self._before(victim.turn.defences, system.cites["defense_worn"])
        more = pipeline_of(system.attack).changes_of_defense(strike, self.full(victim.sheet))
        parts = [*self._fresh(victim.sheet), *more, *before]
        beyond = dice_of(parts)
        if beyond > 0:
            last = parts[-1]
            parts[-1] = replace(last, dice=last.dice - beyond)
        return tuple(parts)

    def counts(self, part: Part) -> bool:
        """Whether a part of a pool is applied Defense, including its changes."""
        return part.key.partition(":")[0] == DEFENSE and part.dice < 0


@dataclass(frozen=True, slots=True)
class Defenseless(Facet):
    """Targets without Defense: the bound, unconscious, unaware, and those who gave it up (CD-DEF-2, CD-DEF-5).

    ``rule`` is that of the helpless, ``withheld`` that of withholding Defense, ``surprise`` that of the unaware.
    """

    rule: str
    withheld: str
    surprise: str

    def defenseless(self, strike: Strike) -> Reason | None:
        conditions = strike.victim.conditions
        if SURPRISED in conditions:
            return Reason(self.surprise, in_words(SURPRISED))
        if mercy := helpless(strike.system, conditions):
            return Reason(self.rule, in_words(mercy))
        if strike.victim.turn.exposed:
            return Reason(strike.victim.turn.exposed, phrase("given-up-this-turn"))
        return Reason(self.withheld, phrase("held-back")) if strike.answer == WITHHOLD else None


@dataclass(frozen=True, slots=True)
class AtHand(Facet):
    """Within two yards Defense applies to shots too (CD-ATK-2, CD-DEF-1)."""

    rule: str

    def sheltered(self, strike: Strike) -> Reason | None:
        return Reason(self.rule, phrase("within-two-yards")) if near(strike) else None


@dataclass(frozen=True, slots=True)
class Dodging(Facet):
    """Defense doubled, at the cost of the turn's action (CD-DODGE-1): chosen earlier, or as the answer to this
    attack.
    """

    rule: str

    def defense(self, strike: Strike, full: int) -> tuple[Part, ...]:
        return (Part("defense:dodge", phrase("dodge-label"), self.rule, dice=-full),) if dodges(strike) and full else ()

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
class KillingBlow(Facet):
    """A target at somebody's mercy is hit without a roll, with the full pool as successes (CD-DEF-3)."""

    rule: str

    def check(self, strike: Strike) -> None:
        if KILLING_BLOW not in strike.picked:
            return
        for target in strike.command.at:
            victim = strike.state.combatants[target]
            if not helpless(strike.system, victim.conditions):
                strike.game.referee.forbid(self.rule, phrase("isnt-completely-helpless", name=victim.sheet.name))

    def certain(self, strike: Strike) -> Reason | None:
        return Reason(self.rule, phrase("killing-blow-no-roll")) if KILLING_BLOW in strike.picked else None
