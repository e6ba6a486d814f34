"""Stances in a firefight and the cover in the scene: the values and their slots."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from rules.engine.phrases import phrase
from rules.engine.slots import Slot
from rules.model.gear import Weapon
from rules.model.state import Combatant, Encounter


@dataclass(frozen=True, slots=True)
class Aiming:
    """An aim: at whom, with which weapon (its reference), and for how many full turns."""

    target: str
    weapon: str
    turns: int


@dataclass(frozen=True, slots=True)
class Cover:
    """Cover to hide behind. ``structure`` is the Structure left, ``None`` if it isn't tracked.

    ``unseen``: only hidden combatants have named it so far.
    """

    name: str
    durability: int
    structure: int | None = None
    transparent: bool = False
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Shelter:
    """How well a combatant is hidden (``degree``), and behind which cover: its name, "" for anything else."""

    degree: str
    cover: str = ""


@dataclass(frozen=True, slots=True)
class UnderFire:
    """Covering fire on a combatant: by whom, with which weapon, with how many successes.

    The choice that it forces is due by the end of the turn numbered ``until``.
    """

    by: str
    weapon: Weapon
    successes: int
    until: int = 0


@dataclass(frozen=True, slots=True)
class Stance:
    """A combatant's stance in a firefight, kept between turns: aim, shelter, human ``shield``, covering ``fires``."""

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
"""The covers in the scene, by name."""

BARELY, PARTIAL, SUBSTANTIAL, FULL = "barely", "partial", "substantial", "full"
"""Degrees of concealment in ascending order; nobody can shoot out of the last."""

OBSCURED = "obscured"
"""Invisible because of fog or darkness."""

HIDDEN = {
    BARELY: phrase("barely-concealed"),
    PARTIAL: phrase("partially-concealed"),
    SUBSTANTIAL: phrase("substantially-concealed"),
    FULL: phrase("fully-behind-cover"),
    OBSCURED: phrase("out-of-sight"),
}
"""How well a combatant is hidden, worded for the middle of a sentence."""


def shelter_of(state: Encounter, who: str) -> Shelter | None:
    """A combatant's current shelter; ``None`` if its cover is destroyed."""
    shelter = STANCE.of(state.combatants[who]).shelter
    if shelter is None or not shelter.cover:
        return shelter
    cover = COVERS.of(state).get(shelter.cover)
    return shelter if cover is not None and cover.structure != 0 else None
