"""From a command to events: the one way in which a fight changes."""

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
    """The events that a command brings about in a state.

    ``waive`` names rules (by id) that the Storyteller lets go by, ``why`` says the reason; the waived
    ones that mattered come as a ``RulesWaived``. ``past`` is the row that a command looks at again.
    Raises :class:`rules.engine.violations.RuleViolation` when a rule, or sense, forbids the command; then nothing
    was rolled that counts.
    """
    if state.status is not Status.RUNNING and not command_type(type(command)).any_time:
        raise bad_input(phrase("The fight is not running."))
    if not ruleset.knows(type(command)):
        raise bad_input(phrase("{ruleset} knows no such action.", ruleset=ruleset.name))
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
