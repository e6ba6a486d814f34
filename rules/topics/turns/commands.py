"""Commands for the course of a fight and its turns."""

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


def _target_of(command: Declare, _game: object) -> tuple[str, ...]:
    return (command.at,) if command.at else ()


@command(phrase("begin"), any_time=True, asked=Asked(page=False))
@dataclass(frozen=True, slots=True)
class Begin(Command):
    """Begin a drafted fight."""


@command(phrase("pause"), asked=Asked(page=False))
@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Pause a running fight."""


@command(phrase("resume"), any_time=True, asked=Asked(page=False))
@dataclass(frozen=True, slots=True)
class Resume(Command):
    """Resume a paused fight."""


@command(phrase("end"), any_time=True, asked=Asked(page=False))
@dataclass(frozen=True, slots=True)
class End(Command):
    """End the fight for good.

    ``stays`` are the conditions that outlast it, by combatant; for combatants not in it, the rules decide.
    """

    stays: Mapping[str, frozenset[str]] = field(default_factory=dict)


def _has_ambushes(_state: Encounter, _who: str, ruleset: System) -> bool:
    return not {"ambushed_last", "surprise"}.isdisjoint(ruleset.cites)


@command(
    phrase("roll-initiative"),
    name="initiative",
    offered={Place.FIGHT: phrase("roll-initiative-after-ambush")},
    offered_to=_has_ambushes,
)
@dataclass(frozen=True, slots=True)
class RollInitiative(Command):
    """Roll initiative for everyone due, or for those named.

    ``surprised`` combatants don't roll yet, in rulesets with surprise. ``ambushed`` ones are caught flat-footed and act
    after everyone else, in rulesets with that rule.
    """

    who: tuple[str, ...] = ()
    surprised: tuple[str, ...] = ()
    ambushed: tuple[str, ...] = ()


@command(phrase("set-order"))
@dataclass(frozen=True, slots=True)
class SetOrder(Command):
    """Set the ranks as the Storyteller wants them; several ids in a rank act simultaneously."""

    order: tuple[tuple[str, ...], ...]


@command(
    phrase("declare"),
    topics=("declaration", "multiple_actions"),
    acts_for="by",
    reserved=_storytellers_declaration,
    names=_target_of,
)
@dataclass(frozen=True, slots=True)
class Declare(Command):
    """Declare what a combatant will do this turn.

    ``actions`` are keys (unarmed, melee, firearm, thrown, dodge, parry, block, celerity, or any word); two or more
    divide the smallest of their pools. Each "celerity" is one extra action with a full pool. ``out_of_order`` is the
    Storyteller's permission to declare before slower combatants. ``points`` are those of other resources that the
    player intends to spend, ``at`` is the target that they name. ``others`` are members of a group who declare the
    same as ``by``, each with their own pools and points.
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
    at: str = ""


@command(phrase("act"), asked=Asked(page=False))
@dataclass(frozen=True, slots=True)
class Act(Command):
    """Move on to the next combatant to act."""


@command(phrase("end-turn"), asked=Asked(page=False))
@dataclass(frozen=True, slots=True)
class EndTurn(Command):
    """End the turn, even if some have not acted.

    ``onward`` goes to the first thing to do in the next turn: to its first action, unless declarations or initiative
    precede it.
    """

    onward: bool = False


@command(
    phrase("delay"),
    topics=("delay",),
    acts_for="by",
    asked=Asked(
        (Wanted("text", phrase("condition"), Want.WORDS, help=phrase("for-example-if-he-draws-optional")),),
        title=phrase("wait"),
    ),
)
@dataclass(frozen=True, slots=True)
class Delay(Command):
    """Wait, to act at any later moment of the turn. ``text`` says what for."""

    by: str
    text: str = ""


@command(
    phrase("hold-over"),
    topics=("hold_over",),
    acts_for="by",
    asked=Asked(
        title=phrase("hold-over-label"),
        submit=phrase("hold-over-to-next-turn"),
        help=phrase("no-action-this-turn"),
    ),
    offered={Place.SEAT: phrase("hold-over-to-next-turn"), Place.FIGHT: phrase("hold-over-action")},
)
@dataclass(frozen=True, slots=True)
class HoldOver(Command):
    """Forfeit this turn's action, to act at any moment of the next turn."""

    by: str


def _starts_fresh(state: Encounter, who: str, _system: object) -> bool:
    return FRESH_START in state.combatants[who].sheet.merits


@command(
    phrase("fresh-start"),
    topics=("fresh_start", "initiative_every_turn"),
    acts_for="by",
    asked=Asked(
        (Wanted("rank", phrase("rank"), least=1, most=100, needed=True),),
        title=phrase("fresh-start-title"),
        submit=phrase("take-this-rank"),
        help=phrase("takes-whole-turn-and-counts-from-next"),
    ),
    offered={Place.SEAT: phrase("fresh-start-title"), Place.FIGHT: phrase("fresh-start-title")},
    offered_to=_starts_fresh,
)
@dataclass(frozen=True, slots=True)
class FreshStart(Command):
    """Give up the turn for another rank (an initiative total), which counts from the next turn on."""

    by: str
    rank: int


@command(
    phrase("set-initiative-mode"),
    topics=("initiative_every_turn",),
    any_time=True,
    name="initiative-mode",
    offered={Place.FIGHT: phrase("initiative-every-turn")},
)
@dataclass(frozen=True, slots=True)
class SetInitiativeMode(Command):
    """Roll initiative every turn of this fight, or once for the whole fight, overriding the chronicle's setting."""

    every_turn: bool


@command(
    phrase("full-defence"),
    topics=("full_defence", "abort"),
    acts_for="by",
    asked=Asked(title=phrase("only-defend")),
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
                phrase("by"),
                Want.CHOICE,
                (("roll", phrase("a-willpower-roll")), ("point", phrase("a-willpower-point"))),
                needed=True,
            ),
        ),
        title=phrase("abort-to-defence"),
        submit=phrase("give-up-action"),
    ),
    offered={Place.SEAT: phrase("abort-label"), Place.ROW: phrase("abort-to-defence")},
    offered_to=_aborts,
)
@dataclass(frozen=True, slots=True)
class Abort(Command):
    """Give up an action not yet performed for a block, dodge or parry.

    ``pay`` is "roll" for a Willpower roll or "point" for a Willpower point.
    """

    by: str
    pay: str = "roll"
