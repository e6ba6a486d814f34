"""Who reads a log, and how they see the combatants of each row."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from combat.log.happened import Happened
from combat.secrecy.sight import Sight


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader: the Storyteller (`everything`), or the player of the characters `mine`.

    `sealed` holds the tokens of rows with declarations they may not know yet.
    """

    everything: bool = False
    mine: frozenset[str] = frozenset()
    sealed: Container[str] = frozenset()


def sight_in(row: Happened, reader: Reader) -> Sight:
    """How a reader sees a row's combatants and dice."""
    return Sight(row.cast["who"], reader.everything, reader.mine, row.by_player, row.shown)
