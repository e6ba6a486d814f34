"""An attack as a conversation: announced, approved, answered by its targets, rolled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.engine.inputs import Asked, Want, Wanted
from rules.engine.messages import Command, command
from rules.engine.phrases import phrase
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.state import Encounter, Step
from rules.model.system import Game


def _storytellers_attack(command: ProposeAttack, game: Game) -> bool:
    attack = command.attack
    return bool(attack.strike or attack.defences or attack.others) or game.system.circumstances.are_reserved(
        attack.modifiers
    )


def _met(command: ProposeAttack, _game: Game) -> Iterable[str]:
    return (*command.attack.at, *command.attack.near)


def _storytellers_answer(command: AnswerAttack, game: Game) -> bool:
    return bool(command.defence.strike or command.others) or game.system.circumstances.are_reserved(
        command.defence.modifiers
    )


def _whose_default(command: SetDefaultDefence, _state: Encounter) -> str:
    return command.who[0] if len(command.who) == 1 else ""


def _who_announced(command: WithdrawAttack, state: Encounter) -> str:
    return next((each.attack.by for each in state.exchanges if each.id == command.exchange), "")


@command(phrase("propose-attack"), acts_for="attack.by", reserved=_storytellers_attack, names=_met)
@dataclass(frozen=True, slots=True)
class ProposeAttack(Command):
    """Announce an attack and ask its targets for their defence. ``exchange`` is a new random id.

    If it needs ``approval``, nobody is asked until the Storyteller approves it.
    """

    exchange: str
    attack: Attack
    by_hand: bool = False
    approval: bool = False


_WHICH = Wanted("exchange", phrase("attack-label"), Want.REFERENCE, needed=True)


@command(phrase("approve-attack"), commutes=True, name="approve", asked=Asked((_WHICH,), page=False))
@dataclass(frozen=True, slots=True)
class ApproveAttack(Command):
    """Approve an announced attack unchanged: its targets are asked."""

    exchange: str


@command(phrase("change-attack"))
@dataclass(frozen=True, slots=True)
class ChangeAttack(Command):
    """Approve an announced attack with changes; the attacker stays the same."""

    exchange: str
    attack: Attack
    by_hand: bool = False


@command(
    phrase("send-back-attack"),
    commutes=True,
    name="send-back",
    asked=Asked(
        (
            _WHICH,
            Wanted(
                "word",
                phrase("your-message"),
                Want.WORDS,
                help=phrase("for-example-he-is-behind-bar-you"),
            ),
        ),
        title=phrase("send-attack-back"),
        submit=phrase("send-it-back"),
        help=phrase("attacker-reads-your-message-and-can-change"),
    ),
)
@dataclass(frozen=True, slots=True)
class SendBackAttack(Command):
    """Send an announced attack back to its player with a message, to be changed or dropped."""

    exchange: str
    word: str = ""


@command(phrase("answer-attack"), acts_for="target", reserved=_storytellers_answer)
@dataclass(frozen=True, slots=True)
class AnswerAttack(Command):
    """Answer an announced attack for a target. The last answer rolls it at once, unless rolled by hand.

    ``others`` are further targets with the same kind of defence. Those who can't use it answer as if it were their
    default.
    """

    exchange: str
    target: str
    defence: Defence
    others: tuple[str, ...] = ()


@command(phrase("answer-by-default"))
@dataclass(frozen=True, slots=True)
class AnswerByDefault(Command):
    """Answer for a target by their default: no defence, if none was set."""

    exchange: str
    target: str


@command(phrase("set-default-defence"), any_time=True, acts_for=_whose_default)
@dataclass(frozen=True, slots=True)
class SetDefaultDefence(Command):
    """Set how combatants automatically answer attacks.

    ``defence`` is as in :attr:`rules.model.state.Combatant.default_defence`.
    """

    who: tuple[str, ...]
    defence: str


def _not_theirs_to_roll(command: ResolveAttack, game: Game) -> bool:
    """Whether only the Storyteller may roll it: players roll only with their own dice, once everyone has answered.

    And on one target only: dice for the next are asked for after the first one's defence was rolled.
    """
    found = (each for each in game.state.exchanges if each.id == command.exchange)
    return not any(
        each.by_hand and each.step is Step.APPROVED and not each.asked and len(each.attack.at) == 1 for each in found
    )


@command(phrase("resolve-attack"), acts_for=_who_announced, reserved=_not_theirs_to_roll)
@dataclass(frozen=True, slots=True)
class ResolveAttack(Command):
    """Roll an announced attack. Targets who have not answered don't defend.

    Players roll their own attacks only if they announced them with their own dice, and everyone has answered.
    """

    exchange: str


@command(phrase("withdraw-attack"), acts_for=_who_announced, name="withdraw", asked=Asked((_WHICH,), page=False))
@dataclass(frozen=True, slots=True)
class WithdrawAttack(Command):
    """Withdraw an announced attack before it is rolled."""

    exchange: str
