"""What a step implies has happened, though no earlier step says so."""

from __future__ import annotations

from rules.decide import decide
from rules.engine.messages import Command, Event
from rules.model.conditions import GRAPPLED, HELD
from rules.model.system import Game
from rules.topics.attacks.mishaps import Mishap
from rules.topics.commands import ChooseMishap, ClearJam, TakeAction
from rules.topics.events import GrappleChanged
from rules.topics.grapples.grapple import Grapple
from rules.topics.grapples.holds import grapple_of

GRAPPLE = "grapple"


def brought_along(game: Game, command: Command) -> tuple[Event, ...]:
    """The events that must precede a command for it to make sense, if the file may imply them."""
    if isinstance(command, TakeAction):
        return _grip(game, command)
    return _jam(game, command) if isinstance(command, ClearJam) else ()


def _grip(game: Game, command: TakeAction) -> tuple[Event, ...]:
    """The grapple between two grappled combatants, when one uses a grapple's move against the other.

    A condition says that a combatant is grappled but not by whom; the step that names both says that too.
    """
    two = (command.by, *command.at)
    if len(set(two)) != 2 or not _of_a_grapple(command, game):
        return ()
    if any(grapple_of(game.state, who) or GRAPPLED not in game.state.combatants[who].conditions for who in two):
        return ()
    pairs = (two, two[::-1])
    holders = frozenset(one for one, other in pairs if HELD in game.state.combatants[other].conditions)
    return (GrappleChanged(Grapple(command.by, command.at[0], holders=holders)),)


def _of_a_grapple(command: TakeAction, game: Game) -> bool:
    """Whether an action is a grapple's roll or one of its moves, in a ruleset that tracks who holds whom."""
    action = game.system.actions.get(command.key)
    if action is None or not game.system.grappled:
        return False
    return command.key == GRAPPLE or action.needs.only_in == GRAPPLED


def _jam(game: Game, command: ClearJam) -> tuple[Event, ...]:
    """The jam being cleared, if a botch with that weapon still awaits its mishap: clearing it implies a jam."""
    sound = (each for each in game.state.combatants[command.by].sheet.weapons if each.fault is None)
    named = {each.key or each.name for each in sound if command.weapon in (each.key, each.name)}
    waiting = [
        each.resolution
        for each in game.state.mishaps
        if each.by == command.by and each.weapon in named and Mishap.JAM in each.choices
    ]
    return decide(game.state, ChooseMishap(waiting[-1], Mishap.JAM), game.system, game.dice) if waiting else ()
