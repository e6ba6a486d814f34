"""The mishaps that a botched attack can cause (MQ-ATK-7)."""

from __future__ import annotations

from enum import StrEnum

from rules.model.gear import Mode, Weapon
from rules.model.state import Encounter


class Mishap(StrEnum):
    """A mishap."""

    JAM = "jam"
    SEIZED = "seized"
    NOTHING = "nothing"
    EXPLOSION = "explosion"
    BROKEN = "broken"
    ALLY_HIT = "ally_hit"
    FALL = "fall"


MISHAPS_BY_MODE = {
    Mode.UNARMED: (Mishap.FALL, Mishap.ALLY_HIT),
    Mode.MELEE: (Mishap.BROKEN, Mishap.ALLY_HIT),
    Mode.FIREARM: (Mishap.JAM, Mishap.EXPLOSION, Mishap.ALLY_HIT),
    Mode.THROWN: (Mishap.BROKEN, Mishap.ALLY_HIT),
    Mode.ARCHERY: (Mishap.JAM, Mishap.BROKEN, Mishap.ALLY_HIT),
}


def allies(state: Encounter, by: str, target: str) -> tuple[str, ...]:
    """Who may be hit by mistake: everyone on the attacker's side, except the target."""
    side = state.combatants[by].side
    return tuple(who for who, other in state.combatants.items() if other.side is side and who not in (by, target))


def fitting(state: Encounter, by: str, target: str, weapon: Weapon) -> tuple[str, ...]:
    """The mishaps that fit an attack; an ally can be hit only if there is one."""
    return tuple(
        mishap.value
        for mishap in MISHAPS_BY_MODE[weapon.mode]
        if mishap is not Mishap.ALLY_HIT or allies(state, by, target)
    )
