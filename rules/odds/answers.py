"""A target's answer to an attack when none is given: its default, or the best still available."""

from __future__ import annotations

from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.state import ASK, NO_DEFENCE
from rules.model.system import Game
from rules.odds.attacks import each_answer, least_damage, odds
from rules.strike.attack import plan_answered


def default_answer(game: Game, attack: Attack, target: str) -> tuple[str, RuleViolation | None]:
    """The kind of defence that a target gives by default ("": none), and the violation that forbids its default, if
    any.

    An impossible default is replaced by the best possible defence. The attack itself must be possible.
    """
    wanted = game.state.combatants[target].default_defence
    if wanted in (ASK, NO_DEFENCE):
        return "", None
    try:
        plan_answered(game, attack, target, Defence(wanted))
    except RuleViolation as why:
        return best_answer(game, attack, target), why
    return wanted, None


def best_answer(game: Game, attack: Attack, target: str) -> str:
    """The kind of defence with the least average damage; "" if none is better than no defence."""
    unanswered = odds(plan_answered(game, attack, target, Defence()), game)
    answers = {"": unanswered, **dict(each_answer(game, attack, target))}
    return least_damage(answers)
