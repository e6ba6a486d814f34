"""What a turn's record says is left: actions declared, kept for defence, on top of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules.model.state import OPEN_ACTION, Combatant, TurnRecord

FULL_DEFENCE = "full_defence"
"""A declared turn of nothing but defence."""

DEFENSIVE = frozenset({"dodge", "parry", "block", "defence"})
"""Declared actions that happen when they are needed."""

SPEED = "celerity"
"""A declared action that comes on top of the others, with a full pool."""


def moved(record: TurnRecord) -> bool:
    """Whether somebody's own rank is not, or not any more, where they take their first action."""
    return record.delaying or record.acted


def further_actions(combatant: Combatant, speed: str) -> int:
    """How many further actions somebody declared, those on top of the others included."""
    declared = combatant.turn.declaration.actions if combatant.turn.declaration else ()
    fast = declared.count(speed)
    return max(1, len(declared) - fast) + fast - 1


def pick(actions: Sequence[str], key: str, fits: Callable[[str], bool], speed: str) -> str | None:
    """Which of the actions left is used for ``key``: itself, one that ``fits``, an open one, one on top; else none."""
    if key in actions:
        return key
    fitting = [action for action in actions if fits(action) and action not in (speed, OPEN_ACTION)]
    if fitting:
        return fitting[0]
    return next((action for action in (OPEN_ACTION, speed) if action in actions), None)


def without(actions: Sequence[str], used: str) -> tuple[str, ...]:
    """The actions left when one is used."""
    kept = list(actions)
    kept.remove(used)
    return tuple(kept)
