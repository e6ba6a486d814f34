"""From a command to events: the one way in which a fight changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rules.engine.dice import Dice
from rules.engine.phrases import phrase
from rules.engine.violations import Referee, bad_input
from rules.model.ruleset import Ruleset
from rules.model.state import Encounter, Status
from rules.topics import actions, commands
from rules.topics.attacks import decide as attack
from rules.topics.attacks import overriding
from rules.topics.attacks.past import Past
from rules.topics.cast import decide as cast
from rules.topics.commands import Command
from rules.topics.desk import Desk
from rules.topics.events import Event, RulesWaived
from rules.topics.exchanges import decide as exchange
from rules.topics.health import decide as bodies
from rules.topics.initiative import decide as initiative
from rules.topics.initiative import surprise
from rules.topics.rolls import decide as rolls
from rules.topics.turns import decide as turn

_DECISIONS: Mapping[type, Callable[[Desk, Any], tuple[Event, ...]]] = {
    commands.Join: cast.join,
    commands.Leave: cast.leave,
    commands.SetVisibility: cast.set_visibility,
    commands.Group: cast.group,
    commands.Ungroup: cast.ungroup,
    commands.ReviseSheet: cast.revise_sheet,
    commands.Begin: turn.begin,
    commands.Pause: turn.pause,
    commands.Resume: turn.resume,
    commands.End: turn.end,
    commands.RollInitiative: initiative.roll_initiative,
    commands.SetOrder: initiative.set_order,
    commands.Declare: turn.declare,
    commands.Act: turn.act,
    commands.EndTurn: turn.end_turn,
    commands.Delay: turn.delay,
    commands.HoldOver: turn.hold_over,
    commands.FreshStart: initiative.fresh_start,
    commands.SetInitiativeMode: initiative.set_initiative_mode,
    commands.CheckSurprise: surprise.check,
    commands.SetCircumstances: bodies.set_circumstances,
    commands.Describe: bodies.describe,
    commands.Abort: turn.abort,
    commands.FullDefence: turn.full_defence,
    commands.Attack: attack.attack,
    commands.ProposeAttack: exchange.propose,
    commands.ApproveAttack: exchange.approve,
    commands.ChangeAttack: exchange.change,
    commands.SendBackAttack: exchange.send_back,
    commands.AnswerAttack: exchange.answer,
    commands.AnswerByDefault: exchange.answer_by_default,
    commands.SetDefaultDefence: exchange.set_default,
    commands.ResolveAttack: exchange.resolve,
    commands.WithdrawAttack: exchange.withdraw,
    commands.ChooseMishap: attack.choose_mishap,
    commands.ClearJam: attack.clear_jam,
    commands.Reload: attack.reload,
    commands.TakeAction: actions.take_action,
    commands.RollTraits: rolls.roll_traits,
    commands.RollOn: rolls.roll_on,
    commands.GiveUpRoll: rolls.give_up,
    commands.Harm: bodies.harm,
    commands.Heal: bodies.heal,
    commands.SetHealth: bodies.set_health,
    commands.Spend: bodies.spend,
    commands.ChangeConditions: bodies.change_conditions,
    commands.Narrate: bodies.narrate,
    commands.ShowRoll: bodies.show_roll,
    commands.OverrideAttack: overriding.override_attack,
}

_BEFORE_OR_AFTER = frozenset(
    {commands.Join, commands.Leave, commands.SetVisibility, commands.ReviseSheet, commands.Begin, commands.Resume}
    | {
        commands.SetInitiativeMode,
        commands.Describe,
        commands.SetCircumstances,
        commands.SetDefaultDefence,
        commands.End,
        commands.Narrate,
        commands.ShowRoll,
        commands.Group,
        commands.Ungroup,
        commands.OverrideAttack,
        commands.SetHealth,
        commands.Heal,
        commands.ChangeConditions,
    }
)
"""Commands that need no running fight."""

STANDS_ON: Mapping[type, tuple[str, ...]] = {
    commands.Declare: ("declaration", "multiple_actions"),
    commands.Abort: ("abort",),
    commands.FullDefence: ("full_defence", "abort"),
    commands.Delay: ("delay",),
    commands.HoldOver: ("hold_over",),
    commands.FreshStart: ("fresh_start", "initiative_every_turn"),
    commands.SetInitiativeMode: ("initiative_every_turn",),
    commands.CheckSurprise: ("surprise", "noticing"),
    commands.SetCircumstances: ("circumstance",),
    commands.Describe: ("perspective",),
}
"""The topics without a rule on which a command is none of a ruleset's."""


def knows(ruleset: Ruleset, command: type) -> bool:
    """Whether a command is one of those that a ruleset has a rule for."""
    return all(topic in ruleset.cites for topic in STANDS_ON.get(command, ()))


def decide(
    state: Encounter,
    command: Command,
    ruleset: Ruleset,
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
    if state.status is not Status.RUNNING and type(command) not in _BEFORE_OR_AFTER:
        raise bad_input(phrase("The fight is not running."))
    if not knows(ruleset, type(command)):
        raise bad_input(phrase("{ruleset} knows no such action.", ruleset=ruleset.name))
    referee = Referee(waive)
    desk = Desk(state, ruleset, dice, referee, past)
    events = _DECISIONS[type(command)](desk, command)
    for watch in ruleset.watches:
        events += watch.follows(desk, command, events)
    if referee.waived:
        return (RulesWaived(tuple(referee.waived), why), *events)
    return events
