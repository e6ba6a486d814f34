"""Actions that a condition keeps its bearer from, though they are able to act.

A condition bars an action by its key, which for attacks is :data:`ATTACK`, for those with some weapons these weapons'
mode, for answers to an attack the defence's key, for powers their source; the others are below.
"""

from __future__ import annotations

from rules.engine.violations import RuleViolation
from rules.model.system import Game

ATTACK = "attack"

AIMED = "aimed"
"""Attacks aimed at a part of the body, or after aiming."""

SPLIT = "split"
"""Several actions in one turn that share a pool."""

AGGRESSIVE = frozenset(
    {
        *(ATTACK, "grapple", "aid_grapple", "disarm", "covering_fire", "human_shield", "surprise", "ambush"),
        *(
            "control_weapon",
            "grapple_damage",
            "grapple_disarm",
            "drop_prone",
            "hold",
            "restrain",
            "take_cover",
            "throw",
            "drink",
        ),
    }
)
"""The actions with which somebody harms or threatens others."""


def picking(circumstance: str) -> str:
    """The key of attacks for which a circumstance is picked, such as a manoeuvre."""
    return f"picking:{circumstance}"


def barred(game: Game, who: str, key: str) -> RuleViolation | None:
    """Why a condition keeps a combatant from an action (CD-BEAT-1); ``None`` if none does.

    A condition that another one suspends has no effect.
    """
    found = game.system.conditions.of(game.state.combatants[who].conditions)
    lifted = {each for condition in found for each in condition.lifts}
    condition = next((each for each in found if key in each.bars and each.key not in lifted), None)
    return None if condition is None else RuleViolation(condition.rule, condition.instead)
