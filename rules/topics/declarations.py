"""Who may know a declaration while others have yet to declare."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.model.state import Stage, Status, TurnRecord
from rules.model.system import Game


def still_declaring(game: Game) -> bool:
    """Whether declarations are still being made; afterwards everyone knows them."""
    return _has_declarations(game) and game.state.stage is Stage.INITIATIVE


def _has_declarations(game: Game) -> bool:
    return game.system.turns.declares and game.state.ordered and game.state.status in (Status.RUNNING, Status.PAUSED)


def _seems_declaring(game: Game) -> bool:
    """As :func:`still_declaring`, for those who see nobody hidden: also true while only the hidden have acted."""
    there = (game.state.combatants.get(who) for visit in game.state.visited for who in visit.ids)
    seen = (each for each in there if each is not None and not each.hidden)
    return _has_declarations(game) and (game.state.stage is Stage.INITIATIVE or next(seen, None) is None)


def speaking(game: Game, who: str, record: TurnRecord) -> TurnRecord:
    """The turn record of a combatant who declares now, with their place (from 1) in the order of declarations.

    A changed declaration takes a new place, after all earlier ones. Where everyone declares in any order, it still
    knows only what the first one could: otherwise one could look at the others' declarations and then change one's own.
    """
    had = game.state.combatants[who].turn
    if not _seems_declaring(game):
        return replace(record, spoke=had.spoke, heard=had.heard)
    place = max(each.turn.spoke for each in game.state.combatants.values()) + 1
    return replace(record, spoke=place, heard=(had.heard or had.spoke) if game.system.turns.at_once() else 0)


def may_know(game: Game, reader: str, who: str, spoke: int) -> bool:
    """Whether `reader` may already know what `who` declared as the `spoke`-th of this turn.

    Only faster combatants know what was declared before them (MQ-DECL-1): not those in the same rank, those who had
    already declared, or those who cannot act. In any order (AP-DECL-1), everyone who declares later knows it. Once
    declarations are over, everything is known.
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
