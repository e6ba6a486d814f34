"""Attacks by and against those who grapple (CD-GRP-2, CD-GRP-8, CD-GRP-10)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.model.conditions import HELD
from rules.strike.facets import Facet, Reason, Strike
from rules.topics.grapples.holds import grapple_of


@dataclass(frozen=True, slots=True)
class Grappled(Facet):
    """Grapplers do nothing else with the turn; in a hold neither has Defense.

    ``within`` is the rule of actions in a grapple, ``hold`` that of the hold; both a house rule's, if it has a
    ``setting``.
    """

    within: str
    hold: str
    setting: str = ""

    def check(self, strike: Strike) -> None:
        if grapple_of(strike.state, strike.command.by) is not None:
            name = strike.sheet.name
            strike.game.referee.forbid(self.within, phrase("is-in-grapple-and-can-only-make", name=name))

    def defenseless(self, strike: Strike) -> Reason | None:
        if not strike.system.plays(self.setting):
            return None
        grapple = grapple_of(strike.state, strike.target)
        held = HELD in strike.victim.conditions or bool(grapple and grapple.holders)
        return Reason(self.hold, phrase("held-in-grapple")) if held else None
