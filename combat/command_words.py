"""Commands in a word or two, for whoever takes one back or brings it back."""

from __future__ import annotations

import re

from rules.engine.phrases import Phrase, phrase

COMMANDS: dict[str, Phrase] = {
    "Abort": phrase("abort"),
    "Act": phrase("act"),
    "AnswerAttack": phrase("answer attack"),
    "AnswerByDefault": phrase("answer by default"),
    "ApproveAttack": phrase("approve attack"),
    "Attack": phrase("attack"),
    "Begin": phrase("begin"),
    "ChangeAttack": phrase("change attack"),
    "ChangeConditions": phrase("change conditions"),
    "CheckSurprise": phrase("check surprise"),
    "ChooseMishap": phrase("choose mishap"),
    "ClearJam": phrase("clear jam"),
    "Declare": phrase("declare"),
    "Delay": phrase("delay"),
    "Describe": phrase("describe"),
    "End": phrase("end"),
    "EndTurn": phrase("end turn"),
    "FreshStart": phrase("fresh start"),
    "FullDefence": phrase("full defence"),
    "GiveUpRoll": phrase("give up roll"),
    "Group": phrase("group"),
    "Harm": phrase("harm"),
    "Heal": phrase("heal"),
    "HoldOver": phrase("hold over"),
    "Join": phrase("join"),
    "Leave": phrase("leave"),
    "Narrate": phrase("narrate"),
    "OverrideAttack": phrase("override attack"),
    "Pause": phrase("pause"),
    "ProposeAttack": phrase("propose attack"),
    "Reload": phrase("reload"),
    "ResolveAttack": phrase("resolve attack"),
    "Resume": phrase("resume"),
    "ReviseSheet": phrase("revise sheet"),
    "RollInitiative": phrase("roll initiative"),
    "RollOn": phrase("roll on"),
    "RollTraits": phrase("roll traits"),
    "SendBackAttack": phrase("send back attack"),
    "SetCircumstances": phrase("set circumstances"),
    "SetDefaultDefence": phrase("set default defence"),
    "SetHealth": phrase("set health"),
    "SetInitiativeMode": phrase("set initiative mode"),
    "SetOrder": phrase("set order"),
    "SetVisibility": phrase("set visibility"),
    "ShowRoll": phrase("show roll"),
    "Spend": phrase("spend"),
    "TakeAction": phrase("take action"),
    "Ungroup": phrase("ungroup"),
    "WithdrawAttack": phrase("withdraw attack"),
}


def command_words(name: str) -> str:
    """The command of a class's name: RollInitiative is "roll initiative"."""
    return COMMANDS.get(name) or re.sub(r"(?<!^)(?=[A-Z])", " ", name).lower()
