"""The extended rolls in progress."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from campaigns.words import said
from combat.panes.possible import told
from combat.panes.views import OpenRoll, Rolls, StorytellerOpenRoll
from combat.secrecy.fight import Fight
from combat.secrecy.sight import Sight
from rules.engine.violations import RuleViolation
from rules.model.state import ExtendedRoll
from rules.topics.rolls.pools import plan_roll


def storyteller_rolls(fight: Fight) -> Rolls:
    """All extended rolls, with the next roll of each."""
    return Rolls(
        tuple(
            StorytellerOpenRoll(
                **_stands(each, fight.state.combatants[each.command.by].sheet.name),
                **_next(fight, each),
                secret=each.command.secret,
            )
            for each in fight.state.extended
        )
    )


def rolls_of(fight: Fight, sight: Sight, own: frozenset[str]) -> Rolls:
    """The extended rolls whose dice the reader sees, with the next roll for their own characters."""
    return Rolls(
        tuple(
            OpenRoll(
                **_stands(each, sight.name(each.command.by), sight.clean),
                **(_next(fight, each, sight.clean) if each.command.by in own else {}),
            )
            for each in fight.state.extended
            if not each.command.secret and sight.rolls_of(each.command.by)
        )
    )


def _stands(roll: ExtendedRoll, name: str, clean: Callable[[str], str] = said) -> dict[str, Any]:
    asked = roll.asked
    return {
        "id": asked.id,
        "name": name,
        "label": clean(roll.command.label),
        "total": roll.total,
        "target": asked.target,
        "made": roll.made,
        "rolls": asked.rolls,
        "interval": clean(asked.interval),
    }


def _next(fight: Fight, roll: ExtendedRoll, clean: Callable[[str], str] = said) -> dict[str, Any]:
    try:
        plan = plan_roll(fight.game, roll.command)
    except RuleViolation as violation:
        return {"mine": True, "refusal": told(violation.refusal, clean)}
    return {"mine": True, "pool": plan.pool, "chance": plan.chance}
