"""The way that somebody goes beside an action: before it or after it, never both."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.engine.slots import Slot
from rules.engine.violations import RuleViolation
from rules.model.state import Encounter, TurnRecord

BEFORE, AFTER = "before", "after"

WALKED = Slot(TurnRecord, "walked", str, "")
"""On which side of the action the way lay that was gone this turn, "" where none was."""


def side_of(record: TurnRecord) -> str:
    """On which side of the action a way lies that is gone now."""
    return AFTER if record.acted else BEFORE


def gone_already(state: Encounter, who: str, rule: str) -> RuleViolation | None:
    """Why somebody goes no further, where there are turns: they went on the other side of the action (CD-MOVE-1)."""
    record, name = state.combatants[who].turn, state.combatants[who].sheet.name
    if not state.ordered or WALKED.of(record) in ("", side_of(record)):
        return None
    return RuleViolation(rule, phrase("{name} moves before the action or after it, not both.", name=name))
