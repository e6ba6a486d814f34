"""What somebody wants: one frozen value a command, in the imperative.

Combatants are named by id, weapons by the key on the sheet or by name. Every command goes through
:func:`rules.decide.decide`, which answers with events or raises
:class:`rules.engine.violations.RuleViolation`.
"""

from __future__ import annotations

from rules.model.choices import Defence, Figure, Modifier
from rules.model.roll import DifficultyOf, Extended, GiveUpRoll, Resistance, RollCommand, RollOn, RollTraits
from rules.topics.attacks.commands import Attack, AttackCommand, ChooseMishap, ClearJam, OverrideAttack, Reload
from rules.topics.cast.commands import CastCommand, Group, Join, Leave, Newcomer, ReviseSheet, SetVisibility, Ungroup
from rules.topics.exchanges.commands import (
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
from rules.topics.health.commands import BodyCommand, ChangeConditions, Harm, Heal, SetHealth, Spend
from rules.topics.telling.commands import Describe, DeskCommand, Narrate, SetCircumstances, ShowRoll
from rules.topics.turns.commands import (
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
