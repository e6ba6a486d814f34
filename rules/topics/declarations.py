"""Who may know what somebody has declared, as long as there are some who still declare."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.model.state import Stage, Status, TurnRecord
from rules.model.system import Game


def still_declaring(game: Game) -> bool:
    """Whether the turn is at its declarations: afterwards they are known to all."""
    return _has_declarations(game) and game.state.stage is Stage.INITIATIVE


def _has_declarations(game: Game) -> bool:
    return game.system.turns.declares and game.state.ordered and game.state.status in (Status.RUNNING, Status.PAUSED)


def _seems_declaring(game: Game) -> bool:
    """Whether the turn is at its declarations for those who see none of the hidden: only they have acted."""
    there = (game.state.combatants.get(who) for visit in game.state.visited for who in visit.ids)
    seen = (each for each in there if each is not None and not each.hidden)
    return _has_declarations(game) and (game.state.stage is Stage.INITIATIVE or next(seen, None) is None)


def speaking(game: Game, who: str, record: TurnRecord) -> TurnRecord:
    """The record of somebody who says now what they will do, with their place, from 1, among those who declared.

    A changed mind is spoken after all that was said before. Where all declare in any order it hears no more than the
    first words did: who could would look at what the others declared, and change theirs.
    """
    had = game.state.combatants[who].turn
    if not _seems_declaring(game):
        return replace(record, spoke=had.spoke, heard=had.heard)
    place = max(each.turn.spoke for each in game.state.combatants.values()) + 1
    return replace(record, spoke=place, heard=(had.heard or had.spoke) if game.system.turns.at_once() else 0)


def may_know(game: Game, reader: str, who: str, spoke: int) -> bool:
    """Whether `reader` may know by now what `who` declared as the turn's `spoke`-th.

    Those who are faster see what was declared before (MQ-DECL-1), and they alone: who shares a rank does not, nor who
    has declared already, nor who cannot act. In any order (AP-DECL-1) it is all who declare later. Everything is
    known once nobody declares any more.
    """
    if reader == who or not still_declaring(game):
        return True
    places = {one: place for place, rank in enumerate(reversed(game.state.order)) for one in rank}
    if not {reader, who} <= places.keys() or game.system.turns.idle(game.state, reader):
        return False
    turn = game.state.combatants[reader].turn
    own = turn.heard or turn.spoke
    comes_after = game.system.turns.at_once() or places[reader] > places[who]
    return comes_after and (not own or 0 < spoke < own)
