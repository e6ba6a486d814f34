"""Short status signs for positions behind cover."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.engine.messages import Event
from rules.engine.phrases import phrase, separated
from rules.model.signs import Sign
from rules.model.state import Encounter
from rules.model.system import Game
from rules.topics.firefights.stance import COVERS, FULL, HIDDEN, STANCE, Shelter, shelter_of


def shelter_signs(state: Encounter, who: str) -> Iterator[Sign]:
    """Where somebody hides."""
    shelter = shelter_of(state, who)
    if shelter is not None:
        yield Sign("shelter", _hidden(shelter))


def results(game: Game, _told: tuple[Event, ...]) -> dict[str, Any]:
    """Remaining cover and everybody's concealment, for scenarios."""
    stances = {who: STANCE.of(one) for who, one in game.state.combatants.items()}
    return {
        "covers": {name: cover.structure for name, cover in COVERS.of(game.state).items()},
        "sheltered": {who: stance.shelter.degree for who, stance in stances.items() if stance.shelter},
    }


def _hidden(shelter: Shelter) -> str:
    if shelter.degree == FULL:
        return phrase("behind", what=shelter.cover)
    where = HIDDEN[shelter.degree]
    return separated((where, shelter.cover), ", ") if shelter.cover else where
