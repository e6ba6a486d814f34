"""Who may command what: the Storyteller everything, players what their own characters do, observers nothing."""

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
    """Raise `PermissionDenied` for what this member may not do.

    Raises `RuleViolation` ("input") for a target that a player does not see, as for one that there is not.
    """
    if membership.is_storyteller:
        return
    own = own_combatants(state, membership, owners) if membership.role == Role.PLAYER else frozenset()
    declared = command_type(type(command))
    if declared.acts_for is None or declared.acts_for(command, state) not in own:
        raise PermissionDenied(_("You can act for your own characters alone."))
    game = Game(state, ruleset)
    if any(waive) or declared.reserved(command, game) or (isinstance(dice, TypedDice) and not dice.people() <= own):
        raise PermissionDenied(_("That is the Storyteller’s to decide."))
    for who in declared.names(command, game):
        if who not in state.combatants or (state.combatants[who].hidden and who not in own):
            raise bad_input(phrase("nobody-by-that-name-is-in-this-fight"))
