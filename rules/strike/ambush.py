"""Ambushes: a free first strike with bonus dice, unanswerable unless the target saw it coming."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.choices import Defence, Figure
from rules.model.modifiers import Circumstances, ModifierRule
from rules.model.plan import Part
from rules.strike.facets import Strike
from rules.strike.turns import TakesAction

AMBUSH = "ambush"


@dataclass(frozen=True, slots=True)
class Ambushing(TakesAction):
    """A won ambush: the attack is free, uses the ambush up, adds dice and limits the answers (AP-SIT-1).

    Any other attack takes an action.
    """

    rule: str

    def readied(self, strike: Strike) -> Strike:
        record = strike.record
        if record.ambush is None or record.ambush.target not in strike.command.at:
            return TakesAction.readied(self, strike)
        return replace(strike, record=replace(record, ambush=None), used=strike.system.turns.fast)

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        ambush = strike.attacker.turn.ambush
        if ambush is None or ambush.target not in strike.command.at or not ambush.dice:
            return ()
        return (Part("ambushed", phrase("ambush"), self.rule, dice=ambush.dice),)

    def check_answer(self, strike: Strike, defence: Defence) -> None:
        ambush = strike.attacker.turn.ambush
        picked = (
            AMBUSH in strike.picked or strike.system.circumstances.figures_of(defence.modifiers, AMBUSH) is not None
        )
        if picked or (ambush is not None and ambush.target == strike.target and not ambush.seen):
            name = strike.victim.sheet.name
            strike.game.referee.forbid(self.rule, phrase("doesnt-see-ambush-coming", name=name))


def from_ambush(rule: ModifierRule, figures: Mapping[str, Figure], seen: Circumstances) -> tuple[Part, ...]:
    """The effect of an ambush picked as a circumstance: its bonus dice."""
    dice = figures.get("dice", 0)
    if isinstance(dice, bool) or not isinstance(dice, int) or not 0 <= dice <= 20:
        raise bad_input(phrase("ambush-adds-0-to-20-dice"))
    return (Part(rule.key, rule.label, rule.rule, dice=dice),) if dice else ()
