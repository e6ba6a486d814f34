"""Who may command what: the Storyteller everything, players what their own characters do, observers nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from campaigns.models import Membership, Role
from combat.commands.dice import TypedDice
from combat.secrecy.sight import owned
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.inputs import Want, Wanted
from rules.model.ruleset import Ruleset
from rules.model.state import Encounter
from rules.topics import commands
from rules.topics.commands import Command, DifficultyOf, Modifier


def _by(command: Any) -> str:
    return str(command.by)


_ACTS_FOR: Mapping[type, Callable[[Any], str]] = {
    commands.ProposeAttack: lambda command: command.attack.by,
    commands.AnswerAttack: lambda command: command.target,
    commands.SetDefaultDefence: lambda command: command.who[0] if len(command.who) == 1 else "",
    commands.Declare: _by,
    commands.Delay: _by,
    commands.Abort: _by,
    commands.HoldOver: _by,
    commands.FreshStart: _by,
    commands.FullDefence: _by,
    commands.RollTraits: _by,
    commands.Spend: _by,
    commands.Reload: _by,
    commands.ClearJam: _by,
    commands.TakeAction: _by,
}
"""What players may command, and for whom each does something."""

COMMUTES = frozenset(_ACTS_FOR) | {
    commands.Harm,
    commands.ChangeConditions,
    commands.Join,
    commands.Narrate,
    commands.ShowRoll,
    commands.Group,
    commands.Ungroup,
    commands.SetVisibility,
    commands.ApproveAttack,
    commands.SendBackAttack,
    commands.WithdrawAttack,
    commands.RollOn,
    commands.GiveUpRoll,
}
"""Commands that mean the same whatever happened since the page was drawn: no number makes them stale."""

STORYTELLERS_MODIFIERS = frozenset(
    {"difficulty", "circumstance", "ambush", "past_armor", "surprise", "different_effect", "adds_up"}
)
"""Circumstances that hold any figure, or that the Storyteller's word alone brings about."""


def own_combatants(state: Encounter, membership: Membership, owners: Mapping[str, int]) -> frozenset[str]:
    """The combatants that this member plays."""
    return owned(state, (character for character, owner in owners.items() if owner == membership.user_id))


def check(
    command: Command,
    *,
    state: Encounter,
    membership: Membership,
    owners: Mapping[str, int],
    ruleset: Ruleset,
    dice: object,
    waive: Iterable[str],
) -> None:
    """Raise `PermissionDenied` for what this member may not do.

    Raises `RuleViolation` ("input") for a target that a player does not see, as for one that there is not.
    """
    if membership.is_storyteller:
        return
    own = own_combatants(state, membership, owners) if membership.role == Role.PLAYER else frozenset()
    whose = _for_whom(command, state)
    if not whose and isinstance(command, commands.RollOn | commands.GiveUpRoll):
        raise bad_input(phrase("That roll is over."))
    if whose not in own:
        raise PermissionDenied(_("You can act for your own characters alone."))
    if (
        any(waive)
        or _is_storytellers_word(command, ruleset)
        or (isinstance(dice, TypedDice) and not dice.people() <= own)
    ):
        raise PermissionDenied(_("That is the Storyteller’s to decide."))
    for who in _named(command, ruleset):
        if who not in state.combatants or (state.combatants[who].hidden and who not in own):
            raise bad_input(phrase("Nobody of that name is in the fight."))


def _for_whom(command: Command, state: Encounter) -> str:
    if isinstance(command, commands.WithdrawAttack):
        return next((each.attack.by for each in state.exchanges if each.id == command.exchange), "")
    if isinstance(command, commands.RollOn | commands.GiveUpRoll):
        # One that is rolled in secret is none that a player could name.
        open_ones = (each.command for each in state.extended if not each.command.secret)
        return next((each.by for each in open_ones if each.extended and each.extended.id == command.roll), "")
    acts_for = _ACTS_FOR.get(type(command))
    return acts_for(command) if acts_for else ""


def _is_storytellers_word(command: Command, ruleset: Ruleset) -> bool:
    match command:
        case commands.ProposeAttack(attack=attack):
            return bool(attack.strike or attack.defences or attack.others) or _sets_figures(attack.modifiers, ruleset)
        case commands.AnswerAttack(defence=defence):
            return bool(defence.strike) or _sets_figures(defence.modifiers, ruleset)
        case commands.RollTraits():
            # A difficulty that is taken from somebody shows their figures.
            taken = isinstance(command.difficulty, DifficultyOf)
            # Dice more or fewer are what a difficulty is where there is none: players say it as they are told.
            figures = [modifier for modifier in command.modifiers if modifier.key != "circumstance"]
            return taken or command.secret or bool(command.strike) or _sets_figures(figures, ruleset)
        case commands.TakeAction():
            return _is_storytellers_action(command, ruleset) or _sets_figures(command.modifiers, ruleset)
        case commands.Declare():
            return command.out_of_order or bool(command.others)
        case _:
            return isinstance(command, commands.Spend) and command.amount < 1


def _wanted(command: commands.TakeAction, ruleset: Ruleset) -> tuple[Wanted, ...]:
    rule = ruleset.actions.get(command.key)
    return rule.needs.figures if rule else ()


def _is_storytellers_action(command: commands.TakeAction, ruleset: Ruleset) -> bool:
    rule = ruleset.actions.get(command.key)
    given = any(figure.storytellers and figure.key in command.figures for figure in _wanted(command, ruleset))
    return given or bool(rule and rule.needs.storytellers)


def _somebodies(command: commands.TakeAction, ruleset: Ruleset) -> Iterable[str]:
    for figure in _wanted(command, ruleset):
        if figure.kind is Want.SOMEBODY and figure.key in command.figures:
            yield str(command.figures[figure.key])


def _sets_figures(modifiers: Iterable[Modifier], ruleset: Ruleset) -> bool:
    return any(each.key in STORYTELLERS_MODIFIERS or _storytellers_figure(each, ruleset) for each in modifiers)


def _storytellers_figure(modifier: Modifier, ruleset: Ruleset) -> bool:
    """Whether a circumstance is picked by a figure that only the Storyteller sets."""
    rule = ruleset.modifiers.get(modifier.key)
    return rule is not None and any(each.storytellers and each.key in modifier.figures for each in rule.wanted)


def _named(command: Command, ruleset: Ruleset) -> Iterable[str]:
    """Everybody else whom a player's command names."""
    if isinstance(command, commands.ProposeAttack):
        yield from command.attack.at
        yield from command.attack.near
    elif isinstance(command, commands.TakeAction):
        yield from command.at
        yield from _somebodies(command, ruleset)
    elif isinstance(command, commands.RollTraits) and command.resisted:
        yield command.resisted.by
