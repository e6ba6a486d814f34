"""What a target answers an attack with where nobody says it: its default, or the best that it can still give."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from rules.attack import plan_attack
from rules.commands import Attack, Defence
from rules.encounter import ASK, NO_DEFENCE, Encounter
from rules.odds import odds
from rules.violations import RuleViolation

if TYPE_CHECKING:
    from rules.ruleset import Ruleset


def default_answer(
    state: Encounter, attack: Attack, target: str, ruleset: Ruleset, waive: frozenset[str] = frozenset()
) -> tuple[str, RuleViolation | None]:
    """The kind of defence that a target gives by itself ("": none), and what forbids its default, where something does.

    A default that cannot be is replaced by the best defence that can. The attack itself must be possible.
    """
    wanted = state.combatants[target].default_defence
    if wanted in (ASK, NO_DEFENCE):
        return "", None
    try:
        _damage(state, attack, target, wanted, ruleset, waive)
    except RuleViolation as why:
        return best_answer(state, attack, target, ruleset, waive), why
    return wanted, None


def best_answer(
    state: Encounter, attack: Attack, target: str, ruleset: Ruleset, waive: frozenset[str] = frozenset()
) -> str:
    """The kind of the defence that leaves the least damage on average; "" where none leaves less than none."""
    best, least = "", _damage(state, attack, target, "", ruleset, waive)
    for kind in ruleset.attack.defences.kinds:
        try:
            left = _damage(state, attack, target, kind, ruleset, waive)
        except RuleViolation:
            continue
        if left < least:
            best, least = kind, left
    return best


def _damage(
    state: Encounter, attack: Attack, target: str, kind: str, ruleset: Ruleset, waive: frozenset[str]
) -> tuple[Fraction, Fraction]:
    """What a defence leaves of an attack: levels on average, then the chance to be hit; raises where it cannot be."""
    answered = replace(attack, defences={**attack.defences, target: Defence(kind)})
    plan = plan_attack(state, answered, ruleset, waive)
    found = odds(next(each for each in plan.against if each.target == target), state, ruleset)
    return found.expected, found.hit
