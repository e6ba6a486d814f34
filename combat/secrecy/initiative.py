"""Whether initiative is due, judged only by what readers may see."""

from __future__ import annotations

from functools import partial

from combat.cache import for_each
from combat.log.happened import Happened
from combat.secrecy.fight import Fight
from combat.secrecy.looking_back import look_back
from rules.model.state import Encounter, Stage
from rules.topics.events import InitiativeRolled, TurnEnded

MOST_STATES = 100


def initiative_due(fight: Fight, state: Encounter) -> bool:
    """Whether initiative has to be rolled. `state` is the fight as its reader sees it.

    For those who don't see a hidden combatant, a turn in which only that one has acted hasn't begun.
    """
    if state.stage is not Stage.INITIATIVE:
        return False
    if not fight.ruleset.initiative.each_turn(fight.state):
        return _somebody_lacks_a_place(fight)
    seen = _unhidden(fight.state)
    return not look_back(fight, ("initiative", seen), partial(_rolls_initiative, seen))


@for_each(MOST_STATES, worded=False)
def _unhidden(state: Encounter) -> frozenset[str]:
    return frozenset(who for who, each in state.combatants.items() if not each.hidden)


def _rolls_initiative(seen: frozenset[str], row: Happened) -> bool | None:
    """Whether a row rolls initiative for visible combatants: False if it ends a turn, None if it does neither."""
    for event in () if row.undone else row.events:
        if isinstance(event, TurnEnded):
            return False
        # Players can't tell a roll for hidden combatants alone from no roll.
        if isinstance(event, InitiativeRolled) and (not seen or not seen.isdisjoint(event.scores)):
            return True
    return None


def _somebody_lacks_a_place(fight: Fight) -> bool:
    """Whether a visible combatant who could act has no initiative yet."""
    state, ruleset = fight.state, fight.ruleset
    able = [who for who in state.combatants if who in _unhidden(state) and not ruleset.turns.hindrance(state, who)]
    return bool(ruleset.initiative.due(state, able))
