"""Which actions a turn's record has left: declared, kept for defence, extra."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rules.model.state import OPEN_ACTION, Combatant, TurnRecord

FULL_DEFENCE = "full_defence"
"""A declared turn of full defence."""

DEFENSIVE = frozenset({"dodge", "parry", "block", "defence"})
"""Declared actions that are taken when needed."""

SPEED = "celerity"
"""A declared extra action with a full pool."""


def moved(record: TurnRecord) -> bool:
    """Whether a combatant's first action does not, or no longer, happen at their own rank."""
    return record.delaying or record.acted


def further_actions(combatant: Combatant, speed: str) -> int:
    """How many further actions a combatant declared, including extra ones."""
    declared = combatant.turn.declaration.actions if combatant.turn.declaration else ()
    fast = declared.count(speed)
    return max(1, len(declared) - fast) + fast - 1


def pick(actions: Sequence[str], key: str, fits: Callable[[str], bool], speed: str) -> str | None:
    """The action left that is used for ``key``: itself, one that ``fits``, an open one or an extra one, else None."""
    if key in actions:
        return key
    fitting = [action for action in actions if fits(action) and action not in (speed, OPEN_ACTION)]
    if fitting:
        return fitting[0]
    return next((action for action in (OPEN_ACTION, speed) if action in actions), None)


def without(actions: Sequence[str], used: str) -> tuple[str, ...]:
    """The actions left after one is used."""
    kept = list(actions)
    kept.remove(used)
    return tuple(kept)
