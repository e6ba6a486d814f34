"""The prompts: attacks waiting for approval or an answer, mishaps, and choices forced by others."""

from __future__ import annotations

from dataclasses import dataclass

from combat.panes.figures import Manoeuvre, WeaponLine
from rules.engine.violations import Refusal
from rules.model.plan import Part

Chances = tuple[tuple[str, str], ...]
"""Chances as pairs of label and text."""


@dataclass(frozen=True, slots=True)
class DefenceChoice:
    """A defence that could answer an attack. `kind` is "" for no defence, or for Defense where that applies by itself.
    `pool` is its dice, if it is allowed: those that it rolls, or those that Defense takes off the attack.

    `spends`: it uses the last action of the turn, which wasn't declared as a defence. `chances` are the attack's
    against this defence or, if the reader may not know the attacker's dice, the defence's own.
    """

    kind: str
    label: str
    pool: int | None = None
    refusal: Refusal | None = None
    spends: bool = False
    chances: Chances = ()

    @property
    def allowed(self) -> bool:
        """Whether nothing the reader may know forbids it."""
        return self.refusal is None


@dataclass(frozen=True, slots=True)
class Clock:
    """The deadline of a question: `due` in milliseconds since the epoch, None if the clock is paused.

    `question` is its key; `then` is the answer given when time runs out.
    """

    question: str
    due: int | None
    then: str


@dataclass(frozen=True, slots=True)
class Ask:
    """An attack waiting for a target's answer. `attacker` is the name that the target sees.

    `others` is the number of further attackers that the target sees. `mode` is the weapon's, "" if the target doesn't
    see the attacker. `blind`: the reader may not know the attacker's dice, so the chances are those of the defences
    alone. `passive`: Defense applies by itself, and the choices change it. `stock` are the successes that the target
    holds ready. `together`: it can be answered with others, in an :class:`AskAll`.
    """

    exchange: str
    target: str
    name: str
    attacker: str
    weapon: str
    choices: tuple[DefenceChoice, ...]
    weapons: tuple[WeaponLine, ...]
    mode: str = ""
    clock: Clock | None = None
    blind: bool = False
    others: int = 0
    passive: bool = False
    stock: int = 0
    together: bool = False


@dataclass(frozen=True, slots=True)
class ChoiceForAll:
    """A defence for several targets: `can` of them are able to use it."""

    kind: str
    label: str
    can: int


@dataclass(frozen=True, slots=True)
class AskAll:
    """An attack on several NPCs that can be answered for all of them: their ids (`targets`), and `name`, their names.

    `timed`: one of the questions has a clock. The other fields are those of :class:`Ask`.
    """

    exchange: str
    targets: tuple[str, ...]
    name: str
    attacker: str
    weapon: str
    choices: tuple[ChoiceForAll, ...]
    others: int = 0
    timed: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """An announced attack of the reader's own character, by its `step`.

    "pending": waiting for approval; "returned": sent back with the Storyteller's `word`, to be changed or dropped;
    "approved": waiting for those `asked`, or for dice. `who` is the attacker's id. If their player rolls their own
    dice, and everyone has answered, `pool` is the number of dice and `difficulty` the number to reach, 0 for none.
    """

    exchange: str
    who: str
    attacker: str
    weapon: str
    targets: tuple[str, ...]
    asked: tuple[str, ...]
    by_hand: bool
    step: str = "approved"
    word: str = ""
    clock: Clock | None = None
    pool: int = 0
    difficulty: int = 0


@dataclass(frozen=True, slots=True)
class Pending:
    """An attack waiting for the Storyteller's approval, with its pool and chances.

    `refusal` says why the attack is impossible at the moment. `out_of_turn`: it isn't the attacker's turn.
    """

    exchange: str
    attacker: str
    weapon: str
    targets: tuple[str, ...]
    distance: str
    circumstances: tuple[str, ...]
    by_hand: bool
    pool: int = 0
    difficulty: int = 0
    chance: bool = False
    chances: Chances = ()
    refusal: Refusal | None = None
    out_of_turn: bool = False


@dataclass(frozen=True, slots=True)
class MishapAsk:
    """A botch that needs a mishap: the Storyteller picks one of `choices` (key, label) or lets chance decide.

    `dramatic`: the ruleset calls it a dramatic failure.
    """

    resolution: str
    name: str
    weapon: str
    choices: tuple[tuple[str, str], ...]
    allies: tuple[tuple[str, str], ...]
    dramatic: bool = False


@dataclass(frozen=True, slots=True)
class GrapplePlan:
    """The plan of a grapple's roll. `resisted`, `against` and `wins` are only for the Storyteller.

    `less`: the opponent's Strength is left out, because the reader may not know it. `resisted` is the opponent's pool,
    None if they can't resist.
    """

    pool: int
    parts: tuple[Part, ...]
    less: bool = False
    chance: bool = False
    resisted: int | None = None
    against: tuple[Part, ...] = ()
    wins: str = ""


@dataclass(frozen=True, slots=True)
class GrappleAsk:
    """A grapple in which `who` may roll, or has won a number of moves (`picks`).

    `rule` and `plan` are those of the roll; `lent` is the number of successes added by helpers.
    """

    who: str
    name: str
    opponent: str
    picks: int
    rule: str
    moves: tuple[Manoeuvre, ...] = ()
    lent: int = 0
    plan: GrapplePlan | None = None


@dataclass(frozen=True, slots=True)
class FireAsk:
    """Covering fire on a combatant whose turn it is. `shooters` are the names that the reader sees.

    `hits`: the damage before armour for acting in the open, if the reader may know it.
    """

    who: str
    name: str
    shooters: tuple[str, ...]
    rule: str
    hits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Asks:
    """What the reader has to answer or may do in a grapple, and the state of their own attacks."""

    defences: tuple[Ask, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    grapples: tuple[GrappleAsk, ...] = ()
    fires: tuple[FireAsk, ...] = ()


@dataclass(frozen=True, slots=True)
class StorytellerAsks(Asks):
    """All announced attacks, missing answers and mishaps."""

    pending: tuple[Pending, ...] = ()
    groups: tuple[AskAll, ...] = ()
    mishaps: tuple[MishapAsk, ...] = ()
    unnarrated: tuple[str, ...] = ()
