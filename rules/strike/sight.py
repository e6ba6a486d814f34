"""Fighting blind: no shooting, and blows are harder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.model.choices import Figure
from rules.model.conditions import BLINDED
from rules.model.modifiers import RANGED, Circumstances, ModifierRule
from rules.model.plan import Part
from rules.strike.facets import Facet, Strike

BLIND = "fighting_blind"


@dataclass(frozen=True, slots=True)
class BlindFire(Facet):
    """Nobody shoots or throws blind (AP-SIT-2, MQ-POW-5), unless a power sees through what blinds them.

    Being blinded counts in systems in which it changes pools.
    """

    def check(self, strike: Strike) -> None:
        dark = BLIND in strike.picked
        blinded = BLINDED in strike.system.conditions.pools(strike.attacker.conditions)
        lifted = strike.system.in_play.lifted(strike.sheet)
        blind = (dark and BLIND not in lifted) or (blinded and BLINDED not in lifted)
        if blind and strike.weapon.mode in RANGED:
            strike.game.forbid(BLIND, phrase("you-cant-aim-at-what-you"))


def blindly(rule: ModifierRule, figures: Mapping[str, Figure], seen: Circumstances) -> tuple[Part, ...]:
    """The effect of fighting blind; none for somebody already blinded."""
    if BLINDED in seen.conditions:
        label = phrase("already-blinded", label=rule.label)
        return (Part(rule.key, label, rule.rule, difficulty=2, struck=True),)
    return (Part(rule.key, rule.label, rule.rule, difficulty=2),)
