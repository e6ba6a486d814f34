"""The fight, its turns and what is done with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.model.choices import Figure, Modifier


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin a drafted fight."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Set a running fight aside."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with a fight that was set aside."""


@dataclass(frozen=True, slots=True)
class End:
    """End the fight for good."""


@dataclass(frozen=True, slots=True)
class RollInitiative:
    """Roll initiative for everybody whose it is to roll, or for those named.

    ``surprised`` are those who are caught unawares, where a ruleset has that: they do not roll yet. ``ambushed``
    are those who are caught flat-footed, where a ruleset lets them act after everybody else.
    """

    who: tuple[str, ...] = ()
    surprised: tuple[str, ...] = ()
    ambushed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SetOrder:
    """Put the ranks as the Storyteller wants them; several ids in a rank act simultaneously."""

    order: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Declare:
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


@dataclass(frozen=True, slots=True)
class Act:
    """Move on to whoever acts next."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the turn, whoever has not acted."""


@dataclass(frozen=True, slots=True)
class Delay:
    """Wait: act at any later moment of the turn. ``text`` says what for."""

    by: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class HoldOver:
    """Forfeit this turn's action, to act at any moment of the next turn."""

    by: str


@dataclass(frozen=True, slots=True)
class FreshStart:
    """Give the turn for another rank (an initiative total), which counts from the next turn on."""

    by: str
    rank: int


@dataclass(frozen=True, slots=True)
class SetInitiativeMode:
    """Roll initiative every turn of this fight, or once for all of it, whatever the chronicle does."""

    every_turn: bool


@dataclass(frozen=True, slots=True)
class CheckSurprise:
    """Roll for those who walk into an ambush, or stumble on an enemy: whoever fails is surprised."""

    who: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Abort:
    """Give up an action not yet performed for a block, dodge or parry.

    ``pay`` is "roll" for a Willpower roll or "point" for a Willpower point.
    """

    by: str
    pay: str = "roll"


@dataclass(frozen=True, slots=True)
class FullDefence:
    """Do nothing but defend this turn."""

    by: str


@dataclass(frozen=True, slots=True)
class TakeAction:
    """Do one of the things that the ruleset knows besides attacks (``Ruleset.actions``), by its key.

    ``at`` and ``figures`` (such as ``distance``) are as the action needs them; ``weapon`` left out is the first that
    fits.
    """

    key: str
    by: str
    at: tuple[str, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    figures: Mapping[str, Figure] = field(default_factory=dict)
    weapon: str = ""


TurnCommand = (
    Begin
    | Pause
    | Resume
    | End
    | RollInitiative
    | SetOrder
    | Declare
    | Act
    | EndTurn
    | Delay
    | HoldOver
    | FreshStart
    | SetInitiativeMode
    | CheckSurprise
    | Abort
    | FullDefence
    | TakeAction
)
