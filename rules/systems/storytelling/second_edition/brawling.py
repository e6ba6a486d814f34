"""Close combat manoeuvres: pulled blow, off hand (CD-MAN-1, CD-MAN-6)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.inputs import Wanted
from rules.engine.phrases import phrase
from rules.model.damage_steps import DamageStage, DamageStep, Effect
from rules.model.gear import Mode
from rules.model.modifiers import ModifierRule, nothing, number
from rules.model.plan import Part
from rules.strike.facets import Facet, Strike
from rules.systems.storytelling.reckless import ALL_OUT, CHARGE, all_out_modifier, charge_modifier
from rules.systems.storytelling.second_edition.injured import AMBIDEXTROUS, OFF_HAND, OFF_HAND_DICE

PULL = "pull_blow"
MOST_DAMAGE = 100


def brawling_modifiers(rules: dict[str, str]) -> tuple[ModifierRule, ...]:
    """The manoeuvres to pick for a blow, each under its rule in ``rules``."""
    return (
        ModifierRule(
            PULL,
            phrase("pulled-blow"),
            rules[PULL],
            nothing,
            wanted=(Wanted("limit", phrase("maximum-damage-of-pulled-blow"), most=MOST_DAMAGE, needed=True),),
            fits=lambda weapon: weapon.mode is Mode.UNARMED,
        ),
        charge_modifier(rules[CHARGE]),
        all_out_modifier(rules[ALL_OUT]),
        ModifierRule(OFF_HAND, phrase("off-hand"), rules[OFF_HAND], nothing),
    )


@dataclass(frozen=True, slots=True)
class PulledBlow(Facet):
    """A blow capped at the damage its striker wants, and easier to defend against (CD-MAN-1)."""

    rule: str

    def check(self, strike: Strike) -> None:
        if PULL not in strike.picked:
            return
        traits = strike.system.attack.traits_of(strike.weapon)
        if "brawl" not in traits:
            strike.game.referee.forbid(self.rule, phrase("only-brawl-attack-can-be-pulled"))
        most, limit = max(map(strike.dots, traits)), self._limit(strike)
        if not 1 <= limit <= most:
            strike.game.referee.forbid(self.rule, phrase("enter-1-to-points-for-pulled-blow", most=most))

    def _limit(self, strike: Strike) -> int:
        return number(strike.picked[PULL], "limit", least=0, most=MOST_DAMAGE)

    def defense(self, strike: Strike, full: int) -> tuple[Part, ...]:
        return (Part("defense:pulled", phrase("pulled-blow"), self.rule, dice=-1),) if PULL in strike.picked else ()

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        if PULL not in strike.picked:
            return ()
        limit = self._limit(strike)
        return (
            DamageStep(
                PULL,
                phrase("pulled-blow-at-most", limit=limit),
                self.rule,
                DamageStage.LIMIT,
                Effect.MOST,
                limit,
            ),
        )


@dataclass(frozen=True, slots=True)
class OffHand(Facet):
    """The off hand's penalty, unless the character is ambidextrous (CD-MAN-6)."""

    rule: str

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        if OFF_HAND not in strike.picked:
            return ()
        lifted = AMBIDEXTROUS in strike.sheet.merits
        label = phrase("off-hand-ambidextrous") if lifted else phrase("off-hand")
        return (Part(OFF_HAND, label, self.rule, dice=OFF_HAND_DICE, struck=lifted),)
