"""An attack as a conversation: announced, approved, answered by its targets, rolled."""

from __future__ import annotations

from dataclasses import dataclass

from rules.model.choices import Defence
from rules.topics.attacks.commands import Attack


@dataclass(frozen=True, slots=True)
class ProposeAttack:
    """Announce an attack and ask its targets for their defence. ``exchange`` is a new random id.

    One that needs ``approval`` asks nobody before the Storyteller has approved it.
    """

    exchange: str
    attack: Attack
    by_hand: bool = False
    approval: bool = False


@dataclass(frozen=True, slots=True)
class ApproveAttack:
    """Let an announced attack go ahead as it is: its targets are asked."""

    exchange: str


@dataclass(frozen=True, slots=True)
class ChangeAttack:
    """Let an announced attack go ahead otherwise than it was announced; the attacker stays the same."""

    exchange: str
    attack: Attack
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class SendBackAttack:
    """Give an announced attack back to whoever announced it, with a word, to be changed or dropped."""

    exchange: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class AnswerAttack:
    """Answer an announced attack for one target. Rolls at once when nobody else is asked, unless by hand."""

    exchange: str
    target: str
    defence: Defence


@dataclass(frozen=True, slots=True)
class AnswerByDefault:
    """Let a target who is asked answer by its default: nothing, where none was set."""

    exchange: str
    target: str


@dataclass(frozen=True, slots=True)
class SetDefaultDefence:
    """Settle what some combatants answer attacks with by themselves.

    ``defence`` is as :attr:`rules.model.state.Combatant.default_defence` has it.
    """

    who: tuple[str, ...]
    defence: str


@dataclass(frozen=True, slots=True)
class ResolveAttack:
    """Roll an announced attack whose targets have all answered, or who are held to give no defence."""

    exchange: str


@dataclass(frozen=True, slots=True)
class WithdrawAttack:
    """Take an announced attack back before it is rolled."""

    exchange: str


ExchangeCommand = (
    ProposeAttack
    | ApproveAttack
    | ChangeAttack
    | SendBackAttack
    | AnswerAttack
    | AnswerByDefault
    | SetDefaultDefence
    | ResolveAttack
    | WithdrawAttack
)
