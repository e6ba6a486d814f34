"""Whose view of a fight somebody gets, by name: the Storytellers', each player's, the table's."""

from __future__ import annotations

STORYTELLER = "storyteller"
TABLE = "table"
"""Those who only watch: observers, and the wall."""

_PLAYER = "player-"


def player_audience(user_id: int) -> str:
    """The audience of one player."""
    return f"{_PLAYER}{user_id}"


def user_of(audience: str) -> int:
    """The id of the player whose audience it is."""
    return int(audience.removeprefix(_PLAYER))
