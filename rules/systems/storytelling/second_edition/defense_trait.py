"""Defense of the second storytelling edition: worn down, withheld, useless against a killing blow."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.model.conditions import SURPRISED, Condition, Lasts, declare
from rules.model.plan import Part
from rules.model.system import System
from rules.model.words import in_words
from rules.strike.active_defence import DEFENSE
from rules.strike.facets import Facet, Reason, Strike
from rules.strike.pipeline import pipeline_of
from rules.systems.storytelling.defense_trait import PassiveDefense, never_helping
from rules.systems.storytelling.second_edition.ranges import near

BOUND = declare(Condition("bound", phrase("tied-up"), mercy=True, lasts=Lasts.STAYS))
WITHHOLD = "withhold_defense"
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
        return never_helping((*self._fresh(victim.sheet), *more, *before))

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
