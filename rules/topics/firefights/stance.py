"""Where somebody stands in a firefight, and what there is to hide behind: what is kept of both."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from rules.engine.phrases import phrase
from rules.engine.slots import Slot
from rules.model.gear import Weapon
from rules.model.state import Combatant, Encounter


@dataclass(frozen=True, slots=True)
class Aiming:
    """Whom somebody aims at, with which weapon (its reference), and for how many full turns."""

    target: str
    weapon: str
    turns: int


@dataclass(frozen=True, slots=True)
class Cover:
    """A thing to hide behind. ``structure`` is what is left of it, ``None`` where nobody counts.

    ``unseen``: only hidden combatants have named it so far.
    """

    name: str
    durability: int
    structure: int | None = None
    transparent: bool = False
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Shelter:
    """How well somebody is hidden (``degree``), and behind what: the name of a cover, "" for anything else."""

    degree: str
    cover: str = ""


@dataclass(frozen=True, slots=True)
class UnderFire:
    """Covering fire that lies on somebody: whose, of what, with how many successes.

    The choice that it forces is made by the end of the turn numbered ``until``.
    """

    by: str
    weapon: Weapon
    successes: int
    until: int = 0


@dataclass(frozen=True, slots=True)
class Stance:
    """Where somebody stands in a firefight, from turn to turn: aim taken, shelter, a human ``shield``, ``fires``."""

    aiming: Aiming | None = None
    shelter: Shelter | None = None
    shield: str = ""
    fires: tuple[UnderFire, ...] = ()


def _among(stance: Stance, people: Collection[str]) -> Stance:
    return replace(
        stance,
        aiming=stance.aiming if stance.aiming and stance.aiming.target in people else None,
        shield=stance.shield if stance.shield in people else "",
        fires=tuple(fire for fire in stance.fires if fire.by in people),
    )


STANCE = Slot(Combatant, "stance", Stance, Stance(), _among)

COVERS = Slot[Encounter, Mapping[str, Cover]](Encounter, "covers", Mapping[str, Cover], {})
"""The things to hide behind, by name."""

BARELY, PARTIAL, SUBSTANTIAL, FULL = "barely", "partial", "substantial", "full"
"""Degrees of concealment, each harder to see than the one before; nobody shoots out of the last."""

OBSCURED = "obscured"
"""Not to be seen at all, for fog or darkness."""

HIDDEN = {
    BARELY: phrase("barely concealed"),
    PARTIAL: phrase("partially concealed"),
    SUBSTANTIAL: phrase("substantially concealed"),
    FULL: phrase("wholly behind cover"),
    OBSCURED: phrase("out of sight"),
}
"""How well somebody is hidden, in the midst of a sentence."""


def shelter_of(state: Encounter, who: str) -> Shelter | None:
    """What somebody is hidden by now; ``None`` behind cover of which nothing is left."""
    shelter = STANCE.of(state.combatants[who]).shelter
    if shelter is None or not shelter.cover:
        return shelter
    cover = COVERS.of(state).get(shelter.cover)
    return shelter if cover is not None and cover.structure != 0 else None
