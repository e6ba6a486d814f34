"""What a target answers an attack with where nobody says it: its default, or the best that it can still give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.state import ASK, NO_DEFENCE, Encounter
from rules.odds.attacks import each_answer, least_damage, odds
from rules.strike.attack import plan_answered

if TYPE_CHECKING:
    from rules.model.system import System


def default_answer(
    state: Encounter, attack: Attack, target: str, ruleset: System, waive: frozenset[str] = frozenset()
) -> tuple[str, RuleViolation | None]:
    """The kind of defence that a target gives by itself ("": none), and what forbids its default, where something does.

    A default that cannot be is replaced by the best defence that can. The attack itself must be possible.
    """
    wanted = state.combatants[target].default_defence
    if wanted in (ASK, NO_DEFENCE):
        return "", None
    try:
        plan_answered(state, attack, target, Defence(wanted), ruleset, waive)
    except RuleViolation as why:
        return best_answer(state, attack, target, ruleset, waive), why
    return wanted, None


def best_answer(state: Encounter, attack: Attack, target: str, ruleset: System, waive: frozenset[str]) -> str:
    """The kind of the defence that leaves the least damage on average; "" where none leaves less than none."""
    unanswered = odds(plan_answered(state, attack, target, Defence(), ruleset, waive), state, ruleset)
    answers = {"": unanswered, **dict(each_answer(state, attack, target, ruleset, waive))}
    return least_damage(answers)
