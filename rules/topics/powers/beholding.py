"""Whom powers keep others from attacking: somebody unseen, and somebody who has beguiled the attacker."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation
from rules.model.conditions import Condition, declare
from rules.model.power_effects import Does
from rules.model.system import Game

UNSEEN = declare(Condition("unseen", phrase("unseen"), ruled=True))
BEGUILED = declare(Condition("beguiled", phrase("beguiled"), ruled=True))


def unseen(game: Game, by: str, at: str) -> RuleViolation | None:
    """Why ``by`` can't aim at ``at``: nobody sees them, and no power of ``by`` sees through that.

    The higher amount of the two powers counts. Systems without a rule on being unseen only note it.
    """
    watcher, other = game.state.combatants[by], game.state.combatants[at]
    rule = game.system.conditions[UNSEEN].rule
    if not rule or UNSEEN not in other.conditions:
        return None
    in_play = game.system.in_play
    hiding = (each.amount for _one, each in in_play.effects(other.sheet, Does.CONDITION) if each.condition == UNSEEN)
    seeing = (each.amount for _one, each in in_play.effects(watcher.sheet, Does.SIGHT) if UNSEEN in each.lifts)
    if max(seeing, default=0) > max(hiding, default=0):
        return None
    return RuleViolation(rule, phrase("cant-see", watcher=watcher.sheet.name, name=other.sheet.name))


def beguiled(game: Game, by: str, at: str) -> RuleViolation | None:
    """Why ``by`` doesn't attack ``at``, who has beguiled them."""
    combatant, name = game.state.combatants[by], game.state.combatants[at].sheet.name
    for one in combatant.sheet.powers:
        if one.by == at and BEGUILED in one.conditions:
            return RuleViolation(one.rule, phrase("wont-attack", who=combatant.sheet.name, name=name))
    return None
