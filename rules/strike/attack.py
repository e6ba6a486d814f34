"""Attack previews for forms: the plan before the dice, and the plan against a chosen defence."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.plan import Against, AttackPlan
from rules.model.points import check_attack
from rules.model.system import Game


def plan_attack(game: Game, command: Attack) -> AttackPlan:
    """Plan an attack before the dice; raises :class:`rules.engine.violations.RuleViolation`."""
    game = game.asking()
    check_attack(game, command)
    return game.system.attack.plan(game, command).plan


def can_attack(game: Game, command: Attack) -> bool:
    """Whether no rule forbids an attack."""
    try:
        plan_attack(game, command)
    except RuleViolation:
        return False
    return True


def plan_answered(game: Game, command: Attack, target: str, defence: Defence) -> Against:
    """Plan an attack against a target who answers with that defence; raises as :func:`plan_attack`."""
    answered = replace(command, defences={**command.defences, target: defence})
    plan = plan_attack(game, answered)
    return next(against for against in plan.against if against.target == target)
