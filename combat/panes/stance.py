"""Where somebody stands in a firefight, as chips and as a choice that is due."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _

from combat.history.tell.firefights import HIDDEN
from combat.panes.figures import Condition
from rules.model.stance import Shelter
from rules.model.state import Encounter
from rules.systems.storytelling.second_edition.aiming import AIMING
from rules.systems.storytelling.second_edition.concealment import (
    FULL,
    shelter_of,
)


def stance_of(state: Encounter, who: str, clean: Callable[[str], str] = str) -> tuple[Condition, ...]:
    """What can be seen of it, in a state that holds only whom the reader sees. `clean` keeps names from words."""
    stance, found = state.combatants[who].stance, []
    if stance.aiming is not None and stance.aiming.target in state.combatants:
        target = state.combatants[stance.aiming.target].sheet.name
        found.append(
            Condition("aiming_at", _("aims at {target}, +{turns}").format(target=target, turns=stance.aiming.turns))
        )
    shelter = shelter_of(state, who)
    if shelter is not None:
        found.append(Condition("shelter", _hidden(shelter, clean)))
    if stance.shield in state.combatants:
        found.append(Condition("shield", _("behind {what}").format(what=state.combatants[stance.shield].sheet.name)))
    if stance.fires:
        found.append(Condition("under_fire", _("under covering fire")))
    return tuple(found)


def _hidden(shelter: Shelter, clean: Callable[[str], str]) -> str:
    if shelter.degree == FULL:
        return _("behind {what}").format(what=clean(shelter.cover))
    where = f", {clean(shelter.cover)}" if shelter.cover else ""
    return f"{HIDDEN[shelter.degree]}{where}"


def without_aiming(conditions: tuple[Condition, ...], stance: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions and the stance together; whose target is told needs no word that they aim."""
    told = any(each.key == "aiming_at" for each in stance)
    return (*(each for each in conditions if not (told and each.key == AIMING)), *stance)
