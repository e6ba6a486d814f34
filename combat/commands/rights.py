"""Permissions: Storytellers may give every command, players those of their own characters, observers none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from campaigns.models import Membership, Role
from combat.commands.dice import TypedDice
from combat.secrecy.sight import owned
from rules.engine.messages import Command, command_type
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.state import Encounter
from rules.model.system import Game, System


def own_combatants(state: Encounter, membership: Membership, owners: Mapping[str, int]) -> frozenset[str]:
    """The combatants that this member plays."""
    return owned(state, (character for character, owner in owners.items() if owner == membership.user_id))


def check(
    command: Command,
    *,
    state: Encounter,
    membership: Membership,
    owners: Mapping[str, int],
    ruleset: System,
    dice: object,
    waive: Iterable[str],
) -> None:
    """Raise `PermissionDenied` if this member may not give the command.

    Raises `RuleViolation` ("input") for a target that a player doesn't see, just as for one that doesn't exist.
    """
    if membership.is_storyteller:
        return
    own = own_combatants(state, membership, owners) if membership.role == Role.PLAYER else frozenset()
    declared = command_type(type(command))
    if declared.acts_for is None or declared.acts_for(command, state) not in own:
        raise PermissionDenied(_("You can act only for your own characters."))
    game = Game(state, ruleset)
    if any(waive) or declared.reserved(command, game) or (isinstance(dice, TypedDice) and not dice.people() <= own):
        raise PermissionDenied(_("Only the Storyteller can decide that."))
    for who in declared.names(command, game):
        if who not in state.combatants or (state.combatants[who].hidden and who not in own):
            raise bad_input(phrase("nobody-by-that-name-is-in-this-fight"))
