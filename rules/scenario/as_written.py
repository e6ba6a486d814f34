"""What a step takes as a fact, though no step before it says so."""

from __future__ import annotations

from rules.decide import decide
from rules.engine.dice import Dice
from rules.engine.messages import Command, Event
from rules.model.state import Encounter, Grapple
from rules.model.system import System
from rules.topics.attacks.mishaps import Mishap
from rules.topics.commands import ChooseMishap, ClearJam, TakeAction
from rules.topics.events import GrappleChanged
from rules.topics.grapples.holds import GRAPPLED, HELD, grapple_of

GRAPPLE = "grapple"


def brought_along(state: Encounter, command: Command, ruleset: System, dice: Dice) -> tuple[Event, ...]:
    """What must have come before a command for it to make sense, where the file may mean it so."""
    if isinstance(command, TakeAction):
        return _grip(state, command, ruleset)
    return _jam(state, command, ruleset, dice) if isinstance(command, ClearJam) else ()


def _grip(state: Encounter, command: TakeAction, ruleset: System) -> tuple[Event, ...]:
    """What makes a grapple of it when one of two who are grappled makes a move of a grapple against the other.

    A condition says that somebody is grappled and not by whom: the step that names the two says that too.
    """
    two = (command.by, *command.at)
    if len(set(two)) != 2 or not _of_a_grapple(command, ruleset):
        return ()
    if any(grapple_of(state, who) or GRAPPLED not in state.combatants[who].conditions for who in two):
        return ()
    pairs = (two, two[::-1])
    holders = frozenset(one for one, other in pairs if HELD in state.combatants[other].conditions)
    return (GrappleChanged(Grapple(command.by, command.at[0], holders=holders)),)


def _of_a_grapple(command: TakeAction, ruleset: System) -> bool:
    """Whether an action is a grapple's roll or one of its moves, where a ruleset knows who has hold of whom."""
    action = ruleset.actions.get(command.key)
    if action is None or not ruleset.grappled:
        return False
    return command.key == GRAPPLE or action.needs.only_in == GRAPPLED


def _jam(state: Encounter, command: ClearJam, ruleset: System, dice: Dice) -> tuple[Event, ...]:
    """The jam that is cleared, where a botch with that weapon waits for its mishap: clearing it says which it was."""
    sound = (each for each in state.combatants[command.by].sheet.weapons if each.fault is None)
    named = {each.key or each.name for each in sound if command.weapon in (each.key, each.name)}
    waiting = [
        each.resolution
        for each in state.mishaps
        if each.by == command.by and each.weapon in named and Mishap.JAM in each.choices
    ]
    return decide(state, ChooseMishap(waiting[-1], Mishap.JAM), ruleset, dice) if waiting else ()
