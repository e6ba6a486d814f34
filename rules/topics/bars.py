"""Actions that a condition keeps its bearer from, though they are able to act."""

from __future__ import annotations

from rules.engine.violations import RuleViolation
from rules.model.system import Game


def barred(game: Game, who: str, key: str) -> RuleViolation | None:
    """Why a condition keeps a combatant from an action (CD-BEAT-1); ``None`` if none does.

    "attack" is the key of attacks. A condition whose house rule is off, or that another one suspends, has no effect.
    """
    found = game.system.conditions.of(game.state.combatants[who].conditions)
    lifted = {each for condition in found for each in condition.lifts}
    barring = (each for each in found if key in each.bars and each.key not in lifted)
    condition = next((each for each in barring if game.system.plays(each.setting)), None)
    return None if condition is None else RuleViolation(condition.rule, condition.instead)
