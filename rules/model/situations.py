"""The effect of a condition on pools."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConditionRule:
    """A condition that changes pools.

    ``own`` is added to the difficulty of every action of its bearer, ``dice`` to attacks against them. A ``helpless``
    target is hit without a roll. ``cover`` is its degree of cover against shots. ``bearer`` is added to the dice of
    every pool of its bearer.
    """

    label: str
    rule: str
    own: int = 0
    dice: int = 0
    helpless: bool = False
    cover: str = ""
    bearer: int = 0
