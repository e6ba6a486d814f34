"""From command to events: the only way to change a fight."""

from __future__ import annotations

from collections.abc import Iterable

from rules.engine.dice import Dice
from rules.engine.messages import Command, Event, command_type, run
from rules.engine.phrases import phrase
from rules.engine.violations import Referee, bad_input
from rules.model.past import Past
from rules.model.state import Encounter, Status
from rules.model.system import Game, System
from rules.topics.events import RulesWaived


def decide(
    state: Encounter,
    command: Command,
    ruleset: System,
    dice: Dice,
    waive: Iterable[str] = (),
    why: str = "",
    past: Past | None = None,
) -> tuple[Event, ...]:
    """The events that a command causes in a state.

    ``waive`` holds the ids of rules that the Storyteller waives, ``why`` the reason; those that applied are reported as
    a ``RulesWaived`` event. ``past`` is the row of the log that the command revises.

    Raises :class:`rules.engine.violations.RuleViolation` if a rule forbids the command or its input is invalid; dice
    rolled until then don't count.
    """
    if state.status is not Status.RUNNING and not command_type(type(command)).any_time:
        raise bad_input(phrase("fight-isnt-running"))
    if not ruleset.knows(type(command)):
        raise bad_input(phrase("has-no-such-action", ruleset=ruleset.name))
    if against := command_type(type(command)).refusal(command, state):
        raise against
    referee = Referee(waive)
    game = Game(state, ruleset, referee, dice, past)
    events = run(game, command)
    for watch in ruleset.watches:
        events += watch.follows(game, command, events)
    if referee.waived:
        return (RulesWaived(tuple(referee.waived), why), *events)
    return events
