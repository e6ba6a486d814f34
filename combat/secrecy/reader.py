"""Who reads a log, and how they see the people of each row."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

from combat.log.happened import Happened
from combat.secrecy.sight import Sight


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: the Storyteller (`everything`), or somebody who plays the characters `mine`.

    `sealed` are the tokens of rows with declarations that they may not know yet.
    """

    everything: bool = False
    mine: frozenset[str] = frozenset()
    sealed: Container[str] = frozenset()


def sight_in(row: Happened, reader: Reader) -> Sight:
    """How a reader sees the people of a row and its dice."""
    return Sight(row.cast["who"], reader.everything, reader.mine, row.by_player, row.shown)
