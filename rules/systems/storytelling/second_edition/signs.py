"""Short status signs for positions in a firefight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.engine.messages import Event
from rules.engine.phrases import Typed, phrase, separated
from rules.model.signs import Sign
from rules.model.state import Encounter
from rules.model.system import Game
from rules.systems.storytelling.second_edition.aiming import AIMING
from rules.topics.firefights.stance import COVERS, FULL, HIDDEN, STANCE, Shelter, shelter_of


def signs(state: Encounter, who: str) -> Iterator[Sign]:
    """The visible signs; an aim is not shown where its target already is."""
    stance, people = STANCE.of(state.combatants[who]), state.combatants
    if stance.aiming is not None and stance.aiming.target in people:
        target = Typed(people[stance.aiming.target].sheet.name)
        aims = phrase("aims-at", target=target, turns=stance.aiming.turns)
        yield Sign("aiming_at", aims, instead_of=AIMING)
    shelter = shelter_of(state, who)
    if shelter is not None:
        yield Sign("shelter", _hidden(shelter))
    if stance.shield in people:
        yield Sign("shield", phrase("behind", what=Typed(people[stance.shield].sheet.name)))
    if stance.fires:
        yield Sign("under_fire", phrase("under-covering-fire"))


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
