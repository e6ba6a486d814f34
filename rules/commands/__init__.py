"""What somebody wants: one frozen value a command, in the imperative.

Combatants are named by id, weapons by the key on the sheet or by name. Every command goes through
:func:`rules.decide.decide`, which answers with events or raises
:class:`rules.violations.RuleViolation`.
"""

from __future__ import annotations

from rules.commands.attacks import Attack, AttackCommand, ChooseMishap, ClearJam, OverrideAttack, Reload
from rules.commands.bodies import BodyCommand, ChangeConditions, Harm, Heal, SetHealth, Spend
from rules.commands.cast import CastCommand, Group, Join, Leave, Newcomer, ReviseSheet, SetVisibility, Ungroup
from rules.commands.choices import Defence, Figure, Modifier
from rules.commands.desk import Describe, DeskCommand, Narrate, SetCircumstances, ShowRoll
from rules.commands.exchanges import (
    AnswerAttack,
    AnswerByDefault,
    ApproveAttack,
    ChangeAttack,
    ExchangeCommand,
    ProposeAttack,
    ResolveAttack,
    SendBackAttack,
    SetDefaultDefence,
    WithdrawAttack,
)
from rules.commands.rolls import DifficultyOf, Extended, GiveUpRoll, Resistance, RollCommand, RollOn, RollTraits
from rules.commands.turns import (
    Abort,
    Act,
    Begin,
    CheckSurprise,
    Declare,
    Delay,
    End,
    EndTurn,
    FreshStart,
    FullDefence,
    HoldOver,
    Pause,
    Resume,
    RollInitiative,
    SetInitiativeMode,
    SetOrder,
    TakeAction,
    TurnCommand,
)

Command = CastCommand | TurnCommand | AttackCommand | ExchangeCommand | RollCommand | BodyCommand | DeskCommand

__all__ = [
    "Abort",
    "Act",
    "AnswerAttack",
    "AnswerByDefault",
    "ApproveAttack",
    "Attack",
    "Begin",
    "ChangeAttack",
    "ChangeConditions",
    "CheckSurprise",
    "ChooseMishap",
    "ClearJam",
    "Command",
    "Declare",
    "Defence",
    "Delay",
    "Describe",
    "DifficultyOf",
    "End",
    "EndTurn",
    "Extended",
    "Figure",
    "FreshStart",
    "FullDefence",
    "GiveUpRoll",
    "Group",
    "Harm",
    "Heal",
    "HoldOver",
    "Join",
    "Leave",
    "Modifier",
    "Narrate",
    "Newcomer",
    "OverrideAttack",
    "Pause",
    "ProposeAttack",
    "Reload",
    "Resistance",
    "ResolveAttack",
    "Resume",
    "ReviseSheet",
    "RollInitiative",
    "RollOn",
    "RollTraits",
    "SendBackAttack",
    "SetCircumstances",
    "SetDefaultDefence",
    "SetHealth",
    "SetInitiativeMode",
    "SetOrder",
    "SetVisibility",
    "ShowRoll",
    "Spend",
    "TakeAction",
    "Ungroup",
    "WithdrawAttack",
]
