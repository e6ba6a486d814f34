"""Attacks by and against those who grapple (CD-GRP-2, CD-GRP-8, CD-GRP-10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rules.actions import Needs
from rules.chronicles.strike import Facet, Reason, Strike
from rules.commands import TakeAction
from rules.decisions.desk import Desk
from rules.encounter import Encounter
from rules.events import Event
from rules.grapples import HELD, grapple_of
from rules.manoeuvres import RiseAction
from rules.phrases import phrase
from rules.violations import RuleViolation

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Grappled(Facet):
    """Whoever grapples does nothing else with the turn; a hold costs both their Defense.

    ``within`` is the rule of what is done in a grapple, ``hold`` that of the hold.
    """

    within: str
    hold: str

    def check(self, strike: Strike) -> None:
        if grapple_of(strike.state, strike.command.by) is not None:
            name = strike.sheet.name
            strike.referee.forbid(
                self.within, phrase("{name} is in a grapple: its roll and its moves are all there is.", name=name)
            )

    def defenseless(self, strike: Strike) -> Reason | None:
        grapple = grapple_of(strike.state, strike.target)
        held = HELD in strike.victim.conditions or bool(grapple and grapple.holders)
        return Reason(self.hold, phrase("held in a grapple")) if held else None


@dataclass(frozen=True, slots=True)
class RiseFree:
    """Get up, which takes the turn's action; whoever grapples breaks free first (CD-PRONE-1, CD-GRP-7)."""

    rule: str
    grappled: str
    label: str = phrase("Rise")
    needs: ClassVar[Needs] = Needs(only_in="prone")

    def possible(self, state: Encounter, by: str, ruleset: Ruleset) -> RuleViolation | None:
        """Whether somebody lies down, and nobody holds them there."""
        if grapple_of(state, by) is not None:
            return RuleViolation(self.grappled, phrase("Nobody rises out of a grapple: break free first."))
        return RiseAction(self.rule).possible(state, by, ruleset)

    def decide(self, desk: Desk, command: TakeAction) -> tuple[Event, ...]:
        return RiseAction(self.rule).decide(desk, command)
