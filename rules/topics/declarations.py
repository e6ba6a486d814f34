"""Who may know what somebody has declared, as long as there are some who still declare."""

from __future__ import annotations

from rules.model.ruleset import Ruleset
from rules.model.state import Encounter, Stage, Status


def still_declaring(state: Encounter, ruleset: Ruleset) -> bool:
    """Whether the turn is at its declarations: afterwards they are known to all."""
    begun = state.ordered and state.status in (Status.RUNNING, Status.PAUSED)
    return ruleset.turns.declares and begun and state.stage is Stage.INITIATIVE


def place_of(state: Encounter, who: str, ruleset: Ruleset) -> int:
    """The place, from 1, at which `who` speaks if they say now what they will do; 0 outside of declarations.

    A changed mind is spoken after all that were before. Where all declare in any order it keeps its place: who could
    get a later one would look at what the others declared, and declare anew.
    """
    had = state.combatants[who].turn.spoke
    if not still_declaring(state, ruleset) or (had and ruleset.turns.at_once(ruleset)):
        return had
    return max(each.turn.spoke for each in state.combatants.values()) + 1


def may_know(state: Encounter, reader: str, who: str, spoke: int, ruleset: Ruleset) -> bool:
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
    own = state.combatants[reader].turn.spoke
    comes_after = ruleset.turns.at_once(ruleset) or places[reader] > places[who]
    return comes_after and (not own or 0 < spoke < own)
