"""Names of the audiences of a fight: the Storytellers, each player, the table."""

from __future__ import annotations

STORYTELLER = "storyteller"
TABLE = "table"
"""Spectators: observers and the wall screen."""

_PLAYER = "player-"


def player_audience(user_id: int) -> str:
    """The audience of one player."""
    return f"{_PLAYER}{user_id}"


def user_of(audience: str) -> int:
    """The user id of a player's audience."""
    return int(audience.removeprefix(_PLAYER))
