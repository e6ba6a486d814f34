"""What is asked: attacks that wait for the Storyteller or for an answer, mishaps, and choices that others force."""

from __future__ import annotations

from dataclasses import dataclass

from combat.panes.figures import Manoeuvre, WeaponLine
from rules.engine.violations import Refusal
from rules.model.plan import Part

Chances = tuple[tuple[str, str], ...]
"""Chances in words and figures: what is likely, and how likely."""


@dataclass(frozen=True, slots=True)
class DefenceChoice:
    """A defence that could answer an attack. `kind` is "" for none. `pool` is its dice, where it is allowed.

    `spends`: it takes the last action of the turn, which was not declared as a defence. `chances` are those that it
    leaves the attack, or, where the reader may not know the attacker's dice, what the defence itself comes to.
    """

    kind: str
    label: str
    pool: int | None = None
    refusal: Refusal | None = None
    spends: bool = False
    chances: Chances = ()

    @property
    def allowed(self) -> bool:
        """Whether it can be given, as far as the reader may know."""
        return self.refusal is None


@dataclass(frozen=True, slots=True)
class Clock:
    """How long a question waits: until `due`, in milliseconds since the epoch, or (None) for as long as it takes.

    `question` names it; `then` is the answer that is given when the time is up.
    """

    question: str
    due: int | None
    then: str


@dataclass(frozen=True, slots=True)
class Ask:
    """An attack that waits for a target's answer. `attacker` is who they are seen as.

    `mode` is how it is made, "" where the target does not see who makes it. `blind`: the attacker's dice are not the
    reader's to know, so that chances are those of the defences alone.
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


@dataclass(frozen=True, slots=True)
class Waiting:
    """An attack that somebody whom the reader plays has announced, and where it stands (`step`).

    "pending": before the Storyteller; "returned": back with her `word`, to be changed or dropped; "approved": it waits
    for those `asked`, or for dice. `who` is the attacker's id.
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


@dataclass(frozen=True, slots=True)
class Pending:
    """An attack that waits for the Storyteller's approval: what it is, its pool and its chances.

    Where it cannot be made as things stand, `refusal` says why.
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


@dataclass(frozen=True, slots=True)
class MishapAsk:
    """A botch that wants a mishap: the Storyteller picks one of `choices` (key, label), or chance does."""

    resolution: str
    name: str
    weapon: str
    choices: tuple[tuple[str, str], ...]
    allies: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GrapplePlan:
    """What a roll of a grapple would be: `pool` with its `parts`. `resisted`, `against`, `wins` are the Storyteller's.

    Without the other's Strength (`less`) where the reader may not know it. `resisted` is None for one who cannot.
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
    """A grapple in which somebody (`who`, `name`) may roll, or has won so many moves (`picks`) and may make one.

    `rule` is that of the roll, `plan` what it would be; `lent` are the successes that helping hands have given for it.
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
    """Covering fire that lies on somebody whose turn it is. `shooters` are who they are seen as.

    `hits`: what acting in the open would bring, in points before armour, where the reader may know.
    """

    who: str
    name: str
    shooters: tuple[str, ...]
    rule: str
    hits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Asks:
    """What the reader has to answer or may do in a grapple, and what their own attacks wait for."""

    defences: tuple[Ask, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    grapples: tuple[GrappleAsk, ...] = ()
    fires: tuple[FireAsk, ...] = ()


@dataclass(frozen=True, slots=True)
class StorytellerAsks(Asks):
    """All attacks that are announced, the answers still owed for anybody, and mishaps."""

    pending: tuple[Pending, ...] = ()
    mishaps: tuple[MishapAsk, ...] = ()
    unnarrated: tuple[str, ...] = ()
