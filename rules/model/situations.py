"""What a condition makes of pools."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConditionRule:
    """A condition that changes pools.

    ``own`` is what it adds to the difficulty of every action of whoever has it, ``dice`` to attacks against them.
    Whoever is ``helpless`` is hit without a roll. ``cover`` is its degree of cover against shots.
    """

    label: str
    rule: str
    own: int = 0
    dice: int = 0
    helpless: bool = False
    cover: str = ""
