"""Two whom a file has grappled by their conditions alone."""

from __future__ import annotations

from rules.commands import Command, TakeAction
from rules.encounter import Encounter, Grapple
from rules.events import Event, GrappleChanged
from rules.grapples import GRAPPLED, HELD, grapple_of
from rules.ruleset import Ruleset

GRAPPLE = "grapple"


def grip_as_written(state: Encounter, command: Command, ruleset: Ruleset) -> tuple[Event, ...]:
    """What makes a grapple of it when one of two who are grappled makes a move of a grapple against the other.

    A condition says that somebody is grappled and not by whom: the step that names the two says that too.
    """
    if not isinstance(command, TakeAction) or not _of_a_grapple(command, ruleset):
        return ()
    two = (command.by, *command.at)
    if len(set(two)) != 2:
        return ()
    if any(grapple_of(state, who) or GRAPPLED not in state.combatants[who].conditions for who in two):
        return ()
    pairs = (two, two[::-1])
    holders = frozenset(one for one, other in pairs if HELD in state.combatants[other].conditions)
    return (GrappleChanged(Grapple(command.by, command.at[0], holders=holders)),)


def _of_a_grapple(command: TakeAction, ruleset: Ruleset) -> bool:
    """Whether an action is a grapple's roll or one of its moves, where a ruleset knows who has hold of whom."""
    action = ruleset.actions.get(command.key)
    if action is None or not ruleset.grappled:
        return False
    return command.key == GRAPPLE or action.needs.only_in == GRAPPLED
