"""Where somebody stands in a firefight, as chips and as a choice that is due."""

from __future__ import annotations

from collections.abc import Callable

from combat.perspectives.figures import Condition
from rules.chronicles.aiming import AIMING
from rules.chronicles.concealment import FULL, LABELS, shelter_of
from rules.encounter import Encounter
from rules.stance import Shelter


def stance_of(state: Encounter, who: str, clean: Callable[[str], str] = str) -> tuple[Condition, ...]:
    """What can be seen of it, in a state that holds only whom the reader sees. `clean` keeps names from words."""
    stance, found = state.combatants[who].stance, []
    if stance.aiming is not None and stance.aiming.target in state.combatants:
        target = state.combatants[stance.aiming.target].sheet.name
        found.append(Condition("aiming_at", f"aims at {target}, +{stance.aiming.turns}"))
    shelter = shelter_of(state, who)
    if shelter is not None:
        found.append(Condition("shelter", _hidden(shelter, clean)))
    if stance.shield in state.combatants:
        found.append(Condition("shield", f"behind {state.combatants[stance.shield].sheet.name}"))
    if stance.fires:
        found.append(Condition("under_fire", "under covering fire"))
    return tuple(found)


def _hidden(shelter: Shelter, clean: Callable[[str], str]) -> str:
    if shelter.degree == FULL:
        return f"behind {clean(shelter.cover)}"
    where = f", {clean(shelter.cover)}" if shelter.cover else ""
    return f"{LABELS[shelter.degree].lower()}{where}"


def without_aiming(conditions: tuple[Condition, ...], stance: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions and the stance together; whose target is told needs no word that they aim."""
    told = any(each.key == "aiming_at" for each in stance)
    return (*(each for each in conditions if not (told and each.key == AIMING)), *stance)
