"""The fight, its turns and what is done with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.engine.messages import Command, command
from rules.engine.phrases import phrase


def _storytellers_declaration(command: Declare, _game: object) -> bool:
    return command.out_of_order or bool(command.others)


@command(phrase("begin"), any_time=True)
@dataclass(frozen=True, slots=True)
class Begin(Command):
    """Begin a drafted fight."""


@command(phrase("pause"))
@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Set a running fight aside."""


@command(phrase("resume"), any_time=True)
@dataclass(frozen=True, slots=True)
class Resume(Command):
    """Go on with a fight that was set aside."""


@command(phrase("end"), any_time=True)
@dataclass(frozen=True, slots=True)
class End(Command):
    """End the fight for good."""


@command(phrase("roll initiative"))
@dataclass(frozen=True, slots=True)
class RollInitiative(Command):
    """Roll initiative for everybody whose it is to roll, or for those named.

    ``surprised`` are those who are caught unawares, where a ruleset has that: they do not roll yet. ``ambushed``
    are those who are caught flat-footed, where a ruleset lets them act after everybody else.
    """

    who: tuple[str, ...] = ()
    surprised: tuple[str, ...] = ()
    ambushed: tuple[str, ...] = ()


@command(phrase("set order"))
@dataclass(frozen=True, slots=True)
class SetOrder(Command):
    """Put the ranks as the Storyteller wants them; several ids in a rank act simultaneously."""

    order: tuple[tuple[str, ...], ...]


@command(
    phrase("declare"), topics=("declaration", "multiple_actions"), acts_for="by", reserved=_storytellers_declaration
)
@dataclass(frozen=True, slots=True)
class Declare(Command):
    """Say what one will do this turn.

    ``actions`` are keys (unarmed, melee, firearm, thrown, dodge, parry, block, celerity, or any word);
    two or more divide the smallest of their pools. Each "celerity" is one extra action with a full
    pool. ``out_of_order`` is the Storyteller's leave to declare before slower ones have. ``points`` are those of
    other resources that somebody means to spend. ``others`` say the same with ``by``, each out of their own pools and
    points: those of a group.
    """

    by: str
    text: str = ""
    actions: tuple[str, ...] = ()
    delay: bool = False
    disciplines: tuple[str, ...] = ()
    willpower: int = 0
    out_of_order: bool = False
    points: Mapping[str, int] = field(default_factory=dict)
    others: tuple[str, ...] = ()


@command(phrase("act"))
@dataclass(frozen=True, slots=True)
class Act(Command):
    """Move on to whoever acts next."""


@command(phrase("end turn"))
@dataclass(frozen=True, slots=True)
class EndTurn(Command):
    """End the turn, whoever has not acted."""


@command(phrase("delay"), topics=("delay",), acts_for="by")
@dataclass(frozen=True, slots=True)
class Delay(Command):
    """Wait: act at any later moment of the turn. ``text`` says what for."""

    by: str
    text: str = ""


@command(phrase("hold over"), topics=("hold_over",), acts_for="by")
@dataclass(frozen=True, slots=True)
class HoldOver(Command):
    """Forfeit this turn's action, to act at any moment of the next turn."""

    by: str


@command(phrase("fresh start"), topics=("fresh_start", "initiative_every_turn"), acts_for="by")
@dataclass(frozen=True, slots=True)
class FreshStart(Command):
    """Give the turn for another rank (an initiative total), which counts from the next turn on."""

    by: str
    rank: int


@command(phrase("set initiative mode"), topics=("initiative_every_turn",), any_time=True)
@dataclass(frozen=True, slots=True)
class SetInitiativeMode(Command):
    """Roll initiative every turn of this fight, or once for all of it, whatever the chronicle does."""

    every_turn: bool


@command(phrase("check surprise"), topics=("surprise", "noticing"))
@dataclass(frozen=True, slots=True)
class CheckSurprise(Command):
    """Roll for those who walk into an ambush, or stumble on an enemy: whoever fails is surprised."""

    who: tuple[str, ...]


@command(phrase("abort"), topics=("abort",), acts_for="by")
@dataclass(frozen=True, slots=True)
class Abort(Command):
    """Give up an action not yet performed for a block, dodge or parry.

    ``pay`` is "roll" for a Willpower roll or "point" for a Willpower point.
    """

    by: str
    pay: str = "roll"


@command(phrase("full defence"), topics=("full_defence", "abort"), acts_for="by")
@dataclass(frozen=True, slots=True)
class FullDefence(Command):
    """Do nothing but defend this turn."""

    by: str
