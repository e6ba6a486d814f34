"""The fight, its turns and what is done with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.engine.inputs import Asked, Place, Want, Wanted
from rules.engine.messages import Command, command
from rules.engine.phrases import PLAYERS_WORDS, phrase
from rules.model.state import Encounter
from rules.model.system import System
from rules.topics.initiative.scores import FRESH_START


def _storytellers_declaration(command: Declare, _game: object) -> bool:
    return command.out_of_order or bool(command.others)


@command(phrase("begin"), any_time=True, asked=Asked(page=False))
@dataclass(frozen=True, slots=True)
class Begin(Command):
    """Begin a drafted fight."""


@command(phrase("pause"), asked=Asked(page=False))
@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Set a running fight aside."""


@command(phrase("resume"), any_time=True, asked=Asked(page=False))
@dataclass(frozen=True, slots=True)
class Resume(Command):
    """Go on with a fight that was set aside."""


@command(phrase("end"), any_time=True, asked=Asked(page=False))
@dataclass(frozen=True, slots=True)
class End(Command):
    """End the fight for good."""


@command(phrase("roll initiative"), name="initiative", asked=Asked(page=False))
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
    text: str = field(default="", metadata=PLAYERS_WORDS)
    actions: tuple[str, ...] = ()
    delay: bool = False
    disciplines: tuple[str, ...] = ()
    willpower: int = 0
    out_of_order: bool = False
    points: Mapping[str, int] = field(default_factory=dict)
    others: tuple[str, ...] = ()


@command(phrase("act"), asked=Asked(page=False))
@dataclass(frozen=True, slots=True)
class Act(Command):
    """Move on to whoever acts next."""


@command(phrase("end turn"), asked=Asked(page=False))
@dataclass(frozen=True, slots=True)
class EndTurn(Command):
    """End the turn, whoever has not acted."""


@command(
    phrase("delay"),
    topics=("delay",),
    acts_for="by",
    asked=Asked(
        (Wanted("text", phrase("What for"), Want.WORDS, help=phrase("“if he draws”; may be left empty.")),),
        title=phrase("Wait"),
    ),
)
@dataclass(frozen=True, slots=True)
class Delay(Command):
    """Wait: act at any later moment of the turn. ``text`` says what for."""

    by: str
    text: str = ""


@command(
    phrase("hold over"),
    topics=("hold_over",),
    acts_for="by",
    asked=Asked(
        title=phrase("Hold over"),
        submit=phrase("Hold over into the next turn"),
        help=phrase("No action in this turn; in the next at any moment, even ahead of the first."),
    ),
    offered={Place.SEAT: phrase("Hold over into the next turn"), Place.FIGHT: phrase("Hold an action over")},
)
@dataclass(frozen=True, slots=True)
class HoldOver(Command):
    """Forfeit this turn's action, to act at any moment of the next turn."""

    by: str


def _starts_fresh(state: Encounter, who: str, _system: object) -> bool:
    return FRESH_START in state.combatants[who].sheet.merits


@command(
    phrase("fresh start"),
    topics=("fresh_start", "initiative_every_turn"),
    acts_for="by",
    asked=Asked(
        (Wanted("rank", phrase("Rank"), least=1, most=100, needed=True),),
        title=phrase("Fresh start"),
        submit=phrase("Take this rank"),
        help=phrase("It takes the whole turn, and counts from the next one on."),
    ),
    offered={Place.SEAT: phrase("Fresh start"), Place.FIGHT: phrase("Fresh start")},
    offered_to=_starts_fresh,
)
@dataclass(frozen=True, slots=True)
class FreshStart(Command):
    """Give the turn for another rank (an initiative total), which counts from the next turn on."""

    by: str
    rank: int


@command(
    phrase("set initiative mode"),
    topics=("initiative_every_turn",),
    any_time=True,
    name="initiative-mode",
    offered={Place.FIGHT: phrase("Initiative every turn")},
)
@dataclass(frozen=True, slots=True)
class SetInitiativeMode(Command):
    """Roll initiative every turn of this fight, or once for all of it, whatever the chronicle does."""

    every_turn: bool


@command(
    phrase("full defence"),
    topics=("full_defence", "abort"),
    acts_for="by",
    asked=Asked(title=phrase("Only defend")),
)
@dataclass(frozen=True, slots=True)
class FullDefence(Command):
    """Do nothing but defend this turn."""

    by: str


def _aborts(_state: object, _who: str, system: System) -> bool:
    return system.turns.aborts


@command(
    phrase("abort"),
    topics=("abort",),
    acts_for="by",
    asked=Asked(
        (
            Wanted(
                "pay",
                phrase("By"),
                Want.CHOICE,
                (("roll", phrase("a Willpower roll")), ("point", phrase("a Willpower point"))),
                needed=True,
            ),
        ),
        title=phrase("Abort to a defence"),
        submit=phrase("Give up an action"),
    ),
    offered={Place.SEAT: phrase("Abort"), Place.ROW: phrase("Abort to a defence")},
    offered_to=_aborts,
)
@dataclass(frozen=True, slots=True)
class Abort(Command):
    """Give up an action not yet performed for a block, dodge or parry.

    ``pay`` is "roll" for a Willpower roll or "point" for a Willpower point.
    """

    by: str
    pay: str = "roll"
