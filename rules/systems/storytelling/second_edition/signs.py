"""Short status signs for positions in a firefight."""

from __future__ import annotations

from collections.abc import Iterator

from rules.engine.phrases import Typed, phrase
from rules.model.signs import Sign
from rules.model.state import Encounter
from rules.systems.storytelling.second_edition.aiming import AIMING
from rules.systems.storytelling.shelter_signs import shelter_signs
from rules.topics.firefights.stance import STANCE


def signs(state: Encounter, who: str) -> Iterator[Sign]:
    """The visible signs; an aim is not shown where its target already is."""
    stance, people = STANCE.of(state.combatants[who]), state.combatants
    if stance.aiming is not None and stance.aiming.target in people:
        target = Typed(people[stance.aiming.target].sheet.name)
        aims = phrase("aims-at", target=target, turns=stance.aiming.turns)
        yield Sign("aiming_at", aims, instead_of=AIMING)
    yield from shelter_signs(state, who)
    if stance.shield in people:
        yield Sign("shield", phrase("behind", what=Typed(people[stance.shield].sheet.name)))
    if stance.fires:
        yield Sign("under_fire", phrase("under-covering-fire"))
