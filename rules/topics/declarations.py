"""Who may know what somebody has declared, as long as there are some who still declare."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.model.state import Encounter, Stage, Status, TurnRecord
from rules.model.system import System


def still_declaring(state: Encounter, ruleset: System) -> bool:
    """Whether the turn is at its declarations: afterwards they are known to all."""
    return _has_declarations(state, ruleset) and state.stage is Stage.INITIATIVE


def _has_declarations(state: Encounter, ruleset: System) -> bool:
    return ruleset.turns.declares and state.ordered and state.status in (Status.RUNNING, Status.PAUSED)


def _seems_declaring(state: Encounter, ruleset: System) -> bool:
    """Whether the turn is at its declarations for those who see none of the hidden: only they have acted."""
    there = (state.combatants.get(who) for visit in state.visited for who in visit.ids)
    seen = (each for each in there if each is not None and not each.hidden)
    return _has_declarations(state, ruleset) and (state.stage is Stage.INITIATIVE or next(seen, None) is None)


def speaking(state: Encounter, who: str, record: TurnRecord, ruleset: System) -> TurnRecord:
    """The record of somebody who says now what they will do, with their place, from 1, among those who declared.

    A changed mind is spoken after all that was said before. Where all declare in any order it hears no more than the
    first words did: who could would look at what the others declared, and change theirs.
    """
    had = state.combatants[who].turn
    if not _seems_declaring(state, ruleset):
        return replace(record, spoke=had.spoke, heard=had.heard)
    place = max(each.turn.spoke for each in state.combatants.values()) + 1
    return replace(record, spoke=place, heard=(had.heard or had.spoke) if ruleset.turns.at_once(ruleset) else 0)


def may_know(state: Encounter, reader: str, who: str, spoke: int, ruleset: System) -> bool:
    """Whether `reader` may know by now what `who` declared as the turn's `spoke`-th.

    Those who are faster see what was declared before (MQ-DECL-1), and they alone: who shares a rank does not, nor who
    has declared already, nor who cannot act. In any order (AP-DECL-1) it is all who declare later. Everything is
    known once nobody declares any more.
    """
    if reader == who or not still_declaring(state, ruleset):
        return True
    places = {one: place for place, rank in enumerate(reversed(state.order)) for one in rank}
    if not {reader, who} <= places.keys() or ruleset.turns.idle(state, reader, ruleset):
        return False
    turn = state.combatants[reader].turn
    own = turn.heard or turn.spoke
    comes_after = ruleset.turns.at_once(ruleset) or places[reader] > places[who]
    return comes_after and (not own or 0 < spoke < own)
