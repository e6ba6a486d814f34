"""Movement alongside an action: before it or after it, never both."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.engine.slots import Slot
from rules.engine.violations import RuleViolation
from rules.model.state import Encounter, TurnRecord

BEFORE, AFTER = "before", "after"

WALKED = Slot(TurnRecord, "walked", str, "")
"""The side of the action on which this turn's movement was, "" for none."""


def side_of(record: TurnRecord) -> str:
    """The side of the action on which a move made now is."""
    return AFTER if record.acted else BEFORE


def gone_already(state: Encounter, who: str, rule: str) -> RuleViolation | None:
    """Why somebody cannot move further, in turns: they have moved on the other side of the action (CD-MOVE-1,
    WD-MOVE-1)."""
    record, name = state.combatants[who].turn, state.combatants[who].sheet.name
    if not state.ordered or WALKED.of(record) in ("", side_of(record)):
        return None
    return RuleViolation(rule, phrase("can-move-before-or-after-action", name=name))
