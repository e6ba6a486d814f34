"""Whether initiative is due, as far as a reader sees."""

from __future__ import annotations

from functools import partial

from combat.log.happened import Happened
from combat.secrecy.fight import Fight
from combat.secrecy.looking_back import look_back
from rules.model.state import Encounter, Stage
from rules.topics.events import InitiativeRolled, TurnEnded


def initiative_due(fight: Fight, state: Encounter) -> bool:
    """Whether the order that stands is an earlier turn's, where each has its own. `state` is as its reader sees it.

    A turn that only a hidden one has acted in has not begun for those who do not see them.
    """
    if state.stage is not Stage.INITIATIVE:
        return False
    if not fight.ruleset.initiative.each_turn(fight.state):
        return _somebody_lacks_a_place(fight)
    seen = frozenset(who for who, each in fight.state.combatants.items() if not each.hidden)
    return not look_back(fight, ("initiative", seen), partial(_rolls_initiative, seen))


def _rolls_initiative(seen: frozenset[str], row: Happened) -> bool | None:
    """Whether a row rolls initiative for those who are seen; False where a turn ends in it."""
    for event in () if row.undone else row.events:
        if isinstance(event, TurnEnded):
            return False
        # A roll for hidden ones alone is none that players could tell from no roll.
        if isinstance(event, InitiativeRolled) and (not seen or not seen.isdisjoint(event.scores)):
            return True
    return None


def _somebody_lacks_a_place(fight: Fight) -> bool:
    """Whether somebody who could act, and whom players see, has no place yet in an order that stands."""
    state, ruleset = fight.state, fight.ruleset
    seen = (who for who, each in state.combatants.items() if not each.hidden)
    able = [who for who in seen if not ruleset.turns.hindrance(state, who)]
    return bool(ruleset.initiative.due(state, able))
