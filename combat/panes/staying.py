"""What the Storyteller is asked when a fight ends."""

from __future__ import annotations

from rules.model.conditions import Condition
from rules.model.system import Game
from rules.topics.turns.staying import candidates


def may_keep(game: Game) -> dict[str, tuple[Condition, ...]]:
    """The conditions that may stay with each combatant who has a sheet; copies of NPCs follow the rules unasked."""
    return {who: found for who, found in candidates(game).items() if game.state.combatants[who].character}
